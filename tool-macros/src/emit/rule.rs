//! Emits each rule in two forms: as `const` data for a shape, and as a condition on a typed value for a guard.
//!
//! Both forms use the runtime's trait for the rule, with the same tokens and spans, so that rustc reports a single error if a rule does not
//! apply to a type. Invariant: the condition is true if and only if the rule of the shape is satisfied.
//! A condition that only the complete check can decide is false, so that the complete check runs.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use super::at;
use super::literal::{ends, number, option};
use crate::model::{Description, Field, Range, Rule, RuleKind};

/// Emits rules separated by commas. `ty` is the type that they apply to.
pub(crate) fn rules(rules: &[Rule], ty: &TokenStream) -> TokenStream {
    let rules = rules.iter().map(|rule| self::rule(rule, ty));
    quote!(#(#rules),*)
}

fn rule(rule: &Rule, ty: &TokenStream) -> TokenStream {
    let (test, operand) = (test(&rule.kind, ty), operand(&rule.kind));
    match &rule.kind {
        RuleKind::Length(_) => {
            let measure = quote_spanned!(at(ty)=> <#ty as __tool::HasLength>::MEASURE);
            quote!(__tool::length(#measure, #operand))
        }
        RuleKind::Range(_) => quote!(__tool::range(#test, #operand)),
        RuleKind::MultipleOf(_) => quote!(__tool::multiple_of(#test, #operand)),
        RuleKind::Pattern { source, sample, .. } => quote!(__tool::pattern(#test, #source, #operand, #sample)),
        RuleKind::Format(_) => quote!(__tool::format(#test, #operand)),
        RuleKind::UniqueItems => quote!(__tool::unique_items(#test)),
        RuleKind::Inner(rules) => {
            let rules = self::rules(rules, &item(ty));
            quote!(__tool::inner(const { &[#rules] }))
        }
        RuleKind::Custom(path) => {
            let verdict = verdict(path);
            quote!(__tool::custom(|node| __tool::run_custom::<#ty>(node, |__value| #verdict)))
        }
    }
}

/// Emits the setting of a rule, which shape and guard share; empty for rules without a setting.
fn operand(rule: &RuleKind) -> TokenStream {
    match rule {
        RuleKind::Length(length) => ends(*length),
        RuleKind::Range(range) => self::range(range),
        RuleKind::MultipleOf(divisor) => number(*divisor),
        RuleKind::Pattern { regex, .. } => matcher(regex).into_token_stream(),
        RuleKind::Format(format) => {
            let variant = Ident::new(format.variant, Span::call_site());
            quote!(__tool::Format::#variant)
        }
        RuleKind::UniqueItems | RuleKind::Inner(_) | RuleKind::Custom(_) => TokenStream::new(),
    }
}

/// Emits the condition of one rule; `place` is an expression of type `&Ty`.
pub(super) fn condition(rule: &Rule, ty: &TokenStream, place: &TokenStream) -> TokenStream {
    let (test, operand) = (test(&rule.kind, ty), operand(&rule.kind));
    match &rule.kind {
        RuleKind::Range(_) => quote!(#test(#place, &#operand)),
        RuleKind::UniqueItems => quote!(#test(#place)),
        RuleKind::Inner(rules) => {
            // rustc checks the call separately from the method. With the exact span of the type, its two errors are equal, and only one is
            // shown.
            let span = ty.span();
            let (item_type, item) = (item(ty), quote_spanned!(span=> item));
            let conditions: Vec<_> = rules.iter().map(|rule| condition(rule, &item_type, &item)).collect();
            let conditions = conjunction(&conditions);
            quote_spanned!(span=> <#ty as __tool::HasItems>::all_items(#place, |#item| { #conditions }))
        }
        RuleKind::Custom(path) => {
            let verdict = verdict(path);
            quote!({ let __value: &#ty = #place; #verdict.is_ok() })
        }
        _ => quote!(#test(#place, #operand)),
    }
}

/// Joins conditions with `&&`.
pub(crate) fn conjunction(conditions: &[TokenStream]) -> TokenStream {
    if conditions.is_empty() { quote!(true) } else { quote!(#(#conditions)&&*) }
}

/// Emits a call of a user's rule on `__value`. (A user's function may be named `value`.) Shape and guard contain the same tokens, so that a
/// function of the wrong type causes one error.
fn verdict(path: &Path) -> TokenStream {
    quote_spanned!(at(path)=> { let verdict: __tool::Verdict = #path(__value); verdict })
}

/// Emits the path of the method that checks a typed value, which shape and guard share.
fn test(rule: &RuleKind, ty: &TokenStream) -> TokenStream {
    let (accepts, method) = match rule {
        RuleKind::Length(_) => ("HasLength", "is_within"),
        RuleKind::Range(_) => ("AcceptsRange", "in_range"),
        RuleKind::MultipleOf(_) => ("AcceptsMultipleOf", "is_multiple_of"),
        RuleKind::Pattern { .. } => ("AcceptsPattern", "matches"),
        RuleKind::Format(_) => ("AcceptsFormat", "is_format"),
        RuleKind::UniqueItems => ("AcceptsUniqueItems", "is_unique"),
        RuleKind::Inner(_) => ("HasItems", "all_items"),
        // A custom rule is called directly.
        RuleKind::Custom(_) => return TokenStream::new(),
    };
    let span = at(ty);
    let (accepts, method) = (Ident::new(accepts, span), Ident::new(method, span));
    quote_spanned!(span=> <#ty as __tool::#accepts>::#method)
}

/// Emits the item type, to which `inner(…)` applies.
pub(super) fn item(ty: &TokenStream) -> TokenStream {
    quote_spanned!(ty.span()=> <#ty as __tool::HasItems>::Item)
}

/// Emits the bounds as a `__tool::Range`.
pub(super) fn range(range: &Range) -> TokenStream {
    let ends = [
        ("min", range.min),
        ("max", range.max),
        ("exclusive_min", range.exclusive_min),
        ("exclusive_max", range.exclusive_max),
    ];
    let ends = ends.into_iter().filter_map(|(name, end)| {
        let name = Ident::new(name, Span::call_site());
        let end = option(Some(number(end?)));
        Some(quote!(#name: #end,))
    });
    quote!(__tool::Range { #(#ends)* ..__tool::Range::UNBOUNDED })
}

/// Emits a function for each pattern among the rules. Each compiles its pattern once.
pub(crate) fn matchers<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> TokenStream {
    fn collect<'r>(rule: &'r Rule, found: &mut BTreeMap<&'r str, Span>) {
        match &rule.kind {
            RuleKind::Pattern { regex, .. } => {
                found.entry(regex).or_insert(rule.span);
            }
            RuleKind::Inner(rules) => rules.iter().for_each(|rule| collect(rule, found)),
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    rules.into_iter().for_each(|rule| collect(rule, &mut found));
    let functions = found.into_iter().map(|(regex, span)| {
        let name = matcher(regex);
        // An error here (if the feature `pattern` is off) points at the rule.
        quote_spanned! {Span::call_site().located_at(span)=>
            fn #name(text: &str) -> bool {
                static REGEX: __tool::Regex = __tool::Regex::new(#regex);
                REGEX.is_match(text)
            }
        }
    });
    quote!(#(#functions)*)
}

/// Returns the name of the function that matches a pattern.
fn matcher(regex: &str) -> Ident {
    let mut hasher = DefaultHasher::new();
    regex.hash(&mut hasher);
    format_ident!("matches_{:x}", hasher.finish())
}

/// Returns the conditions of one field; `place` is an expression of type `&Ty`.
pub(super) fn of_field(field: &Field, place: &TokenStream) -> Vec<TokenStream> {
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
