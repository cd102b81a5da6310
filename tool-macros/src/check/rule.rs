//! Checks rules: bounds must be in order, ranges must not be empty, patterns must compile, and formats must exist.
//!
//! A rule with a mistake is left out, so `emit` can rely on all remaining rules.

use proc_macro2::{Ident, Span};
use syn::LitStr;

use super::pattern;
use crate::errors::Errors;
use crate::model::{FORMATS, Format, Length, Number, Range, Rule, RuleKind};
use crate::parse::{End, RawRange, RawRule, RawRuleKind, Spanned, unknown};

/// Checks each rule on its own.
pub(crate) fn rules(raw: Vec<RawRule>, errors: &mut Errors) -> Vec<Rule> {
    raw.into_iter().filter_map(|rule| self::rule(rule, errors)).collect()
}

fn rule(RawRule { key, kind }: RawRule, errors: &mut Errors) -> Option<Rule> {
    let span = key.span();
    let kind = match kind {
        RawRuleKind::Length { min, max, equal } => length(&key, [min, max, equal], errors).map(RuleKind::Length),
        RawRuleKind::Range(raw) => range(&key, &raw, errors).map(RuleKind::Range),
        RawRuleKind::MultipleOf(Spanned { value, span }) => {
            if value > Number::Integer(0) {
                Some(RuleKind::MultipleOf(value))
            } else {
                errors.at(span, "`multiple_of` takes a number above zero: write one, such as `multiple_of = 5`");
                None
            }
        }
        RawRuleKind::Pattern(source) => errors.ok(translated(&source)),
        RawRuleKind::Format(name) => errors.ok(format(&name)).map(RuleKind::Format),
        RawRuleKind::UniqueItems => Some(RuleKind::UniqueItems),
        RawRuleKind::Inner(raw) if raw.is_empty() => {
            errors.at(span, "`inner()` is empty: write a rule for the items, or remove it");
            None
        }
        RawRuleKind::Inner(raw) => Some(RuleKind::Inner(rules(raw, errors))),
        RawRuleKind::Custom(path) => Some(RuleKind::Custom(path)),
    }?;
    Some(Rule { kind, span })
}

fn length(key: &Ident, ends: [Option<End<u64>>; 3], errors: &mut Errors) -> Option<Length> {
    match ends {
        [None, None, Some(equal)] => Some(Length { min: equal.value, max: Some(equal.value) }),
        [_, _, Some(equal)] => {
            errors.at(
                equal.key,
                format!("`equal` takes the place of `min` and `max`: write `length(equal = {})` alone", equal.value),
            );
            None
        }
        [None, None, None] => {
            errors.at(key.span(), "`length()` is empty: write `length(min = …)`, `length(max = …)` or both");
            None
        }
        [Some(min), Some(max), None] if min.value > max.value => {
            errors.at(
                min.span,
                format!("`min` is above `max`: write `length(min = {}, max = {})`", max.value, min.value),
            );
            None
        }
        [Some(min), None, None] if min.value == 0 => {
            errors.at(min.span, "`min = 0` has no effect, because every length is at least 0: remove it");
            None
        }
        [min, max, None] => Some(Length { min: min.map_or(0, |end| end.value), max: max.map(|end| end.value) }),
    }
}

fn range(key: &Ident, raw: &RawRange, errors: &mut Errors) -> Option<Range> {
    for (inclusive, exclusive, [name, exclusive_name]) in
        [(raw.min, raw.exclusive_min, ["min", "exclusive_min"]), (raw.max, raw.exclusive_max, ["max", "exclusive_max"])]
    {
        if let (Some(_), Some(exclusive)) = (inclusive, exclusive) {
            errors
                .at(exclusive.key, format!("`{name}` and `{exclusive_name}` set the same bound: write one of the two"));
            return None;
        }
    }
    let (Some(lowest), Some(highest)) = (raw.min.or(raw.exclusive_min), raw.max.or(raw.exclusive_max)) else {
        if raw.min.or(raw.exclusive_min).or(raw.max).or(raw.exclusive_max).is_none() {
            errors.at(key.span(), "`range()` is empty: write `range(min = …)`, `range(max = …)` or both");
            return None;
        }
        return Some(checked(raw));
    };
    let touching = raw.exclusive_min.is_some() || raw.exclusive_max.is_some();
    if lowest.value > highest.value || (touching && lowest.value == highest.value) {
        let (low, high) = (lowest.value, highest.value);
        errors.at(
            lowest.span,
            format!("no number lies between {low} and {high}: write `range(min = {high}, max = {low})`"),
        );
        return None;
    }
    Some(checked(raw))
}

fn checked(raw: &RawRange) -> Range {
    let value = |end: Option<End<Number>>| end.map(|end| end.value);
    Range {
        min: value(raw.min),
        max: value(raw.max),
        exclusive_min: value(raw.exclusive_min),
        exclusive_max: value(raw.exclusive_max),
    }
}

fn translated(source: &LitStr) -> syn::Result<RuleKind> {
    let regex = pattern::translate(&source.value()).map_err(|error| syn::Error::new(source.span(), error.message))?;
    // `translate` has limited the size of the pattern, which also limits the time that this takes.
    let sample = jsonschema_regex::pattern_witness(&source.value()).unwrap_or_default();
    Ok(RuleKind::Pattern { source: source.value(), regex, sample })
}

fn format(name: &LitStr) -> syn::Result<Format> {
    let text = name.value();
    FORMATS.iter().find(|format| format.name == text).copied().ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        syn::Error::new(name.span(), unknown(&text, &known))
    })
}

/// Notes an error on each rule for which `reason` returns a message.
pub(crate) fn reject(rules: &[Rule], errors: &mut Errors, reason: impl Fn(&'static str) -> Option<String>) {
    for rule in rules {
        if let Some(message) = reason(rule.kind.key()) {
            errors.at(rule.span, message);
        }
    }
}

/// Notes an error at each setting that has a span, which means that it was given.
pub(crate) fn reject_settings<'k>(
    settings: impl IntoIterator<Item = (Option<Span>, &'k str)>,
    errors: &mut Errors,
    reason: impl Fn(&str) -> String,
) {
    for (span, key) in settings {
        if let Some(span) = span {
            errors.at(span, reason(key));
        }
    }
}
