//! Rules as `const` data, and the matchers that a shape and a guard share.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::at;
use super::literal::{number, option};
use crate::model::{Range, Rule, RuleKind};

/// The rules of a place, separated by commas. `ty` is the type that they are about.
pub(crate) fn rules(rules: &[Rule], ty: &TokenStream) -> TokenStream {
    let rules = rules.iter().map(|rule| self::rule(rule, ty));
    quote!(#(#rules),*)
}

fn rule(rule: &Rule, ty: &TokenStream) -> TokenStream {
    let span = at(ty);
    match &rule.kind {
        RuleKind::Length(length) => {
            let (min, max) = (length.min, option(length.max.map(|max| quote!(#max))));
            quote_spanned!(span=> __tool::length::<#ty>(#min, #max))
        }
        RuleKind::Range(range) => {
            let range = self::range(range);
            quote_spanned!(span=> __tool::range::<#ty>(#range))
        }
        RuleKind::MultipleOf(divisor) => {
            let divisor = number(*divisor);
            quote_spanned!(span=> __tool::multiple_of::<#ty>(#divisor))
        }
        RuleKind::Pattern { source, regex } => {
            let matcher = matcher(regex, rule.span);
            quote_spanned!(span=> __tool::pattern::<#ty>(#source, #matcher))
        }
        RuleKind::Format(format) => {
            let variant = proc_macro2::Ident::new(format.variant, Span::call_site());
            quote_spanned!(span=> __tool::format::<#ty>(__tool::Format::#variant))
        }
        RuleKind::UniqueItems => quote_spanned!(span=> __tool::unique_items::<#ty>()),
        RuleKind::Inner(rules) => {
            let rules = self::rules(rules, &item(ty));
            quote_spanned!(span=> __tool::inner::<#ty>(const { &[#rules] }))
        }
        RuleKind::Custom(path) => {
            let verdict = quote_spanned!(at(path)=> #path(value));
            quote!(__tool::custom(|node| __tool::run_custom::<#ty>(node, |value| #verdict)))
        }
    }
}

/// The type that `inner(…)` is about.
pub(super) fn item(ty: &TokenStream) -> TokenStream {
    quote_spanned!(at(ty)=> <#ty as __tool::HasItems>::Item)
}

pub(super) fn range(range: &Range) -> TokenStream {
    let ends = [
        ("min", range.min),
        ("max", range.max),
        ("exclusive_min", range.exclusive_min),
        ("exclusive_max", range.exclusive_max),
    ];
    let ends = ends.into_iter().filter_map(|(name, end)| {
        let name = proc_macro2::Ident::new(name, Span::call_site());
        let end = option(Some(number(end?)));
        Some(quote!(#name: #end,))
    });
    quote!(__tool::Range { #(#ends)* ..__tool::Range::UNBOUNDED })
}

/// A function that compiles its pattern on first use; errors about it (the feature is off) sit on the rule.
pub(super) fn matcher(regex: &str, span: Span) -> TokenStream {
    quote_spanned!(Span::call_site().located_at(span)=> |text| {
        static REGEX: __tool::Regex = __tool::Regex::new(#regex);
        REGEX.is_match(text)
    })
}
