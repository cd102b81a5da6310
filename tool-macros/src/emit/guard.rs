//! Rules on typed values: the expression that a `guard` is made of.
//!
//! In comes a place and how to reach it, out goes a list of conditions, cheap ones in the order of declaration. What always holds: the
//! conditions are those of the shape; where only the complete check can tell, the condition is `false`, which asks for that check.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::at;
use super::literal::{number, option};
use super::rule::{item, matcher, range};
use crate::model::{Description, Field, Rule, RuleKind};

/// The conditions of one field; `place` is an expression of type `&Ty`.
pub(crate) fn of_field(field: &Field, place: &TokenStream) -> Vec<TokenStream> {
    let ty = field.ty.to_token_stream();
    let span = at(&ty);
    match &field.description {
        Description::Own => {
            let nested = quote_spanned!(span=> __tool::guard::<#ty>(#place));
            std::iter::once(nested).chain(of_rules(&field.rules, &ty, place)).collect()
        }
        Description::As(wire) => vec![of_wire(wire, !field.rules.is_empty())],
        // What the type itself refuses is asked for all parameters at once, see `parameters`.
        Description::Parameter(_) | Description::Schemars => of_rules(&field.rules, &ty, place).collect(),
    }
}

/// The condition of a value that was converted from another type: its rules cannot be run any more, so where there are any, the typed
/// path says no and the complete check decides.
pub(super) fn of_wire(wire: &syn::Type, has_rules: bool) -> TokenStream {
    if has_rules { quote!(false) } else { quote_spanned!(at(wire)=> !<#wire as __tool::ToolInput>::GUARDED) }
}

/// The conditions of rules alone.
pub(super) fn of_rules<'r>(
    rules: &'r [Rule],
    ty: &'r TokenStream,
    place: &'r TokenStream,
) -> impl Iterator<Item = TokenStream> + 'r {
    rules.iter().map(move |rule| of_rule(rule, ty, place))
}

fn of_rule(rule: &Rule, ty: &TokenStream, place: &TokenStream) -> TokenStream {
    let span = at(ty);
    match &rule.kind {
        RuleKind::Length(length) => {
            let (min, max) = (length.min, option(length.max.map(|max| quote!(#max))));
            quote_spanned!(span=> __tool::guard_length::<#ty>(#place, #min, #max))
        }
        RuleKind::Range(range) => {
            let range = self::range(range);
            quote_spanned!(span=> __tool::guard_range::<#ty>(#place, &#range))
        }
        RuleKind::MultipleOf(divisor) => {
            let divisor = number(*divisor);
            quote_spanned!(span=> __tool::guard_multiple_of::<#ty>(#place, #divisor))
        }
        RuleKind::Pattern { regex, .. } => {
            let matcher = matcher(regex, rule.span);
            quote_spanned!(span=> __tool::guard_pattern::<#ty>(#place, #matcher))
        }
        RuleKind::Format(format) => {
            let variant = proc_macro2::Ident::new(format.variant, Span::call_site());
            quote_spanned!(span=> __tool::guard_format::<#ty>(#place, __tool::Format::#variant))
        }
        RuleKind::UniqueItems => quote_spanned!(span=> __tool::guard_unique::<#ty>(#place)),
        RuleKind::Inner(rules) => {
            let item_type = item(ty);
            let conditions = conjunction(of_rules(rules, &item_type, &quote!(item)).collect());
            quote_spanned!(span=> __tool::guard_inner::<#ty>(#place, |item| #conditions))
        }
        RuleKind::Custom(path) => quote_spanned!(at(path)=> #path(#place).is_ok()),
    }
}

/// All of the conditions.
pub(crate) fn conjunction(conditions: Vec<TokenStream>) -> TokenStream {
    if conditions.is_empty() { quote!(true) } else { quote!(#(#conditions)&&*) }
}
