//! Emits the conditions of a `guard`, the quick check of a typed value, in declaration order.
//!
//! Invariant: a condition is `true` only if the rules of the shape are satisfied. A condition that only the complete
//! check can decide is `false`, so that the complete check runs.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::at;
use super::rule::condition;
use crate::model::{Description, Field, Rule};

/// Returns the conditions of one field; `place` is an expression of type `&Ty`.
pub(crate) fn of_field(field: &Field, place: &TokenStream) -> Vec<TokenStream> {
    let ty = field.ty.to_token_stream();
    match &field.description {
        Description::Own => {
            let nested = quote_spanned!(at(&ty)=> <#ty as __tool::ToolInput>::guard(#place));
            std::iter::once(nested).chain(of_rules(&field.rules, &ty, place)).collect()
        }
        Description::As(wire) => vec![of_wire(wire, !field.rules.is_empty())],
        Description::Schemars { .. } => of_rules(&field.rules, &ty, place).collect(),
    }
}

/// Returns the conditions of some rules.
pub(super) fn of_rules(rules: &[Rule], ty: &TokenStream, place: &TokenStream) -> impl Iterator<Item = TokenStream> {
    rules.iter().map(move |rule| condition(rule, ty, place))
}

/// Returns the condition for a value that was converted from another type. The rules of that type cannot run on the converted value. If
/// there are such rules, the condition is therefore `false`, so that the complete check decides.
pub(super) fn of_wire(wire: &Type, has_rules: bool) -> TokenStream {
    if has_rules { quote!(false) } else { quote_spanned!(at(wire)=> !<#wire as __tool::ToolInput>::GUARDED) }
}
