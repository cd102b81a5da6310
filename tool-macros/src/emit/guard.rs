//! The conditions that a `guard` is made of, field by field.
//!
//! In comes a place and how to reach it, out goes a list of conditions in the order of declaration. What always holds: they are true
//! only where the shape's rules are satisfied; where only the complete check can tell, the condition is `false`, which asks for it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::at;
use super::rule::condition;
use crate::model::{Description, Field, Rule};

/// The conditions of one field; `place` is an expression of type `&Ty`.
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

/// The conditions of rules alone.
pub(super) fn of_rules(rules: &[Rule], ty: &TokenStream, place: &TokenStream) -> impl Iterator<Item = TokenStream> {
    rules.iter().map(move |rule| condition(rule, ty, place))
}

/// The condition of a value that was converted from another type: that type's rules cannot be run any more, so where there are any, the
/// typed path says no and the complete check decides.
pub(super) fn of_wire(wire: &Type, has_rules: bool) -> TokenStream {
    if has_rules { quote!(false) } else { quote_spanned!(at(wire)=> !<#wire as __tool::ToolInput>::GUARDED) }
}
