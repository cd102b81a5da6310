//! Coercion: what is read otherwise than it was written, what never is, and that the session does no more than that.

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

/// What is made of a text.
fn coerced(shape: &Shape, sent: &str, policy: RepairPolicy) -> Coerced<'static> {
    let sent = Json::parse(sent).unwrap_or_else(|error| panic!("{sent} is JSON: {error}"));
    coerce(shape, sent.into_owned(), policy)
}

/// A value is read as another, by these rules at these places, and acceptable then.
fn read(shape: &Shape, sent: &str, expected: &str, lines: &[(&str, &str)]) {
    let coerced = coerced(shape, sent, RepairPolicy::Lossless);
    assert_eq!(coerced.value.to_text(), expected, "of {sent}");
    let ledger: Vec<_> = coerced.repairs.iter().map(|line| (line.path.to_string(), line.rule.name())).collect();
    let lines: Vec<_> = lines.iter().map(|(path, rule)| ((*path).to_owned(), *rule)).collect();
    assert_eq!(ledger, lines, "of {sent}");
    assert!(coerced.issues.is_empty(), "of {sent}: {:?}", coerced.issues);
}

/// A value that the checker refuses is left as it is.
fn left(shape: &Shape, sent: &str) {
    let coerced = coerced(shape, sent, RepairPolicy::Lossless);
    let same = Json::parse(sent).is_ok_and(|json| json == coerced.value);
    assert!(same && coerced.repairs.is_empty(), "{sent} was read as {}", coerced.value.to_text());
    assert!(!coerced.issues.is_empty(), "{sent} is acceptable");
}
