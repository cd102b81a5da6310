//! Tests of the scripted model itself.

use std::time::Duration;

use tool_chat::model::{
    ChatModel, Message, ModelError, ModelErrorKind, Options, Request, Response, ScriptedModel, StopReason, ToolCall,
    Usage,
};
use tool_runtime::clock::SimulatedClock;
use tool_schema::dialect::Definitions;

use super::tools::run;

/// Returns the model's answer to one message of the user.
async fn said(model: &ScriptedModel, message: &str) -> Result<Response, ModelError> {
    let (messages, tools, options) = ([Message::User(message.to_owned())], Definitions::default(), Options::default());
    model.complete(Request::new(&messages, &tools, &options)).await
}

fn say(model: &ScriptedModel, message: &str) -> Result<Response, ModelError> {
    pollster::block_on(said(model, message))
}

#[test]
fn answers_come_in_the_order_of_the_script() {
    let cut = Response::from_text("It is no").with_stop(StopReason::Length);
    let model = ScriptedModel::new().text("Noon.").call("now", "{}").answer(cut.clone());
    assert_eq!(model.remaining(), 3);
    assert_eq!(say(&model, "1"), Ok(Response::from_text("Noon.")));
    assert_eq!(say(&model, "2"), Ok(Response::from_calls([ToolCall::new("call_1", "now", "{}")])));
    assert_eq!(say(&model, "3"), Ok(cut));
    assert_eq!(model.remaining(), 0);
}

#[test]
fn every_call_of_a_script_has_its_own_id() {
    let model = ScriptedModel::new().calls([("now", "{}"), ("now", "{}")]).call("now", "{}");
    let ids = |response: Response| response.calls.into_iter().map(|call| call.id).collect::<Vec<_>>();
    assert_eq!(say(&model, "1").map(ids), Ok(vec!["call_1".to_owned(), "call_2".to_owned()]));
    assert_eq!(say(&model, "2").map(ids), Ok(vec!["call_3".to_owned()]));
}

#[test]
fn usage_and_delay_belong_to_the_previous_answer() {
    let clock = SimulatedClock::new();
    let cost = Usage::new(12, 3);
    let model = ScriptedModel::new().clock(clock.clone()).text("Noon.");
    let model = model.text("Two.").usage(cost).last_answer_delay(Duration::from_secs(2)).text("Late.");
    let told = [1, 2, 3].map(|_| {
        let response = run(&clock, said(&model, "What time is it?")).expect("the script has no error");
        (response.usage.total(), tool_runtime::clock::Clock::now(&clock))
    });
    assert_eq!(told, [(0, 0), (15, 2), (0, 2)].map(|(total, seconds)| (total, Duration::from_secs(seconds))));
}

#[test]
fn an_error_is_returned_once() {
    let error = ModelError::new(ModelErrorKind::Transport, "connection reset");
    let model = ScriptedModel::new().error(error.clone()).text("Noon.");
    assert_eq!(say(&model, "1"), Err(error));
    assert_eq!(say(&model, "2"), Ok(Response::from_text("Noon.")));
}

#[test]
fn a_function_answers_after_the_end_of_the_script() {
    let model = ScriptedModel::from_fn(|request| match request.messages.last() {
        Some(message) if message.text().is_empty() => {
            Err(ModelError::new(ModelErrorKind::Rejected, "nothing was said"))
        }
        last => Ok(Response::from_text(last.map_or("", Message::text))),
    });
    let model = model.text("Scripted.");
    assert_eq!(say(&model, "1"), Ok(Response::from_text("Scripted.")));
    assert_eq!(say(&model, "2"), Ok(Response::from_text("2")));
    assert_eq!(say(&model, "").map_err(|error| error.kind), Err(ModelErrorKind::Rejected));
    let asked: Vec<_> = model.requests().iter().map(|asked| asked.messages[0].text().to_owned()).collect();
    assert_eq!(asked, ["1", "2", ""]);
}

#[test]
#[should_panic(
    expected = "the script has run dry: this is request 3, and 2 answers were enqueued; the user said last: \"And then?\""
)]
fn the_panic_at_the_end_of_a_script_contains_the_request() {
    let model = ScriptedModel::new().text("Noon.").text("One.");
    for message in ["What time is it?", "And now?", "And then?"] {
        assert!(say(&model, message).is_ok());
    }
}

#[test]
fn a_panic_for_a_missing_answer_truncates_the_last_message() {
    let message = "very long ".repeat(1_000);
    let told = std::panic::catch_unwind(|| say(&ScriptedModel::new(), &message)).expect_err("there is no script");
    let told = told.downcast_ref::<String>().expect("a panic with a message");
    assert!(told.contains("the user said last: \"very long very long"), "{told}");
    assert!(told.len() < 400, "{} bytes", told.len());
}

#[test]
#[should_panic(expected = "usage belongs to an answer: enqueue one before it")]
fn usage_without_an_answer_is_a_mistake() {
    let _ = ScriptedModel::new().usage(Usage::default());
}

#[test]
#[should_panic(expected = "a delay belongs to an answer: enqueue one before it")]
fn a_delay_without_an_answer_is_a_mistake() {
    let _ = ScriptedModel::new().last_answer_delay(Duration::from_secs(1));
}
