//! A function that becomes a tool: its attributes, its parameters with theirs, and the function without any of them.
//!
//! In comes a function as the user wrote it. Out go the raw settings, and the same function as the compiler will see it: nothing is
//! taken from it but what only we understand.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, FnArg, Pat, Signature, Type, Visibility, parse_quote};

use super::condition::{is_condition, may_hold, refuse_conditional};
use super::function::FunctionAttributes;
use super::{FieldAttributes, Place};
use crate::errors::Errors;

/// A function with everything that was written about it.
pub(crate) struct RawTool {
    pub(crate) attributes: FunctionAttributes,
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
    pub(crate) attributes: FieldAttributes,
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
}

impl RawTool {
    /// Reads a function, and takes from its signature what only we understand.
    pub(crate) fn parse(
        settings: &[Attribute],
        attributes: &[Attribute],
        visibility: &Visibility,
        signature: &mut Signature,
        errors: &mut Errors,
    ) -> Self {
        let attributes_of_tool = FunctionAttributes::parse(settings, attributes, errors);
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            let FnArg::Typed(parameter) = input else { continue };
            for condition in parameter.attrs.iter().filter(|attribute| is_condition(attribute)) {
                errors.on(condition, "a model sees one signature: put `#[cfg(…)]` on the function");
            }
            refuse_conditional(&parameter.attrs, errors);
            parameters.push(RawParameter {
                attributes: FieldAttributes::parse(&parameter.attrs, Place::Parameter, errors),
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
            conditions: attributes
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
                && !may_hold(attribute, &["tool", "doc"])
        });
    }
}

/// What a model and a session dictate about a signature is not the author's to change, so lints about it are silent.
pub(crate) fn dictated() -> Attribute {
    parse_quote!(#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::unused_async, clippy::unused_self)])
}
