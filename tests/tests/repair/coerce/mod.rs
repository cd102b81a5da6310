//! Coercion: values that are repaired, values that are not, and the use of both in a session.

mod absent_words;
mod booleans;
mod certain;
mod field_reports;
mod guide;
mod letters;
mod lists;
mod misspelt;
mod never;
mod policies;
mod properties;
mod rules;
mod secrets;
mod session;
mod work;

use tests::private::repair::{Coerced, coerce};
use tool_runtime::RepairPolicy;
use tool_schema::json::Json;
use tool_schema::shape::Shape;

/// Returns the result of coercing a text.
fn coerced(shape: &Shape, sent: &str, policy: RepairPolicy) -> Coerced<'static> {
    let sent = Json::parse(sent).unwrap_or_else(|error| panic!("{sent} is JSON: {error}"));
    coerce(shape, sent.into_owned(), policy)
}

/// Asserts that a value is repaired to another one by these rules at these paths, and is then valid.
fn read(shape: &Shape, sent: &str, expected: &str, lines: &[(&str, &str)]) {
    let coerced = coerced(shape, sent, RepairPolicy::Lossless);
    assert_eq!(coerced.value.to_text(), expected, "of {sent}");
    let ledger: Vec<_> = coerced.repairs.iter().map(|line| (line.path.to_string(), line.rule.name())).collect();
    let lines: Vec<_> = lines.iter().map(|(path, rule)| ((*path).to_owned(), *rule)).collect();
    assert_eq!(ledger, lines, "of {sent}");
    assert!(coerced.issues.is_empty(), "of {sent}: {:?}", coerced.issues);
}

/// Asserts that an invalid value is left unchanged.
fn left(shape: &Shape, sent: &str) {
    let coerced = coerced(shape, sent, RepairPolicy::Lossless);
    let same = Json::parse(sent).is_ok_and(|json| json == coerced.value);
    assert!(same && coerced.repairs.is_empty(), "{sent} was read as {}", coerced.value.to_text());
    assert!(!coerced.issues.is_empty(), "{sent} is acceptable");
}
