//! The values of arguments that an error quotes, as in `flight HAT030 is not available on 2024-05-13`.
//!
//! In: the arguments of a call and the error of its tool. Out: sets of values, as bits of their hashes. Invariants: only whole words count,
//! and only values of four characters or more, or of three with a digit. Two values may have the same bit, so a set may seem to contain a value that it does not
//! contain, but never the other way round. An error that is nothing but a value quotes nothing. The work is bounded.

use crate::fast_hash::hash;
use crate::input::Arguments;
use crate::json::{Json, Node};

/// The maximum length of a quoted value in bytes.
const BYTES: usize = 128;
/// The maximum number of values of a call, and of bytes of an error, that are compared.
const VALUES: usize = 64;
const ERROR: usize = 2_048;

/// Returns the set of all values of a call.
pub(super) fn values_of(arguments: &Json<'_>) -> u64 {
    let mut set = 0;
    each_value(arguments, &mut |value| set |= bit(value));
    set
}

/// Returns the set of those values of a call that its error quotes.
pub(super) fn values_quoted_in(error: &str, arguments: &[u8]) -> u64 {
    let arguments = Arguments::from(arguments);
    let Ok(tree) = arguments.to_json() else { return 0 };
    let end = (0..=ERROR.min(error.len())).rev().find(|&end| error.is_char_boundary(end)).unwrap_or_default();
    let error = &error[..end];
    let (mut set, mut left) = (0, VALUES);
    each_value(&tree, &mut |value| {
        if left > 0 && may_be_quoted(value) && value != error && quotes(error, value) {
            set |= bit(value);
        }
        left = left.saturating_sub(1);
    });
    set
}

fn each_value(json: &Json<'_>, visit: &mut dyn FnMut(&str)) {
    match &json.node {
        Node::String(text) | Node::Number(text) => visit(text),
        Node::Array(items) => items.iter().for_each(|item| each_value(item, visit)),
        Node::Object(members) => members.iter().for_each(|member| each_value(&member.value, visit)),
        Node::Null | Node::Bool(_) => {}
    }
}

/// Returns `true` if a value is long enough not to occur in an error by chance.
fn may_be_quoted(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    value.len() <= BYTES && value.len() >= if has_digit { 3 } else { 4 }
}

/// Returns `true` if a text contains a value between characters that are not a part of a word.
fn quotes(text: &str, value: &str) -> bool {
    let is_apart = |character: Option<char>| !character.is_some_and(char::is_alphanumeric);
    text.match_indices(value)
        .any(|(at, _)| is_apart(text[..at].chars().next_back()) && is_apart(text[at + value.len()..].chars().next()))
}

fn bit(value: &str) -> u64 {
    1 << (hash(value.as_bytes()) % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(error: &str, failed: &str, next: &str) -> bool {
        values_quoted_in(error, failed.as_bytes()) & !values_of(&Json::parse(next).expect("valid JSON")) != 0
    }

    #[test]
    fn a_call_without_a_quoted_value_is_another_question() {
        let error = "Error: flight HAT030 not available on date 2024-05-13";
        let failed = r#"{"flights": [{"number": "HAT030", "date": "2024-05-13"}], "cabin": "economy"}"#;
        assert!(lacks(
            error,
            failed,
            r#"{"flights": [{"number": "HAT030", "date": "2024-05-14"}], "cabin": "economy"}"#
        ));
        assert!(lacks(
            error,
            failed,
            r#"{"flights": [{"number": "HAT223", "date": "2024-05-13"}], "cabin": "economy"}"#
        ));
        assert!(!lacks(
            error,
            failed,
            r#"{"flights": [{"number": "HAT030", "date": "2024-05-13"}], "cabin": "business"}"#
        ));
    }

    /// A question that is only asked in another way waits for the end of the pause.
    #[test]
    fn another_spelling_of_the_other_values_is_the_same_question() {
        let failed = r#"{"order": 4711, "note": "soon", "lines": [{"sku": "AB-1"}]}"#;
        for (error, next, is_other) in [
            ("order 4711 is closed", r#"{"order": "4711"}"#, false),
            ("order 4711 is closed", r#"{"note": "later", "order": 4711}"#, false),
            ("order #4711: closed", r#"{"order": 4712}"#, true),
            ("AB-1 is sold out", r#"{"lines": [{"sku": "AB-1"}, {"sku": "AB-2"}]}"#, false),
            ("AB-1 is sold out", r#"{"lines": [{"sku": "AB-2"}]}"#, true),
            ("'AB-1' is sold out", r#"{"lines": []}"#, true),
            ("AB-12 is sold out", r#"{"lines": []}"#, false),
            ("order 47110 is closed", r#"{"order": 1}"#, false),
            ("the service is down", r#"{"order": 1}"#, false),
            ("not sooner", r#"{"order": 1}"#, false),
        ] {
            assert_eq!(lacks(error, failed, next), is_other, "{error}, then {next}");
        }
    }

    #[test]
    fn only_whole_values_of_some_length_are_quoted() {
        assert_eq!(values_quoted_in("no room 12", br#"{"room": 12}"#), 0);
        assert_eq!(
            values_quoted_in("no file a.textile", br#"{"path": "text"}"#)
                & !values_of(&Json::parse(r#"["text"]"#).expect("JSON")),
            0
        );
        assert_eq!(values_quoted_in("there is a problem", br#"{"word": "blem"}"#), 0);
        assert_eq!(values_quoted_in("true is not allowed", br#"{"flag": true}"#), 0);
        assert_eq!(values_quoted_in("No.", b"not JSON"), 0);
        assert_ne!(values_quoted_in("order 4711 is closed", br#"{"order": 4711}"#), 0);
    }
}
