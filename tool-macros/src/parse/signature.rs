//! Parses a function that becomes a tool, with its attributes and the attributes of its parameters, and removes our own attributes from it.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Pat, Signature, Type, Visibility, token};

use super::attributes::Attributes;
use super::cfg::{is_condition, may_hold, reject_conditional};
use super::foreign_keys;
use super::item_kind::Place;
use super::lookup::attributes;
use crate::errors::Errors;

/// A parsed function. Its body stays a list of tokens.
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

/// A function with its settings.
pub(crate) struct RawTool {
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    /// The signature without the attributes and docs of its parameters.
    pub(crate) signature: Signature,
    /// The parameters, without the receiver.
    pub(crate) parameters: Vec<RawParameter>,
    /// The tokens of each `#[cfg(…)]` on the function, which are repeated on the generated items.
    pub(crate) conditions: Vec<TokenStream>,
}

/// One parameter.
pub(crate) struct RawParameter {
    pub(crate) attributes: Attributes,
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
}

impl RawTool {
    /// Parses a function, and removes our own attributes from its signature.
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
            reject_conditional(&parameter.attrs, errors);
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

/// Removes attributes that rustc does not accept on a parameter.
pub(super) fn strip(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let attributes = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(parameter) => &mut parameter.attrs,
        };
        attributes.retain(|attribute| {
            !attribute.path().is_ident("tool")
                && foreign_keys::attribute_of_another_crate(attribute).is_none()
                && !attribute.path().is_ident("doc")
                && !may_hold(attribute, |path| path.is_ident("tool") || path.is_ident("doc"))
        });
    }
}
