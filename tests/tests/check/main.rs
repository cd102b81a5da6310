//! What the checker finds, by hand-built shapes: which issues, where, in which order, in which words.

mod wire;

use tool_runtime::check::{accepts, check};
use tool_runtime::issue::Issues;
use tool_runtime::json::Json;
use tool_runtime::shape::{Kind, Precision, Shape};

const STRING: &Shape = &Shape::of(Kind::String);
const BOOLEAN: &Shape = &Shape::of(Kind::Boolean);
const INTEGER: &Shape = &Shape::of(Kind::Integer);
const NUMBER: &Shape = &Shape::of(Kind::Number(Precision::Double));

/// The issues of a text; asserts that `accepts` agrees.
fn issues(shape: &Shape, text: &str) -> Issues {
    let json = Json::parse(text).expect(text);
    let issues = check(shape, &json);
    assert_eq!(accepts(shape, &json), issues.is_empty(), "accepts and check disagree about {text}");
    issues
}

/// What is said of a text, one message an issue.
fn messages(shape: &Shape, text: &str) -> Vec<String> {
    issues(shape, text).iter().map(|issue| issue.message()).collect()
}

/// Each line: a text and what is said of it, joined by `; `; nothing where it is acceptable.
fn table(shape: &Shape, lines: &[(&str, &str)]) {
    for (text, said) in lines {
        assert_eq!(messages(shape, text).join("; "), *said, "{text}");
    }
}
