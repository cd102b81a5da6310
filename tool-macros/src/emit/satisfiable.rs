//! Emits one `const` item for each rule that the compiler can compare with the type. The item checks that at least one value of the type
//! satisfies the rule.
//!
//! An error points at the rule. Invariant: every name in these items also occurs in the shape or its rules, with the same tokens, so that a
//! faulty type causes no further errors.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;

use super::literal::{ends, number};
use super::rule::{item, range};
use crate::model::{Range, Rule, RuleKind};

/// Emits the items for the rules of one value. `shape` is an expression of type `&'static Shape`, and `ty` is the type to which the rules
/// apply.
pub(super) fn satisfiable(rules: &[Rule], shape: &TokenStream, ty: &TokenStream) -> Vec<TokenStream> {
    let asked = rules.iter().find_map(|rule| if let RuleKind::Range(range) = rule.kind { Some(range) } else { None });
    let asked = range(&asked.unwrap_or(Range::default()));
    let of_rule = |rule: &Rule| {
        let span = Span::call_site().located_at(rule.span);
        let judged = match &rule.kind {
            RuleKind::Length(length) => {
                let ends = ends(*length);
                quote_spanned!(span=> __tool::assert_satisfiable_length(#shape, #ends))
            }
            RuleKind::Range(_) => quote_spanned!(span=> __tool::assert_satisfiable_range(#shape, &#asked)),
            RuleKind::MultipleOf(divisor) => {
                let divisor = number(*divisor);
                quote_spanned!(span=> __tool::assert_satisfiable_multiple(#shape, &#asked, #divisor))
            }
            RuleKind::Inner(rules) => {
                let item = item(ty);
                let shape = quote_spanned!(ty.span()=> <#item as __tool::ToolInput>::SHAPE);
                return satisfiable(rules, &shape, &item);
            }
            RuleKind::Pattern { .. } | RuleKind::Format(_) | RuleKind::UniqueItems | RuleKind::Custom(_) => {
                return Vec::new();
            }
        };
        vec![quote_spanned!(span=> const _: () = #judged;)]
    };
    rules.iter().flat_map(of_rule).collect()
}
