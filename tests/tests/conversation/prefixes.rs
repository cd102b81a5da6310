//! The event that tells how much of a prompt the provider cannot take from its cache.

use std::sync::{Arc, Mutex};

use tool_chat::conversation::{Conversation, ConversationEvent};
use tool_chat::model::{Options, PromptPart, PromptPrefix, Request, ScriptedModel};
use tool_runtime::container::{DefinitionLoading, ExpansionSettings};
use tool_runtime::toolbox::FindTools;
use tool_runtime::{Container, Dialect, Session, Toolbox, tool};
use tool_schema::dialect::Definitions;

/// Tells the hour of the day.
#[tool]
fn hour() -> u8 {
    12
}

/// Tells the date.
#[tool]
fn date() -> &'static str {
    "today"
}

fn toolbox(is_fixed: bool) -> Toolbox {
    let clock = Container::new("Clock", "Tells the time.").tool(HourTool).system_prompt("All times are in UTC.");
    let builder = Toolbox::builder().container(clock).find_tools(FindTools::new());
    (if is_fixed { builder.expansion(ExpansionSettings::new().fixed_definitions()) } else { builder })
        .build()
        .expect("the registration is valid")
}

/// Runs two turns, and returns the losses: the step, the changed part, and the bytes that were kept and lost.
fn losses(
    session: Session,
    model: &ScriptedModel,
    between: impl Fn(&Session),
) -> Vec<(usize, PromptPart, usize, usize)> {
    let losses = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&losses);
    let conversation = Conversation::new(session, model.clone()).instructions("Be brief.");
    let mut conversation = conversation.on_event(move |event| {
        if let ConversationEvent::PrefixLost { step, loss, .. } = event {
            heard.lock().expect("no test panics here").push((*step, loss.part, loss.kept, loss.lost));
        }
    });
    pollster::block_on(conversation.ask("What time is it?"));
    between(conversation.session());
    pollster::block_on(conversation.ask("Thanks."));
    losses.lock().expect("no test panics here").clone()
}

fn model() -> ScriptedModel {
    ScriptedModel::new().call("Clock", "").call("find_tools", r#"{"query": "hour"}"#).text("Noon.").text("Bye.")
}

#[test]
fn fixed_definitions_lose_nothing() {
    assert_eq!(losses(toolbox(true).session(), &model(), |_| {}), []);
}

#[test]
fn an_expansion_loses_the_messages_that_follow_the_tools() {
    let model = model();
    let losses = losses(toolbox(false).session(), &model, |_| {});
    let requests = model.requests();
    let first = &requests[0];
    let tools: usize = first.tools.iter().map(|tool| tool.to_string().len()).sum();
    let messages: usize =
        first.messages.iter().map(|message| serde_json::to_string(message).expect("JSON").len()).sum();
    // The tools that were there before still begin the next request.
    assert_eq!(losses, [(1, PromptPart::Tools, tools, messages)]);
}

#[test]
fn a_replaced_toolbox_loses_the_tools_from_the_first_difference() {
    let other = Container::new("Calendar", "Tells the date.").tool(DateTool);
    let replace = move |session: &Session| {
        let next = Toolbox::builder()
            .container(other.clone())
            .expansion(ExpansionSettings::new().fixed_definitions())
            .build()
            .expect("valid");
        drop(session.replace_toolbox(&next).expect("it needs no state"));
    };
    let losses = losses(toolbox(true).session(), &model(), replace);
    assert_eq!((losses.len(), losses[0].0, losses[0].1, losses[0].2), (1, 0, PromptPart::Tools, 0));
}

/// Anthropic gets the deferred definitions with every request. In the Responses API, a member is not in the list before it is found.
#[test]
fn a_new_member_of_a_container_loses_bytes_only_if_its_definition_is_listed() {
    let toolbox = |dialect: Dialect, has_more: bool| {
        let clock = Container::new("Clock", "Tells the time.").tool(HourTool);
        let clock = if has_more { clock.tool(DateTool) } else { clock };
        let builder = Toolbox::builder().container(clock).find_tools(FindTools::new());
        let builder = builder.for_provider(dialect).definition_loading(DefinitionLoading::Native);
        builder.build().expect("the registration is valid")
    };
    for (dialect, is_lost) in [(Dialect::ANTHROPIC, true), (Dialect::OPENAI_RESPONSES, false)] {
        let session = toolbox(dialect, false).session();
        let before: usize = session.definitions().iter().map(|tool| tool.to_string().len()).sum();
        let replace = |session: &Session| {
            drop(session.replace_toolbox(&toolbox(dialect, true)).expect("it needs no state"));
        };
        let losses = losses(session, &model(), replace);
        assert_eq!(losses.len(), usize::from(is_lost), "{losses:?}");
        for (step, part, kept, lost) in losses {
            // The new definition follows those that were there.
            assert_eq!((step, part, kept), (0, PromptPart::Tools, before));
            assert!(lost > 200, "the messages follow the definitions: {lost}");
        }
    }
}

#[test]
fn a_reminder_loses_only_the_last_message() {
    let session = toolbox(true).session();
    session.add_reminder("The build is red.");
    let model = ScriptedModel::new().text("Noon.").text("Bye.");
    let losses = losses(session, &model, |_| {});
    let last = serde_json::to_string(model.requests()[0].messages.last().expect("a prompt")).expect("JSON");
    assert_eq!((losses.len(), losses[0].1, losses[0].3), (1, PromptPart::Messages, last.len()));
}

#[test]
fn an_empty_request_loses_nothing_and_a_shorter_one_its_rest() {
    let (tools, options) = (Definitions::default(), Options::default());
    let messages = model_messages();
    let mut prefix = PromptPrefix::default();
    assert_eq!(prefix.compare(&Request::new(&[], &tools, &options)), None);
    assert_eq!(prefix.compare(&Request::new(&messages, &tools, &options)), None);
    let loss = prefix.compare(&Request::new(&messages[..1], &tools, &options)).expect("a message is gone");
    assert_eq!((loss.part, loss.lost > 0, loss.kept > 0), (PromptPart::Messages, true, true));
}

fn model_messages() -> Vec<tool_chat::model::Message> {
    ["One.", "Two."].map(|text| tool_chat::model::Message::User(text.to_owned())).to_vec()
}
