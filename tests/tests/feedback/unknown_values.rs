//! The values of unknown fields: the corrected call does not contain them, so the sentence does.

use pollster::block_on;
use tool_runtime::{Toolbox, tool};

/// Books a table.
#[tool]
fn book(
    /// Name of the guest.
    name: String,
    /// Number of seats.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
) -> String {
    format!("{seats} seats for {name}")
}

/// Opens a door.
#[tool]
fn unlock(
    /// Number of the door.
    door: u8,
    /// The code that opens it.
    #[tool(sensitive)]
    code: String,
) -> String {
    format!("{door}, {} digits", code.len())
}

/// Returns the first line of the answer.
fn message(tool: &str, arguments: &str) -> String {
    let session = Toolbox::builder().tool(BookTool).tool(UnlockTool).build().expect("the tools are valid").session();
    let text = block_on(session.call("call_1", tool, arguments)).into_text();
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_sentence_has_the_values_that_the_corrected_call_lacks() {
    assert_eq!(
        message("book", r#"{"guest": "Ada", "people": 6, "seats": 9}"#),
        "book was not run: name is required; guest (\"Ada\") is not a known field (known: name, seats); people (6) is not a known field; seats \
         must be at most 8."
    );
}

#[test]
fn only_a_short_value_that_can_be_shown_exactly_is_in_the_sentence() {
    let known = " is not a known field (known: name, seats).";
    for (sent, shown) in [
        (r#"{"a": 1}"#.to_owned(), r#" ({"a":1})"#.to_owned()),
        (r#""x\u200b""#.to_owned(), r#" ("x\u200b")"#.to_owned()),
        (format!("{:?}", "x".repeat(56)), format!(" ({:?})", "x".repeat(56))),
        (format!("{:?}", "x".repeat(57)), String::new()),
        (r#""two  spaces""#.to_owned(), String::new()),
    ] {
        let text = message("book", &format!(r#"{{"name": "Ada", "seats": 2, "day": {sent}}}"#));
        assert_eq!(text, format!("book was not run: day{shown}{known}"));
    }
}

#[test]
fn a_value_that_may_be_a_secret_is_not_in_the_sentence() {
    let text = message("unlock", r#"{"door": 1, "password": "1234"}"#);
    assert!(text.contains("is not a known field") && !text.contains("1234"), "{text}");
}

#[test]
fn every_kind_of_value_is_repeated_as_it_was_sent() {
    for (sent, shown) in [
        ("null", "null"),
        ("true", "true"),
        ("1e400", "1e400"),
        ("-0.50", "-0.50"),
        (r#""""#, r#""""#),
        (r#""a) is a known field; b (""#, r#""a) is a known field; b (""#),
        (r#""é \"q\"""#, r#""é \"q\"""#),
        (r#""a\nb""#, r#""a\nb""#),
        ("[1, [2]]", "[1,[2]]"),
    ] {
        let text = message("book", &format!(r#"{{"name": "Ada", "seats": 2, "day": {sent}}}"#));
        assert_eq!(text, format!("book was not run: day ({shown}) is not a known field (known: name, seats)."));
    }
}
