//! The text after a marked line, such as `integer from 1 to 14` or `one of "celsius", "fahrenheit" (did you mean "celsius"?)` (see
//! `docs/wire.md`).
//!
//! The texts of expectations and constraints come from the issue; this module chooses which of them to show. Invariant: the text is one
//! bounded line and contains no part of the value.

use crate::bounded;
use crate::hint::text_to_send;
use crate::issue::{Constraint, Issue, to_escaped_text};
use crate::json::{JsonType, write_visible};

/// The maximum number of bytes for the text of one issue.
const FAULT: usize = 240;
const DESCRIPTION: usize = 120;
/// The maximum number of variants listed.
const VARIANTS: usize = 5;
const VARIANT: usize = 80;

/// Returns the text for an issue of the value on the line.
pub(super) fn issue_text(issue: &Issue, renamed: Option<&Issue>, nearest: Option<&str>) -> String {
    let words = match &issue.constraint {
        Constraint::Required => return required_text(issue),
        Constraint::UnknownField { .. } if renamed.is_some() || issue.suggestion.is_some() => {
            "not a known field".to_owned()
        }
        Constraint::UnknownField { .. }
        | Constraint::Wrapper { .. }
        | Constraint::RepeatedField { .. }
        | Constraint::Discriminator { is_key: true, .. } => {
            without_verb(&to_escaped_text(&issue.constraint)).to_owned()
        }
        Constraint::Type(types)
            if issue.got.json_type == Some(JsonType::Integer) && types.contains(&JsonType::Integer) =>
        {
            format!("{} in plain digits", to_escaped_text(&*issue.expected))
        }
        Constraint::UniqueItems { first, second } => {
            format!("{}, but [{second}] repeats [{first}]", to_escaped_text(&*issue.expected))
        }
        Constraint::AnyOf { variants } => forms(variants.iter().map(|variant| &**variant), nearest),
        Constraint::Custom(_) => custom_rule_text(issue),
        _ => expectation(issue),
    };
    let words = bounded::sentence(&words, FAULT).into_owned();
    let meant = renamed.and_then(|missing| missing.path.last_key()).or(issue.suggestion.as_deref());
    let meant = meant.or_else(|| text_to_send(issue).filter(|text| bounded::is_short_printable_ascii(text)));
    match meant {
        Some(name) => format!("{words} (did you mean {}?)", quote_name(name)),
        None => words,
    }
}

/// Returns, for example, `required: string of 1 to 80 characters — City and country`.
fn required_text(issue: &Issue) -> String {
    if let Some(field) = &issue.inside {
        return format!("required: its markup is inside {}", quote_name(field));
    }
    let words = format!("required: {}", to_escaped_text(&*issue.expected));
    let description = bounded::description(&issue.description, DESCRIPTION);
    let words = bounded::sentence(&words, FAULT);
    if description.is_empty() { words.into_owned() } else { format!("{words} — {description}") }
}

/// Returns the expectation, or the violated constraint if there is no expectation.
pub(super) fn expectation(issue: &Issue) -> String {
    let expected = to_escaped_text(&*issue.expected);
    let words =
        if expected.is_empty() || expected == "nothing" { to_escaped_text(&issue.constraint) } else { expected };
    bounded::sentence(without_verb(&words), FAULT).into_owned()
}

/// Returns the author's text of a custom rule, with the expectation if the text does not contain it.
fn custom_rule_text(issue: &Issue) -> String {
    let finding = to_escaped_text(&issue.constraint);
    match &issue.expected.text {
        Some(words) if !finding.contains(&**words) => format!("{}; expected {words}", finding.trim_end_matches('.')),
        _ => finding,
    }
}

/// Returns `one of: object with city; object with latitude, longitude (nearest: object with city)`, with at most five variants.
pub(super) fn forms<'v>(variants: impl ExactSizeIterator<Item = &'v str>, nearest: Option<&str>) -> String {
    let more = variants.len().saturating_sub(VARIANTS);
    let shown: Vec<_> = variants.take(VARIANTS).map(|variant| bounded::sentence(variant, VARIANT)).collect();
    let rest = if more > 0 { format!("; … and {more} more") } else { String::new() };
    let nearest = nearest.map(|nearest| format!(" (nearest: {})", bounded::sentence(nearest, VARIANT)));
    format!("one of: {}{rest}{}", shown.join("; "), nearest.unwrap_or_default())
}

/// Shortens a finding to a remark: `is not a known field` → `not a known field`.
fn without_verb(finding: &str) -> &str {
    finding.strip_prefix("is ").or_else(|| finding.strip_prefix("must be ")).unwrap_or(finding)
}

pub(super) fn quote_name(name: &str) -> String {
    let mut text = String::new();
    write_visible(&mut text, &bounded::truncated_name(name));
    text
}
