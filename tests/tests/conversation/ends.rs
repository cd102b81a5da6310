//! Ends of turns, and their transcripts.

use std::sync::{Arc, Mutex};

use tests::obedient::stubborn;
use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd};
use tool_chat::model::{Message, ModelError, ModelErrorKind, Response, ScriptedModel, ToolCall, ToolChoice, Usage};
use tool_chat::transcript::Entry;

use super::tools::session;

fn ask(conversation: &mut Conversation, prompt: &str) -> TurnEnd {
    pollster::block_on(conversation.ask(prompt))
}

#[test]
fn all_calls_of_a_message_are_one_step_and_answered_under_their_ids() {
    let cities = [("get_weather", r#"{"location": "Paris"}"#), ("get_weather", r#"{"location": "London"}"#)];
    let model = ScriptedModel::new().calls(cities).text("Sun in both.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(ask(&mut conversation, "Paris and London?").text(), Some("Sun in both."));
    let places: Vec<_> = conversation.transcript().calls().map(|call| (call.turn, call.step)).collect();
    assert_eq!(places, [(0, 0), (0, 0)]);
    let sent = &model.requests()[1].messages;
    let calls = [ToolCall::new("call_1", cities[0].0, cities[0].1), ToolCall::new("call_2", cities[1].0, cities[1].1)];
    assert_eq!(sent[1], Message::from(Response::from_calls(calls.to_vec())));
    let answered: Vec<_> = sent[2..].iter().map(|message| format!("{message:?}")).collect();
    assert!(answered[0].contains("call_1") && answered[0].contains("Paris: sun"), "{answered:?}");
    assert!(answered[1].contains("call_2") && answered[1].contains("London: sun"), "{answered:?}");
}

#[test]
fn a_transcript_has_turns_and_steps() {
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris"}"#).text("Sun.").text("Bye.");
    let mut conversation = Conversation::new(session(), model);
    ask(&mut conversation, "Paris?");
    ask(&mut conversation, "Thanks.");
    let entries = conversation.transcript().entries().iter().map(|entry| match entry {
        Entry::Prompt { turn, text, .. } => format!("{turn} {text}"),
        Entry::Answer { turn, step, text, .. } => format!("{turn}.{step} {text}"),
        Entry::Called(call) => format!("{}.{} {}", call.turn, call.step, call.name),
        _ => "something new".to_owned(),
    });
    let entries: Vec<_> = entries.collect();
    assert_eq!(entries, ["0 Paris?", "0.0 get_weather", "0.1 Sun.", "1 Thanks.", "1.0 Bye."]);
}

#[test]
fn usage_is_summed_over_all_answers() {
    let cost = |input_tokens, output_tokens| Usage::new(input_tokens, output_tokens);
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris"}"#).usage(cost(10, 2));
    let model = model.text("Sun.").usage(cost(20, 3));
    let mut conversation = Conversation::new(session(), model);
    ask(&mut conversation, "Paris?");
    assert_eq!(conversation.transcript().usage(), cost(30, 5));
}

#[test]
fn an_error_of_the_model_ends_the_turn_and_not_the_conversation() {
    let error = ModelError::new(ModelErrorKind::RateLimited { retry_after: None }, "slow down");
    let model = ScriptedModel::new().error(error.clone()).text("Sun.");
    let mut conversation = Conversation::new(session(), model);
    assert!(matches!(ask(&mut conversation, "Paris?"), TurnEnd::Failed { error: told } if told == error));
    assert_eq!(ask(&mut conversation, "Again?").text(), Some("Sun."));
}

#[test]
#[should_panic(expected = "the script has run dry: this is request 2, and 1 answers were enqueued")]
fn a_script_without_further_answers_panics() {
    let mut conversation = Conversation::new(session(), ScriptedModel::new().call("get_weather", "{}"));
    ask(&mut conversation, "Paris?");
}

#[test]
fn after_prose_instead_of_a_correction_the_call_is_forced() {
    let model = ScriptedModel::new().call("get_weather", "{}").text("I cannot do that.");
    let model = model.call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(ask(&mut conversation, "Paris?").text(), Some("Sun."));
    let asked = model.requests();
    let choices: Vec<_> = asked.iter().map(|asked| asked.options.tool_choice.clone()).collect();
    assert_eq!(
        choices,
        [ToolChoice::Auto, ToolChoice::Auto, ToolChoice::Tool("get_weather".to_owned()), ToolChoice::Auto]
    );
    assert_eq!(asked[1].messages, asked[2].messages, "the prose is not sent");
}

#[test]
fn prose_is_accepted_after_one_forced_call() {
    let model = ScriptedModel::new().call("get_weather", "{}").text("I cannot.").text("I still cannot.");
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(ask(&mut conversation, "Paris?").text(), Some("I still cannot."));
}

#[test]
fn a_question_to_the_user_is_accepted_as_an_answer() {
    let model = ScriptedModel::new().call("get_weather", "{}").text("Which city?");
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(ask(&mut conversation, "Weather?").text(), Some("Which city?"));
}

#[test]
fn forced_calls_can_be_turned_off() {
    let model = ScriptedModel::new().call("get_weather", "{}").text("I cannot.");
    let mut conversation = Conversation::new(session(), model).force_corrections(false);
    assert_eq!(ask(&mut conversation, "Weather?").text(), Some("I cannot."));
}

#[test]
fn an_undefined_tool_is_not_forced() {
    let model = ScriptedModel::new().call("get_moon", "{}").text("I cannot.");
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(ask(&mut conversation, "Moon?").text(), Some("I cannot."));
}

#[test]
fn a_success_resets_the_count_of_a_tool() {
    let wrong = "{}";
    let right = r#"{"location": "Paris"}"#;
    let attempts = [wrong, wrong, wrong, right, wrong, wrong, wrong, right];
    let model =
        attempts.into_iter().fold(ScriptedModel::new(), |model, arguments| model.call("get_weather", arguments));
    let mut conversation = Conversation::new(session(), model.text("Sun."));
    assert_eq!(ask(&mut conversation, "Paris, twice.").text(), Some("Sun."));
}

#[test]
fn failed_calls_of_invented_names_share_one_count() {
    let model = (0..4).fold(ScriptedModel::new(), |model, number| model.call(format!("invented_{number}"), "{}"));
    let mut conversation = Conversation::new(session(), model);
    let end = ask(&mut conversation, "Do it.");
    assert!(matches!(&end, TurnEnd::Exhausted { tool, attempts: 4, .. } if tool == "invented_3"), "{end:?}");
}

#[test]
fn several_rejections_in_one_message_count_as_one_attempt() {
    let wrong = [("get_weather", "{}"); 5];
    let model =
        ScriptedModel::new().calls(wrong).calls(wrong).call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(ask(&mut conversation, "Paris?").text(), Some("Sun."));
}

#[test]
fn the_events_of_a_turn_are_reported_in_order() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let mut conversation = Conversation::new(session(), stubborn("get_weather", "{}")).on_event(move |event| {
        let line = match event {
            ConversationEvent::Prompted { prompt, .. } => format!("asked {prompt}"),
            ConversationEvent::Requested { step, request, .. } => {
                format!("requested {step} with {}", request.messages.len())
            }
            ConversationEvent::Answered { response, .. } => format!("said {}", response.calls.len()),
            ConversationEvent::CallRejected { tool, attempts, .. } => format!("rejected {tool} {attempts}"),
            ConversationEvent::Ended { end, .. } => format!("ended {}", matches!(end, TurnEnd::Exhausted { .. })),
            other => format!("{other:?}"),
        };
        heard.lock().expect("the lock is not poisoned").push(line);
    });
    let mut limits = tool_chat::conversation::TurnLimits::default();
    limits.corrections = 1;
    conversation = conversation.limits(limits);
    ask(&mut conversation, "Paris?");
    let told = told.lock().expect("the lock is not poisoned").clone();
    let step = |step: usize| {
        [
            format!("requested {step} with {}", 1 + 2 * step),
            "said 1".to_owned(),
            format!("rejected get_weather {}", step + 1),
        ]
    };
    let expected = [vec!["asked Paris?".to_owned()], step(0).to_vec(), step(1).to_vec(), vec!["ended true".to_owned()]];
    assert_eq!(told, expected.concat());
}

#[test]
fn the_system_message_contains_the_instructions_of_expanded_containers() {
    let model = ScriptedModel::new().call("Rules", "").text("I shall.");
    let mut conversation = Conversation::new(session(), model.clone()).instructions("Be brief.");
    ask(&mut conversation, "Read the rules.");
    let systems: Vec<_> = model.requests().iter().map(|asked| asked.messages[0].text().to_owned()).collect();
    assert_eq!(systems, ["Be brief.", "Be brief.\n\n## Rules\n\nBe kind."]);
}

#[test]
fn each_request_defines_the_visible_tools() {
    let model = ScriptedModel::new().call("Math", "").call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert_eq!(ask(&mut conversation, "One and two?").text(), Some("Three."));
    let has_add = |index: usize| model.requests()[index].tools.to_string().contains(r#""name":"add""#);
    assert_eq!([has_add(0), has_add(1)], [false, true]);
}

#[test]
fn a_turn_is_send() {
    fn is_send(_: &impl Send) {}
    let mut conversation = Conversation::new(session(), ScriptedModel::from_fn(|_| Ok(Response::from_text("Sun."))));
    let turn = conversation.ask("Paris?");
    is_send(&turn);
    assert_eq!(pollster::block_on(turn).text(), Some("Sun."));
}
