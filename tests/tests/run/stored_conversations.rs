//! Conversations whose run was stored and continues with another session.

use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::model::{Message, Response, ScriptedModel, ToolCall};
use tool_chat::run::{Record, Run};

use super::scripts::{read_back, stored};
use super::tools::{CALLS, outcome, session};

fn answers(model: &ScriptedModel) -> Vec<String> {
    let sent = model.requests().pop().expect("a request").messages;
    let answers = sent.iter().filter(|message| matches!(message, Message::Tool { .. }));
    answers.map(|message| message.text().to_owned()).collect()
}

#[test]
fn a_turn_that_waits_can_be_resumed() {
    let model = ScriptedModel::new().calls([CALLS[11], CALLS[0]]);
    let mut conversation = Conversation::new(session(), model).instructions("Use the tools.");
    assert!(matches!(pollster::block_on(conversation.ask("Which?")), TurnEnd::Deferred { .. }));
    let text = stored(conversation.run_state());
    drop(conversation);

    let model = ScriptedModel::new().text("Sun.");
    let mut conversation = Conversation::from_run(session(), model.clone(), read_back(&text));
    let end = pollster::block_on(conversation.resume()).expect("a turn waits");
    assert!(matches!(end, TurnEnd::Deferred { call_ids } if call_ids == ["call_1"]));
    conversation.answer_deferred(outcome(&session(), "call_1", CALLS[0])).expect("the turn waits for it");
    assert_eq!(pollster::block_on(conversation.resume()).expect("a turn waits").text(), Some("Sun."));
    assert_eq!(answers(&model), ["Paris: sun for 1 days"; 2]);
    assert_eq!(model.requests()[0].messages[0].text(), "Use the tools.");
}

#[test]
fn calls_of_a_process_that_died_are_answered() {
    let mut run = Run::new();
    let calls = ["a", "b"].map(|id| ToolCall::new(id, CALLS[0].0, CALLS[0].1));
    for record in [
        Record::from_prompt("Which?"),
        Record::from_model_answer(Response::from_calls(calls)),
        Record::from_call_start(0),
    ] {
        run.apply_record(record).expect("it fits");
    }
    run.apply_record(Record::from_call_end(1, outcome(&session(), "b", CALLS[0]))).expect("it is open");
    let model = ScriptedModel::new().text("As you like.");
    let mut conversation = Conversation::from_run(session(), model.clone(), read_back(&stored(&run)));
    assert_eq!(pollster::block_on(conversation.ask("Never mind.")).text(), Some("As you like."));
    let read = answers(&model);
    assert!(read[0].starts_with(r#"{"error_type":"cancelled""#) && read[1] == "Paris: sun for 1 days", "{read:?}");
}
