//! Checks the literals of defaults and examples against the rules of the same attribute.
//!
//! The `const` verification of the runtime checks a literal against its type, enum or nested rules. The rules of the same attribute are
//! checked here, so that the error appears at the literal even for generic types.

use crate::errors::Errors;
use crate::model::{Length, Literal, Number, Range, Rule, RuleKind, Value};

/// Notes an error on a literal that breaks one of the rules.
pub(crate) fn check(literal: &Literal, rules: &[Rule], errors: &mut Errors) {
    for rule in rules {
        if let Some(fault) = fault(literal, &rule.kind) {
            errors.at(literal.span, format!("{literal} does not satisfy `{}` of this field: {fault}", rule.kind.key()));
        }
        if let (RuleKind::Inner(rules), Value::Array(items)) = (&rule.kind, &literal.value) {
            for item in items {
                check(item, rules, errors);
            }
        }
    }
}

/// Returns the issue if the literal breaks the rule. A rule ignores values of JSON types to which it does not apply.
fn fault(literal: &Literal, rule: &RuleKind) -> Option<String> {
    match (rule, &literal.value) {
        (RuleKind::Length(length), Value::String(text)) => outside(*length, text.chars().count(), "characters"),
        (RuleKind::Length(length), Value::Array(items)) => outside(*length, items.len(), "items"),
        (RuleKind::Length(length), Value::Object(members)) => outside(*length, members.len(), "members"),
        (RuleKind::Range(range), Value::Number(number)) => beyond(*range, *number),
        (RuleKind::MultipleOf(Number::Integer(divisor)), Value::Number(Number::Integer(number))) => {
            (number % divisor != 0).then(|| format!("write a multiple of {divisor}"))
        }
        _ => None,
    }
}

fn outside(length: Length, actual: usize, unit: &str) -> Option<String> {
    let actual = u64::try_from(actual).unwrap_or(u64::MAX);
    match length {
        Length { min, .. } if actual < min => Some(format!("write at least {min} {unit}")),
        Length { max: Some(max), .. } if actual > max => Some(format!("write at most {max} {unit}")),
        Length { .. } => None,
    }
}

fn beyond(range: Range, number: Number) -> Option<String> {
    let Range { min, max, exclusive_min, exclusive_max } = range;
    let ends = [
        (min.filter(|min| number < *min), "of at least"),
        (exclusive_min.filter(|min| number <= *min), "above"),
        (max.filter(|max| number > *max), "of at most"),
        (exclusive_max.filter(|max| number >= *max), "below"),
    ];
    ends.into_iter().find_map(|(end, word)| end.map(|end| format!("write a number {word} {end}")))
}
