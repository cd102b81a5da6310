//! Recordings that differ from the requests, and the errors about them.

use std::sync::Arc;

use tool_chat::conversation::Conversation;
use tool_chat::model::{ChatModel, Options, RecordingModel, Redaction, ReplayModel, ScriptedModel};
use tool_runtime::Toolbox;

use super::recordings::{File, failed};
use super::tools::session;

/// Returns the recording of one turn with a call.
pub(crate) fn recording() -> String {
    let file = File::default();
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let recorder = RecordingModel::new(model, file.clone(), Redaction::new());
    pollster::block_on(Conversation::new(session(), recorder).ask("Paris?"));
    file.text()
}

#[test]
fn the_error_about_a_different_request_shows_both_messages() {
    let replay = ReplayModel::from_text(&recording(), Redaction::new()).expect("it was just written");
    let end = pollster::block_on(Conversation::new(session(), replay).ask("London?"));
    assert_eq!(
        failed(end),
        "the recording does not match the conversation: request 1 differs in message 1\n- {\"user\":\"Paris?\"}\n+ {\"user\":\"London?\"}"
    );
}

#[test]
fn long_messages_are_shown_around_the_first_difference() {
    let file = File::default();
    let rules = "Be brief. ".repeat(500);
    let instructed = |model: Arc<dyn ChatModel>, end: &str| {
        let mut conversation = Conversation::new(session(), model).instructions(format!("{rules}{end}{rules}"));
        pollster::block_on(conversation.ask("Paris?"))
    };
    let recorder = RecordingModel::new(ScriptedModel::new().text("Sun."), file.clone(), Redaction::new());
    instructed(Arc::new(recorder), "Use metres. ");
    let replay = ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written");
    let told = failed(instructed(Arc::new(replay), "Use füße. "));
    assert!(told.contains("\n- …") && told.contains("Use metres. Be brief."), "{told}");
    assert!(told.contains("\n+ …") && told.contains("Use füße. Be brief."), "{told}");
    assert!(told.len() < 1_500, "{} bytes", told.len());
}

#[test]
fn removed_tools_are_reported_by_name() {
    let replay = ReplayModel::from_text(&recording(), Redaction::new()).expect("it was just written");
    let empty = Toolbox::builder().build().expect("an empty toolbox is valid").session();
    let told = failed(pollster::block_on(Conversation::new(empty, replay).ask("Paris?")));
    assert!(told.contains("request 1 differs in the tools\n- [\"get_weather\",\"book_table\""), "{told}");
    assert!(told.ends_with("+ []"), "{told}");
}

mod other {
    use tool_runtime::tool;

    /// Current weather for a town.
    #[tool]
    pub(crate) fn get_weather(
        /// City and country.
        location: String,
    ) -> String {
        location
    }
}

#[test]
fn a_changed_definition_is_reported() {
    let file = File::default();
    let builder = || Toolbox::builder().no_throttle();
    let before = builder().tool(super::tools::GetWeatherTool).build().expect("the toolbox is valid").session();
    let recorder = RecordingModel::new(ScriptedModel::new().text("Sun."), file.clone(), Redaction::new());
    pollster::block_on(Conversation::new(before, recorder).ask("Paris?"));
    let now = builder().tool(other::GetWeatherTool).build().expect("the toolbox is valid").session();
    let replay = ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written");
    let told = failed(pollster::block_on(Conversation::new(now, replay).ask("Paris?")));
    assert!(told.ends_with("request 1 differs in the definitions of the tools"), "{told}");
}

#[test]
fn different_options_are_reported() {
    let mut options = Options::default();
    options.temperature = Some(0.5);
    let replay = ReplayModel::from_text(&recording(), Redaction::new()).expect("it was just written");
    let told = failed(pollster::block_on(Conversation::new(session(), replay).request_options(options).ask("Paris?")));
    assert!(
        told.contains("request 1 differs in the options\n- {\"tool_choice\":\"auto\"}\n+ {\"temperature\":0.5"),
        "{told}"
    );
}

#[test]
fn a_request_after_the_last_is_reported_with_its_number() {
    let replay = ReplayModel::from_text(&recording(), Redaction::new()).expect("it was just written");
    let mut conversation = Conversation::new(session(), replay);
    assert_eq!(pollster::block_on(conversation.ask("Paris?")).text(), Some("Sun."));
    let told = failed(pollster::block_on(conversation.ask("And?")));
    assert_eq!(told, "the recording does not match the conversation: it has 2 requests, and this is number 3");
}

#[test]
fn a_different_request_does_not_consume_the_recorded_answer() {
    let replay = Arc::new(ReplayModel::from_text(&recording(), Redaction::new()).expect("it was just written"));
    failed(pollster::block_on(Conversation::new(session(), Arc::clone(&replay)).ask("London?")));
    let end = pollster::block_on(Conversation::new(session(), replay).ask("Paris?"));
    assert_eq!(end.text(), Some("Sun."));
}
