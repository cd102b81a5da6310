//! What a model is sent of its wrong attempts.

use tool_chat::conversation::{Conversation, CorrectionContext};
use tool_chat::model::{Message, ScriptedModel};

use super::tools::session;

const ATTEMPTS: [&str; 4] =
    ["{}", r#"{"days": 30}"#, r#"{"location": "Paris", "days": 30}"#, r#"{"location": "Paris"}"#];

/// The arguments in each request that the model is sent, after three wrong attempts and a right one.
fn sent(context: CorrectionContext) -> Vec<Vec<String>> {
    let model = ATTEMPTS.into_iter().fold(ScriptedModel::new(), |model, attempt| model.call("get_weather", attempt));
    let model = model.text("Sun.");
    let mut conversation = Conversation::new(session(), model.clone()).correction_context(context);
    pollster::block_on(conversation.ask("Paris?"));
    let arguments = |messages: &[Message]| -> Vec<String> {
        let calls = messages.iter().filter_map(|message| match message {
            Message::Assistant { calls, .. } => Some(calls.iter().map(|call| call.arguments.clone())),
            _ => None,
        });
        calls.flatten().collect()
    };
    model.requests().iter().map(|asked| arguments(&asked.messages)).collect()
}

#[test]
fn all_attempts_where_nothing_else_is_said() {
    let expected: Vec<_> = (0..=ATTEMPTS.len()).map(|count| &ATTEMPTS[..count]).collect();
    assert_eq!(sent(CorrectionContext::Full), expected);
}

#[test]
fn the_last_attempt_in_the_minimal_context() {
    let expected: Vec<Vec<&str>> =
        vec![vec![], vec![ATTEMPTS[0]], vec![ATTEMPTS[1]], vec![ATTEMPTS[2]], vec![ATTEMPTS[3]]];
    assert_eq!(sent(CorrectionContext::Minimal), expected);
}

#[test]
fn other_calls_of_the_message_stay() {
    let first = [("get_weather", "{}"), ("book_table", r#"{"guests": 2}"#)];
    let model = ScriptedModel::new().calls(first).call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let mut conversation = Conversation::new(session(), model.clone()).correction_context(CorrectionContext::Minimal);
    pollster::block_on(conversation.ask("Paris, and a table."));
    let sent = model.requests().pop().map(|asked| asked.messages).unwrap_or_default();
    let answers = sent.iter().filter(|message| matches!(message, Message::Tool { .. }));
    let answers: Vec<_> = answers.map(Message::text).collect();
    assert_eq!(answers, ["a table for 2", "Paris: sun for 1 days"]);
}
