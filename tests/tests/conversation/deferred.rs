//! Turns that wait for the host, because a hook or a tool without a handler deferred a call.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use serde::Deserialize;
use tool_chat::conversation::{Conversation, ConversationEvent, ResumeError, TurnEnd};
use tool_chat::model::{Message, ScriptedModel, ToolChoice};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Completion;
use tool_runtime::tool::ExternalTool;
use tool_runtime::{Session, ToolError, ToolInput, Toolbox};

use super::tools::{BookTableTool, GetWeatherTool};

/// Asks the user.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Question {
    /// In one sentence.
    #[allow(dead_code, reason = "a tool without a handler reads nothing")]
    question: String,
}

pub(crate) const ASK: (&str, &str) = ("ask_user", r#"{"question": "Which city?"}"#);
pub(crate) const PARIS: (&str, &str) = ("get_weather", r#"{"location": "Paris"}"#);
pub(crate) const TABLE: (&str, &str) = ("book_table", r#"{"guests": 2}"#);

/// Returns a session with a normal tool, a tool that needs an approval, and a tool that the host answers.
pub(crate) fn session() -> Session {
    let ask_user = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    let approve = |call: &ProposedCall<'_>| if call.name() == "book_table" { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().tool(GetWeatherTool).tool(BookTableTool).tool(ask_user).before_call(approve);
    builder.no_throttle().build().expect("all names differ").session()
}

pub(crate) fn ask(conversation: &mut Conversation, prompt: &str) -> TurnEnd {
    pollster::block_on(conversation.ask(prompt))
}

pub(crate) fn resume(conversation: &mut Conversation) -> Result<TurnEnd, ResumeError> {
    pollster::block_on(conversation.resume())
}

fn waits(end: &TurnEnd) -> Vec<&str> {
    if let TurnEnd::Deferred { call_ids } = end {
        call_ids.iter().map(String::as_str).collect()
    } else {
        panic!("{end:?}")
    }
}

/// Answers a deferred call.
pub(crate) fn complete(conversation: &mut Conversation, call_id: &str, completion: impl Into<Completion>) {
    let outcome = conversation.session().complete(call_id, completion).expect("the call waits");
    conversation.answer_deferred(outcome).expect("the turn waits for it");
}

/// Returns the last answers that the model was sent, with their ids.
fn answers(model: &ScriptedModel) -> Vec<(String, String)> {
    let sent = model.requests().pop().map(|asked| asked.messages).unwrap_or_default();
    let answer = |message| match message {
        Message::Tool { call_id, text, .. } => Some((call_id, text)),
        _ => None,
    };
    sent.into_iter().filter_map(answer).collect()
}

fn answered(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_other_calls_of_the_step_run_and_the_model_is_not_called() {
    let model = ScriptedModel::new().calls([ASK, PARIS, TABLE]).text("never said");
    let mut conversation = Conversation::new(session(), model.clone());
    let end = ask(&mut conversation, "A table in Paris.");
    assert_eq!(waits(&end), ["call_1", "call_3"]);
    assert_eq!(model.requests().len(), 1);
    let ran: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
    assert_eq!(ran, [false, true, false]);
}

#[test]
fn each_outcome_replaces_the_deferral_of_its_call() {
    let model = ScriptedModel::new().calls([ASK, PARIS, TABLE]).text("Done.");
    let mut conversation = Conversation::new(session(), model.clone());
    ask(&mut conversation, "A table in Paris.");
    let approved = pollster::block_on(conversation.session().resume("call_3")).expect("it has a handler");
    conversation.answer_deferred(approved).expect("the turn waits for it");
    complete(&mut conversation, "call_1", "Paris.");
    assert_eq!(resume(&mut conversation).map(|end| end.text().map(str::to_owned)), Ok(Some("Done.".to_owned())));
    let expected = [("call_1", "Paris."), ("call_2", "Paris: sun for 1 days"), ("call_3", "a table for 2")];
    assert_eq!(answers(&model), answered(&expected));
    let told: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.to_text()).collect();
    assert_eq!(told, expected.map(|(_, text)| text));
}

#[test]
fn a_turn_continues_once_every_call_is_answered() {
    let model = ScriptedModel::new().calls([ASK, TABLE]).text("Done.");
    let mut conversation = Conversation::new(session(), model.clone());
    ask(&mut conversation, "A table.");
    complete(&mut conversation, "call_1", "Paris.");
    assert_eq!(waits(&resume(&mut conversation).expect("a turn waits")), ["call_2"]);
    assert_eq!(model.requests().len(), 1);
    complete(&mut conversation, "call_2", Completion::denied("Too late."));
    assert_eq!(resume(&mut conversation).expect("a turn waits").text(), Some("Done."));
    assert!(answers(&model)[1].1.contains("Too late."));
}

#[test]
fn a_turn_may_wait_more_than_once() {
    let model = ScriptedModel::new().calls([ASK]).calls([TABLE]).text("Done.");
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(waits(&ask(&mut conversation, "A table.")), ["call_1"]);
    complete(&mut conversation, "call_1", "For two.");
    assert_eq!(waits(&resume(&mut conversation).expect("a turn waits")), ["call_2"]);
    complete(&mut conversation, "call_2", "A table for two.");
    assert_eq!(resume(&mut conversation).expect("a turn waits").text(), Some("Done."));
    let places: Vec<_> = conversation.transcript().calls().map(|call| (call.turn, call.step)).collect();
    assert_eq!(places, [(0, 0), (0, 1)]);
}

#[test]
fn an_unexpected_outcome_is_rejected() {
    let other = session();
    let outcome = |id: &str, call: (&str, &str)| pollster::block_on(other.call(id, call.0, call.1));
    let mut conversation = Conversation::new(session(), ScriptedModel::new().calls([ASK]).text("Done."));
    assert_eq!(conversation.answer_deferred(outcome("call_1", PARIS)), Err(ResumeError::NothingDeferred));
    ask(&mut conversation, "Which?");
    let not_deferred = ResumeError::NotDeferred { call_id: "call_2".to_owned() };
    assert_eq!(conversation.answer_deferred(outcome("call_2", PARIS)), Err(not_deferred));
    let no_answer = ResumeError::NoAnswer { call_id: "call_1".to_owned() };
    assert_eq!(conversation.answer_deferred(outcome("call_1", ASK)), Err(no_answer));
    complete(&mut conversation, "call_1", "Paris.");
    let once = ResumeError::NotDeferred { call_id: "call_1".to_owned() };
    assert_eq!(conversation.answer_deferred(outcome("call_1", PARIS)), Err(once));
    assert_eq!(resume(&mut conversation).expect("a turn waits").text(), Some("Done."));
    assert_eq!(resume(&mut conversation).err(), Some(ResumeError::NothingDeferred));
}

#[test]
fn another_prompt_cancels_the_deferred_calls() {
    let model = ScriptedModel::new().calls([ASK, PARIS]).text("As you like.");
    let mut conversation = Conversation::new(session(), model.clone());
    ask(&mut conversation, "Which?");
    assert_eq!(ask(&mut conversation, "Never mind.").text(), Some("As you like."));
    let told = answers(&model);
    assert!(told[0].1.starts_with(r#"{"error_type":"cancelled""#), "{told:?}");
    assert_eq!(told[1].1, "Paris: sun for 1 days");
    assert!(conversation.session().deferred_calls().is_empty());
    assert_eq!(resume(&mut conversation).err(), Some(ResumeError::NothingDeferred));
}

#[test]
fn a_result_not_passed_to_the_conversation_is_reported_as_unknown() {
    let model = ScriptedModel::new().calls([ASK, TABLE]).text("As you like.");
    let mut conversation = Conversation::new(session(), model.clone());
    ask(&mut conversation, "Which?");
    complete(&mut conversation, "call_1", "Paris.");
    let kept = pollster::block_on(conversation.session().resume("call_2")).expect("it has a handler");
    assert!(kept.is_ok());
    ask(&mut conversation, "Never mind.");
    let told = answers(&model);
    assert_eq!(told[0].1, "Paris.");
    assert!(told[1].1.starts_with(r#"{"error_type":"internal_error""#), "{told:?}");
}

#[test]
fn a_dropped_turn_leaves_no_deferred_call() {
    let clock = SimulatedClock::new();
    let nap = clock.clone();
    let approve = move |call: &ProposedCall<'_>| {
        let pause = if call.name() == "get_weather" { 60 } else { 0 };
        let nap = tool_runtime::clock::Clock::sleep(&nap, Duration::from_secs(pause));
        async move {
            if pause > 0 {
                nap.await;
            }
            Verdict::Defer
        }
    };
    let builder = Toolbox::builder().tool(GetWeatherTool).tool(BookTableTool).before_call(approve);
    let session = builder.build().expect("all names differ").session();
    let mut conversation = Conversation::new(session, ScriptedModel::new().calls([TABLE, PARIS]));
    {
        let turn = pin!(conversation.ask("A table in Paris."));
        assert!(turn.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert!(conversation.session().deferred_calls().is_empty());
}

#[test]
fn a_rejection_by_the_host_is_corrected_like_one_by_the_tool() {
    let rejected = || ToolError::retry("that is no city").field("question");
    let model = (0..4).fold(ScriptedModel::new(), |model, _| model.calls([ASK]));
    let mut conversation = Conversation::new(session(), model);
    let mut end = ask(&mut conversation, "Which?");
    for call_id in ["call_1", "call_2", "call_3", "call_4"] {
        assert_eq!(waits(&end), [call_id]);
        complete(&mut conversation, call_id, rejected());
        end = resume(&mut conversation).expect("a turn waits");
    }
    assert!(matches!(&end, TurnEnd::Exhausted { tool, attempts: 4, .. } if tool == "ask_user"), "{end:?}");
}

#[test]
fn after_a_cancelled_call_the_model_answers_with_text() {
    let model = ScriptedModel::new().calls([ASK]).text("As you like.");
    let mut conversation = Conversation::new(session(), model.clone());
    ask(&mut conversation, "Which?");
    complete(&mut conversation, "call_1", Completion::cancelled());
    assert_eq!(resume(&mut conversation).expect("a turn waits").text(), Some("As you like."));
    assert_eq!(model.requests()[1].options.tool_choice, ToolChoice::None);
}

#[test]
fn a_turn_that_does_not_wait_tells_the_model_that_there_is_no_answer_yet() {
    let model = ScriptedModel::new().calls([ASK, PARIS]).text("Without it, then.");
    let mut conversation = Conversation::new(session(), model.clone()).wait_for_deferred(false);
    assert_eq!(ask(&mut conversation, "Which?").text(), Some("Without it, then."));
    assert!(answers(&model)[0].1.starts_with(r#"{"error_type":"deferred""#), "{:?}", answers(&model));
    assert_eq!(conversation.session().deferred_calls().len(), 1);
}

#[test]
fn an_approval_runs_the_call_that_the_user_saw() {
    use tool_chat::model::{Response, ToolCall};
    let calls = || [2, 3].map(|guests| ToolCall::new("dup", "book_table", format!(r#"{{"guests": {guests}}}"#)));
    let model = ScriptedModel::new().answer(Response::from_calls(calls())).text("Done.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(waits(&ask(&mut conversation, "A table.")), ["call_1", "call_2"]);
    // The id of the model names none of the two calls.
    assert!(pollster::block_on(conversation.session().resume("dup")).is_err());
    let waiting = conversation.session().deferred_calls();
    let second = waiting.iter().find(|call| call.arguments_text().contains('3')).expect("it waits");
    let approved = pollster::block_on(conversation.session().resume(second.call_id())).expect("it waits");
    assert_eq!(approved.to_text(), "a table for 3");
    conversation.answer_deferred(approved).expect("the turn waits for it");
    complete(&mut conversation, "call_1", Completion::denied("Not for two."));
    assert_eq!(resume(&mut conversation).expect("a turn waits").text(), Some("Done."));
    let told = answers(&model);
    assert!(told[0].0 == "call_1" && told[0].1.contains("Not for two."), "{told:?}");
    assert_eq!(told[1], ("call_2".to_owned(), "a table for 3".to_owned()));
}

#[test]
fn a_run_of_an_earlier_version_with_repeated_ids_continues() {
    use tool_chat::model::{Response, ToolCall};
    use tool_chat::run::{Next, Record, Run};
    let call = |city| ToolCall::new("dup", "get_weather", format!(r#"{{"location": "{city}"}}"#));
    let mut run = Run::new().unique_ids(false);
    run.apply_record(Record::from_prompt("Paris?")).expect("a prompt always fits");
    run.apply_record(Record::from_model_answer(Response::from_calls(["Paris", "Rome"].map(call))))
        .expect("the model is asked");
    let own = session();
    for index in 0..2 {
        let Next::Call(calls) = run.next() else { panic!("{:?}", run.next()) };
        let open = calls.iter().find(|open| open.index == index).expect("it is open");
        let outcome = pollster::block_on(own.call(&open.call.id, &open.call.name, open.arguments()));
        run.apply_record(Record::from_call_end(index, outcome)).expect("it is open");
    }
    let run = serde_json::from_str(&serde_json::to_string(&run).expect("a run is JSON")).expect("it can be read back");
    let model = ScriptedModel::new().answer(Response::from_calls([call("Oslo")])).text("Sun.");
    let mut conversation = Conversation::from_run(session(), model.clone(), run);
    assert_eq!(ask(&mut conversation, "And Oslo?").text(), Some("Sun."));
    let mut ids: Vec<_> = model
        .requests()
        .pop()
        .map(|asked| asked.messages)
        .into_iter()
        .flatten()
        .filter_map(|message| match message {
            Message::Assistant { calls, .. } => Some(calls.into_iter().map(|call| call.id).collect::<Vec<_>>()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(ids.len(), 3);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "no id is repeated");
}

#[test]
fn waiting_and_continuing_are_reported_as_events() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let mut conversation = Conversation::new(session(), ScriptedModel::new().calls([ASK]).text("Done."));
    conversation = conversation.on_event(move |event| {
        let line = match event {
            ConversationEvent::Ended { end: TurnEnd::Deferred { call_ids }, .. } => {
                format!("waits for {}", call_ids.join(", "))
            }
            ConversationEvent::Resumed { turn, step, .. } => format!("resumed {turn}.{step}"),
            ConversationEvent::Ended { .. } => "ended".to_owned(),
            _ => return,
        };
        heard.lock().expect("the lock is not poisoned").push(line);
    });
    ask(&mut conversation, "Which?");
    complete(&mut conversation, "call_1", "Paris.");
    resume(&mut conversation).expect("a turn waits");
    assert_eq!(*told.lock().expect("the lock is not poisoned"), ["waits for call_1", "resumed 0.0", "ended"]);
}
