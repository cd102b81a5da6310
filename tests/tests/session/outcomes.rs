//! Answers to single calls: text, data, id.

use serde_json::{Value, json};
use tool_runtime::ToolError;
use tool_runtime::Toolbox;
use tool_runtime::tool::{Answer, CallError, Payload};
use tool_schema::shape::Text;

use super::tools::{Hand, call, future, rejection, session, sync};

fn check(answer: fn() -> Answer, text: &str, value: &Value) {
    for tool in [sync("tool", move |_| answer()), future("tool", move || async move { answer() })] {
        let outcome = call(&session(tool), "tool", "{}");
        assert_eq!((outcome.to_text().as_ref(), outcome.value()), (text, Some(value.clone())));
        assert_eq!((outcome.call_id(), outcome.tool_name(), outcome.is_ok()), ("call_1", "tool", true));
        assert_eq!(outcome.warnings(), [] as [Text; 0]);
    }
}

#[test]
fn a_string_is_returned_unchanged() {
    check(|| Ok(Payload::Text("say \"hi\"".to_owned())), "say \"hi\"", &json!("say \"hi\""));
}

#[test]
fn an_empty_result_is_shown_as_done() {
    check(|| Ok(Payload::Done), "done", &Value::Null);
}

#[test]
fn any_other_result_is_compact_json() {
    check(|| Payload::json(&(1, "a")), r#"[1,"a"]"#, &json!([1, "a"]));
}

#[test]
fn a_result_that_json_cannot_represent_is_malformed() {
    let unfit = std::collections::BTreeMap::from([((1, 2), 3)]);
    let outcome = call(&session(sync("tool", move |_| Payload::json(&unfit))), "tool", "{}");
    assert_eq!(rejection(&outcome)["error_type"], "malformed_response");
    assert_eq!(outcome.value(), None);
}

#[test]
fn a_deliberate_error_message_reaches_the_model() {
    let tool = sync("tool", |_| Err(CallError::Tool(ToolError::new("The account is closed."))));
    let outcome = call(&session(tool), "tool", "{}");
    assert_eq!(rejection(&outcome)["error_type"], "tool_error");
    assert!(outcome.to_text().contains("The account is closed."));
}

fn failing(show_errors: Option<bool>) -> Hand {
    let mut tool = sync("tool", |_| Err(CallError::Failed("disk 3 is full".into())));
    tool.spec.settings.show_errors = show_errors;
    tool
}

#[test]
fn any_other_error_reaches_the_model_unless_it_is_hidden() {
    let cases = [(None, true, true), (None, false, false), (Some(true), false, true), (Some(false), true, false)];
    for (tool, toolbox, shown) in cases {
        let toolbox = Toolbox::builder().tool(failing(tool)).show_errors(toolbox).build();
        let outcome = call(&toolbox.expect("the toolbox is valid").session(), "tool", "{}");
        assert_eq!(rejection(&outcome)["error_type"], "tool_error");
        assert_eq!(outcome.to_text().contains("disk 3"), shown, "{}", outcome.to_text());
    }
}

#[test]
fn a_deliberate_error_message_is_never_hidden() {
    let tool = sync("tool", |_| Err(CallError::Failed(ToolError::new("Closed on Sundays.").into())));
    let toolbox = Toolbox::builder().tool(tool).show_errors(false).build();
    let outcome = call(&toolbox.expect("the toolbox is valid").session(), "tool", "{}");
    assert!(outcome.to_text().contains("Closed on Sundays."));
}

#[test]
fn a_failure_converts_into_any_error_type() {
    // The bounds that `anyhow::Error` and `Box<dyn Error + Send + Sync>` require.
    fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(error)
    }

    let session = Toolbox::builder().build().expect("no tools").session();
    let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    let failure = outcome.result().expect_err("there is no tool");
    assert_eq!(boxed(failure).to_string(), "There is no tool 'add'.");
}
