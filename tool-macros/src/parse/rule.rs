//! The rules of `#[tool(…)]`, as they were written.
//!
//! A tool's parameters, a type's fields and `inner(…)` have the same rules, so this is the only place that reads them.

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::entry::{Entry, once};
use super::key::{Place, refuse_unknown, unknown};
use super::number::{End, Spanned};
use crate::errors::Errors;
use crate::model::Number;

/// A rule with its key.
pub(crate) struct RawRule {
    pub(crate) key: Ident,
    pub(crate) kind: RawRuleKind,
}

/// What was written behind the key.
pub(crate) enum RawRuleKind {
    Length { min: Option<End<u64>>, max: Option<End<u64>>, equal: Option<End<u64>> },
    Range(RawRange),
    MultipleOf(Spanned<Number>),
    Pattern(LitStr),
    Format(LitStr),
    UniqueItems,
    Inner(Vec<RawRule>),
    Custom(Path),
}

/// The ends of a range, as they were written.
#[derive(Default)]
pub(crate) struct RawRange {
    pub(crate) min: Option<End<Number>>,
    pub(crate) max: Option<End<Number>>,
    pub(crate) exclusive_min: Option<End<Number>>,
    pub(crate) exclusive_max: Option<End<Number>>,
}

/// Deeper `inner(inner(…))` is refused, so that reading it cannot exhaust the stack.
const DEEPEST: usize = 16;

/// Reads the entry if it is a rule; `false` if its key is none.
pub(crate) fn rules(entry: &Entry<'_, '_>, rules: &mut Vec<RawRule>, errors: &mut Errors) -> syn::Result<bool> {
    nested(entry, rules, errors, DEEPEST)
}

fn nested(entry: &Entry<'_, '_>, rules: &mut Vec<RawRule>, errors: &mut Errors, depth: usize) -> syn::Result<bool> {
    let name = entry.key.to_string();
    let kind = match name.as_str() {
        "length" => length(entry, errors)?,
        "range" => range(entry, errors)?,
        "multiple_of" => Some(RawRuleKind::MultipleOf(entry.value()?)),
        "pattern" => Some(RawRuleKind::Pattern(entry.value()?)),
        "format" => Some(RawRuleKind::Format(entry.value()?)),
        "unique_items" => Some(entry.flag().map(|_| RawRuleKind::UniqueItems)?),
        "inner" => inner(entry, errors, depth)?,
        "custom" => Some(RawRuleKind::Custom(entry.value()?)),
        _ => return Ok(false),
    };
    // Something inside was noted already.
    let Some(kind) = kind else { return Ok(true) };
    // Several functions may judge one value; every other rule has one JSON Schema keyword, which can be there once.
    if !matches!(kind, RawRuleKind::Custom(_)) && rules.iter().any(|rule| rule.key == name) {
        return Err(syn::Error::new(entry.key.span(), format!("`{name}` was already given: remove one of the two")));
    }
    rules.push(RawRule { key: entry.key.clone(), kind });
    Ok(true)
}

fn length(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    let (mut min, mut max, mut equal) = (None, None, None);
    let clean = entry.list(errors, |entry, _| match entry.key.to_string().as_str() {
        "min" => once(&mut min, entry.key, End::read(entry)?),
        "max" => once(&mut max, entry.key, End::read(entry)?),
        "equal" => once(&mut equal, entry.key, End::read(entry)?),
        other => Err(syn::Error::new(entry.key.span(), unknown(other, &["min", "max", "equal"]))),
    })?;
    Ok(clean.then_some(RawRuleKind::Length { min, max, equal }))
}

fn range(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    let mut range = RawRange::default();
    let clean = entry.list(errors, |entry, _| {
        let end = match entry.key.to_string().as_str() {
            "min" => &mut range.min,
            "max" => &mut range.max,
            "exclusive_min" => &mut range.exclusive_min,
            "exclusive_max" => &mut range.exclusive_max,
            other => {
                let known = unknown(other, &["min", "max", "exclusive_min", "exclusive_max"]);
                return Err(syn::Error::new(entry.key.span(), known));
            }
        };
        once(end, entry.key, End::read(entry)?)
    })?;
    Ok(clean.then_some(RawRuleKind::Range(range)))
}

fn inner(entry: &Entry<'_, '_>, errors: &mut Errors, depth: usize) -> syn::Result<Option<RawRuleKind>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(syn::Error::new(entry.key.span(), format!("`inner` is nested at most {DEEPEST} times")));
    };
    let mut rules = Vec::new();
    let clean = entry.list(errors, |entry, errors| {
        if nested(entry, &mut rules, errors, depth)? { Ok(()) } else { Err(refuse_unknown(entry.key, Place::Inner)) }
    })?;
    Ok(clean.then_some(RawRuleKind::Inner(rules)))
}
