//! The budget to the byte: a text that fits is shown whole, and one byte more is truncated, in every form and also with escalation.

use serde::Deserialize;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{ToolInput, Toolbox, TypedTool, tool};
use tool_schema::check::check;
use tool_schema::feedback::{annotated_arguments, markdown};
use tool_schema::json::Json;
use tool_schema::shape::Shape;

const BUDGET: usize = 4_096;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // The decoded values are not read.
struct Entry {
    /// Who writes.
    #[tool(length(min = 2))]
    user: String,
    /// What proves it.
    #[tool(sensitive)]
    password: String,
    /// What is written.
    note: String,
}

/// Writes into the diary.
#[tool]
fn write_entry(
    /// What is written, and by whom.
    entry: Entry,
) {
    drop(entry);
}

/// Returns a rejected call with a note of this many bytes.
fn call(note: usize) -> String {
    format!(r#"{{"entry": {{"user": "a", "password": "hunter2", "note": "{}"}}}}"#, "x".repeat(note))
}

/// Tests lengths around the limit: up to it every byte of the note is shown, beyond it the note is truncated.
fn walk(what: &str, told: impl Fn(&str) -> String) {
    let empty = told(&call(0)).len();
    let room = BUDGET.checked_sub(empty).expect("the rest is short");
    for note in room - 4..=room {
        assert_eq!(told(&call(note)).len(), empty + note, "{what}: all of it fits");
    }
    for note in room + 1..room + 6 {
        let text = told(&call(note));
        assert!(text.len() < BUDGET, "{what}: {} bytes", text.len());
        assert!(text.contains("x…\""), "{what}: the note is truncated: {text}");
    }
}

#[test]
fn both_renderings_use_their_budget_to_the_last_byte() {
    let rendered = |render: fn(&Shape, &Json<'_>) -> String| {
        move |arguments: &str| {
            let shape = WriteEntryTool::SPEC.input.shape();
            render(&shape, &Json::parse(arguments).expect("it is JSON"))
        }
    };
    walk("marked up", rendered(|shape, json| annotated_arguments(shape, json, &check(shape, json))));
    walk("markdown", rendered(|shape, json| markdown("write_entry", shape, json, &check(shape, json))));
}

#[test]
fn a_first_and_a_second_rejection_use_their_budget_to_the_last_byte() {
    let builder = Toolbox::builder().tool(WriteEntryTool).feedback(FeedbackForm::Markdown);
    let toolbox = builder.build().expect("one tool has no clashes");
    for times in 1..=2 {
        walk(&format!("time {times}"), |arguments| {
            let session = toolbox.session();
            let told = || pollster::block_on(session.call("call_1", "write_entry", arguments));
            (1..times).for_each(|_| drop(told()));
            told().to_text().into_owned()
        });
    }
}
