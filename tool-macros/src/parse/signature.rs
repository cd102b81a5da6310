//! A function that becomes a tool: its attributes, its parameters with theirs, and the function without any of them.
//!
//! In comes a function as the user wrote it. Out go the raw settings, and the same function as the compiler will see it: nothing is
//! taken from it but what only we understand.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Pat, Signature, Type, Visibility, token};

use super::attributes::Attributes;
use super::condition::{is_condition, may_hold, refuse_conditional};
use super::lookup::attributes;
use super::place::Place;
use crate::errors::Errors;

/// A function as it was written. The body is never parsed: its tokens go through as they are.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let (visibility, signature) = (input.parse()?, input.parse()?);
        if !input.peek(token::Brace) {
            return Err(input.error("expected the body of a function"));
        }
        Ok(Self { attributes, visibility, signature, body: input.parse()? })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// A function with everything that was written about it.
pub(crate) struct RawTool {
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    /// Without the attributes and docs of its parameters.
    pub(crate) signature: Signature,
    /// One for each parameter, the receiver aside.
    pub(crate) parameters: Vec<RawParameter>,
    /// The tokens of each `#[cfg(…)]` on the function: what is generated depends on them too.
    pub(crate) conditions: Vec<TokenStream>,
}

/// One parameter.
pub(crate) struct RawParameter {
    pub(crate) attributes: Attributes,
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
}

impl RawTool {
    /// Reads a function, and takes from its signature what only we understand.
    pub(crate) fn parse(
        settings: &[Attribute],
        documented: &[Attribute],
        visibility: &Visibility,
        signature: &mut Signature,
        errors: &mut Errors,
    ) -> Self {
        let attributes_of_tool = attributes(settings, documented, Place::Function, errors);
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            let FnArg::Typed(parameter) = input else { continue };
            for condition in parameter.attrs.iter().filter(|attribute| is_condition(attribute)) {
                errors.on(condition, "a model sees one signature: put `#[cfg(…)]` on the function");
            }
            refuse_conditional(&parameter.attrs, errors);
            parameters.push(RawParameter {
                attributes: attributes(&parameter.attrs, &parameter.attrs, Place::Parameter, errors),
                pattern: (*parameter.pat).clone(),
                ty: (*parameter.ty).clone(),
            });
        }
        strip(signature);
        Self {
            attributes: attributes_of_tool,
            visibility: visibility.clone(),
            signature: signature.clone(),
            parameters,
            conditions: documented
                .iter()
                .filter(|attribute| is_condition(attribute))
                .map(ToTokens::to_token_stream)
                .collect(),
        }
    }
}

/// Removes what rustc does not accept on a parameter.
pub(super) fn strip(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let attributes = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(parameter) => &mut parameter.attrs,
        };
        attributes.retain(|attribute| {
            !attribute.path().is_ident("tool")
                && !attribute.path().is_ident("doc")
                && !may_hold(attribute, |path| path.is_ident("tool") || path.is_ident("doc"))
        });
    }
}
