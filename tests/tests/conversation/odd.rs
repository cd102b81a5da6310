//! Unusual answers of providers: calls without ids, with the same id, many at once, or truncated before their arguments.

use std::sync::{Arc, Mutex};

use tests::obedient::obedient;
use tool_chat::conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::{Message, ModelError, ModelErrorKind, Response, ScriptedModel, StopReason, ToolCall};
use tool_runtime::{Toolbox, tool};

use super::tools::session;

fn ask(conversation: &mut Conversation) -> TurnEnd {
    pollster::block_on(conversation.ask("Do it."))
}

/// Returns the answers in the last request, with their ids.
fn answers(model: &ScriptedModel) -> Vec<(String, String)> {
    let messages = model.requests().pop().map(|asked| asked.messages).unwrap_or_default();
    let answer = |message: Message| match message {
        Message::Tool { call_id, text, .. } => Some((call_id, text)),
        _ => None,
    };
    messages.into_iter().filter_map(answer).collect()
}

fn weather(id: &str, location: &str) -> ToolCall {
    ToolCall::new(id, "get_weather", format!(r#"{{"location": "{location}"}}"#))
}

#[test]
fn calls_with_the_same_id_or_none_get_ids_of_their_own() {
    for id in ["same", ""] {
        let calls = || ["Paris", "London"].map(|location| weather(id, location));
        let model = ScriptedModel::new()
            .answer(Response::from_calls(calls()))
            .answer(Response::from_calls(calls()))
            .text("Sun.");
        let mut conversation = Conversation::new(session(), model.clone());
        assert_eq!(ask(&mut conversation).text(), Some("Sun."));
        let expected = [("call_1", "Paris"), ("call_2", "London"), ("call_3", "Paris"), ("call_4", "London")];
        assert_eq!(answers(&model), expected.map(|(id, city)| (id.to_owned(), format!("{city}: sun for 1 days"))));
        let sent: Vec<_> = conversation.transcript().calls().map(|call| call.sent_id.clone()).collect();
        assert_eq!(sent, vec![Some(id.to_owned()); 4], "the host sees the id of the model");
    }
}

#[test]
fn names_that_providers_reject_are_replaced_in_the_messages() {
    let long = "x".repeat(70);
    for name in [
        "multi_tool_use.parallel",
        "web_search<arg_key>url</arg_key>",
        "",
        " ",
        "$lookup",
        "7up",
        "-v",
        "größe",
        "a b\nc",
        &*long,
    ] {
        let model = ScriptedModel::new().answer(Response::from_calls([ToolCall::new("c1", name, "{}")])).text("No.");
        let mut conversation = Conversation::new(session(), model.clone());
        ask(&mut conversation);
        let messages = model.requests().pop().map(|asked| asked.messages).unwrap_or_default();
        let [.., Message::Assistant { calls, .. }, Message::Tool { name: answered, .. }] = &*messages else {
            panic!("{messages:?}")
        };
        let sent = &calls[0].name;
        assert_eq!(sent, answered);
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        assert!(sent.chars().all(is_allowed) && (1..=64).contains(&sent.len()), "{name}: {sent}");
        assert!(sent.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'), "{name}: {sent}");
        let call = conversation.transcript().calls().next().expect("a call");
        assert_eq!(call.name, name, "the host sees the name of the model");
    }
}

#[test]
fn valid_calls_run_beside_invalid_ones_of_the_same_message() {
    let calls = [
        weather("a", "Paris"),
        ToolCall::new("b", "get_weather", r#"{"location": "Lon"#),
        ToolCall::new("c", "get_moon", "{}"),
        ToolCall::new("d", "", "{}"),
        ToolCall::new("e", "get_weather", "\u{0}\u{ffff}"),
        ToolCall::new("f", "book_table", r#"{"guests": 2}"#),
    ];
    let model = ScriptedModel::new().answer(Response::from_calls(calls)).text("Some of it?");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(ask(&mut conversation).text(), Some("Some of it?"));
    let told: Vec<_> = conversation
        .transcript()
        .calls()
        .map(|call| call.outcome.failure().map_or("ok", tool_runtime::Failure::error_type))
        .collect();
    assert_eq!(told, ["ok", "invalid_json", "unknown_tool", "unknown_tool", "invalid_json", "ok"]);
    let ids: Vec<_> = answers(&model).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e", "f"]);
}

#[test]
fn a_message_may_contain_any_number_of_calls() {
    let calls: Vec<_> = (0..1_000).map(|number| weather(&format!("call_{number}"), &number.to_string())).collect();
    let model = ScriptedModel::new().answer(Response::from_calls(calls.clone())).text("Sun.");
    let mut limits = TurnLimits::default();
    limits.calls = None;
    let mut conversation = Conversation::new(session(), model.clone()).limits(limits);
    assert_eq!(ask(&mut conversation).text(), Some("Sun."));
    assert_eq!(answers(&model).len(), 1_000);
    assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()));

    // Beyond a limit none of them is made, and they are not in the next request.
    let model = ScriptedModel::new().answer(Response::from_calls(calls)).text("Sun.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert!(matches!(ask(&mut conversation), TurnEnd::Limited { limit: TurnLimit::Calls(100) }));
    assert_eq!(conversation.transcript().calls().count(), 0);
    assert_eq!(ask(&mut conversation).text(), Some("Sun."));
    assert_eq!(model.requests()[1].messages.len(), 2);
}

/// Empties a basket.
#[tool(destructive)]
fn empty_basket(
    /// Items to keep.
    keep: Option<String>,
) -> String {
    format!("all but {keep:?}")
}

#[test]
fn a_call_that_is_truncated_before_its_arguments_is_not_run() {
    let calls = |arguments| [weather("a", "Paris"), ToolCall::new("b", "empty_basket", arguments)];
    for (stop, arguments, runs) in [
        (StopReason::Length, "", false),
        (StopReason::Length, "  ", false),
        (StopReason::Filtered, "", false),
        (StopReason::Length, "{}", true),
        (StopReason::ToolCalls, "", true),
    ] {
        let answer = Response::from_calls(calls(arguments)).with_stop(stop);
        let model = ScriptedModel::new().answer(answer).text("Is that all?");
        let weather = super::tools::GetWeatherTool;
        let session = Toolbox::builder().tool(weather).tool(EmptyBasketTool).build().expect("two names").session();
        let mut conversation = Conversation::new(session, model);
        assert_eq!(ask(&mut conversation).text(), Some("Is that all?"));
        let told: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
        assert_eq!(told, [true, runs], "{stop:?} {arguments:?}");
        let call = conversation.transcript().calls().next_back().expect("two calls");
        assert_eq!(call.arguments, arguments, "the transcript has the arguments as sent");
        if !runs {
            assert_eq!(call.outcome.failure().map(tool_runtime::Failure::error_type), Some("invalid_json"));
        }
    }
}

#[test]
fn an_answer_has_a_stop_reason() {
    for (stop, text) in [(StopReason::Finished, "Sun."), (StopReason::Length, "Su"), (StopReason::Filtered, "")] {
        for streams in [false, true] {
            let model = ScriptedModel::new().answer(Response::from_text(text).with_stop(stop));
            let mut conversation = Conversation::new(session(), model).streaming(streams);
            let end = ask(&mut conversation);
            assert!(
                matches!(&end, TurnEnd::Answered { text: said, stop: told } if said == text && *told == stop),
                "{end:?}"
            );
        }
    }
}

#[test]
fn a_question_is_recognised_whatever_follows_its_question_mark() {
    for question in
        ["Which city?", "**Which city?**", "\"Which city?\"", "(Which city?) 🙂", "どの都市ですか？", "أي مدينة؟"]
    {
        let model = ScriptedModel::new().call("get_weather", "{}").text(question);
        assert_eq!(ask(&mut Conversation::new(session(), model)).text(), Some(question));
    }
}

#[test]
fn if_a_provider_rejects_the_forced_call_the_prose_is_the_answer() {
    let rejected = ModelError::new(ModelErrorKind::Rejected, "thinking may not be enabled when a tool is forced");
    let model = ScriptedModel::new().call("get_weather", "{}").text("I cannot.").error(rejected).text("Sun.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(ask(&mut conversation).text(), Some("I cannot."));
    assert_eq!(ask(&mut conversation).text(), Some("Sun."));
    let last = model.requests().pop().expect("four requests").messages;
    assert_eq!(last[last.len() - 2].text(), "I cannot.", "the prose is part of the conversation then");

    // Any other error is not a rejection of the forced call.
    let broken = ModelError::new(ModelErrorKind::Transport, "connection reset");
    let model = ScriptedModel::new().call("get_weather", "{}").text("I cannot.").error(broken);
    assert!(matches!(ask(&mut Conversation::new(session(), model)), TurnEnd::Failed { .. }));
}

#[test]
fn thoughts_are_sent_back_with_their_calls() {
    let thoughts = vec![serde_json::json!({"signature": "c2ln"}), serde_json::json!({"signature": "bmF0"})];
    for streams in [false, true] {
        let calls = [weather("a", "Paris"), ToolCall::new("b", "book_table", "{}")];
        let thinking = Response::from_calls(calls).with_thoughts(thoughts.clone());
        let model = ScriptedModel::new().answer(thinking).call("book_table", r#"{"guests": 2}"#).text("Done.");
        let mut conversation = Conversation::new(session(), model.clone()).streaming(streams);
        assert_eq!(ask(&mut conversation).text(), Some("Done."));
        for asked in &model.requests()[1..] {
            let Message::Assistant { thoughts: sent, .. } = &asked.messages[1] else { panic!("{asked:?}") };
            assert_eq!(*sent, thoughts, "streaming: {streams}");
        }
    }
}

#[test]
fn a_model_may_correct_several_rejected_calls_one_by_one() {
    // Several calls of one message are rejected; each is corrected in its own message.
    let heard = Arc::new(Mutex::new(0));
    let count = Arc::clone(&heard);
    let model = obedient([("get_weather", "{}"), ("book_table", "{}"), ("Math", r#"{"function": "add"}"#)]);
    let conversation = Conversation::new(session(), model).on_event(move |event| {
        if matches!(event, tool_chat::conversation::ConversationEvent::CallRejected { .. }) {
            *count.lock().expect("the lock is not poisoned") += 1;
        }
    });
    let mut conversation = conversation;
    assert_eq!(ask(&mut conversation).text(), Some("Done."));
    assert_eq!(*heard.lock().expect("the lock is not poisoned"), 4);
}
