//! Conversations that are written down, and held again from what was written.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tests::obedient::obedient;
use tool_runtime::conversation::{Conversation, CorrectionContext, End};
use tool_runtime::model::{
    ChatModel, ModelError, ModelErrorKind, Options, Recorder, Redaction, Replay, Request, Response, ScriptedModel,
    ToolCall, Usage,
};
use tool_runtime::transcript::Entry;
use tool_runtime::{Format, Toolbox, tool};

use super::tools::session;

/// A file that a test can read.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics under the lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl File {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panics under the lock").clone()).expect("JSON is UTF-8")
    }
}

/// Everything that a conversation leaves behind.
fn transcript(conversation: &Conversation) -> Vec<String> {
    let entries = conversation.transcript().entries().iter().map(|entry| match entry {
        Entry::Called(call) => {
            format!("{}.{} {}({}) {}", call.turn, call.step, call.name, call.arguments, call.outcome.to_text())
        }
        other => format!("{other:?}"),
    });
    entries.chain([format!("{:?}", conversation.transcript().usage())]).collect()
}

/// A whole conversation with refusals, corrections and containers; its end and its transcript.
fn held(model: impl ChatModel + 'static, context: CorrectionContext) -> (Option<String>, Vec<String>) {
    let mut conversation = Conversation::new(session(), model).instructions("Be brief.").correction_context(context);
    pollster::block_on(conversation.ask("Do all of it."));
    let end = pollster::block_on(conversation.ask("And thanks."));
    (end.text().map(str::to_owned), transcript(&conversation))
}

#[test]
fn a_conversation_is_held_again_as_it_was() {
    let attempts = [
        ("get_weather", r#"{"days": 30}"#),
        ("Math", r#"{"function": "add", "a": 5, "b": 10}"#),
        ("get_wether", r#"{"location": "Oslo"#),
    ];
    for context in [CorrectionContext::Full, CorrectionContext::Minimal] {
        let file = File::default();
        let recorded = held(Recorder::new(obedient(attempts), file.clone(), Redaction::new()), context);
        assert!(recorded.1.len() > 8, "{recorded:#?}");
        let replay = Replay::from_text(&file.text(), Redaction::new()).expect("it was just written");
        assert_eq!(held(replay, context), recorded);
    }
}

#[test]
fn usage_stop_and_errors_are_recorded() {
    let file = File::default();
    let error = ModelError::new(ModelErrorKind::RateLimited { retry_after: None }, "slow down");
    let cost = Usage { input_tokens: 12, output_tokens: 3 };
    let model = ScriptedModel::new().error(error.clone()).text("Noon.").usage(cost);
    let asked = |model: &dyn ChatModel| {
        let (tools, options) = (tool_runtime::schema::Definitions::default(), Options::default());
        let request = Request { messages: &[], tools: &tools, options: &options };
        [0, 1].map(|_| pollster::block_on(model.complete(request)))
    };
    let expected = [Err(error), Ok(Response::text("Noon.").with_usage(cost))];
    assert_eq!(asked(&Recorder::new(model, file.clone(), Redaction::new())), expected);
    assert_eq!(asked(&Replay::from_text(&file.text(), Redaction::new()).expect("it was just written")), expected);
}

#[test]
fn definitions_have_the_form_of_the_recorded_model() {
    let model = ScriptedModel::new().in_format(Format::Anthropic);
    assert_eq!(Recorder::new(model, File::default(), Redaction::new()).format(), Format::Anthropic);
}

/// The recording of one turn with a call.
fn recording() -> String {
    let file = File::default();
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let recorder = Recorder::new(model, file.clone(), Redaction::new());
    pollster::block_on(Conversation::new(session(), recorder).ask("Paris?"));
    file.text()
}

fn failed(end: End) -> String {
    if let End::Failed { error } = end { error.to_string() } else { panic!("{end:?}") }
}

#[test]
fn a_request_that_differs_is_told_with_both_messages() {
    let replay = Replay::from_text(&recording(), Redaction::new()).expect("it was just written");
    let end = pollster::block_on(Conversation::new(session(), replay).ask("London?"));
    assert_eq!(
        failed(end),
        "the recording does not match: request 1 differs in message 1\n- {\"user\":\"Paris?\"}\n+ {\"user\":\"London?\"}"
    );
}

#[test]
fn tools_that_are_not_there_any_more_are_told_by_name() {
    let replay = Replay::from_text(&recording(), Redaction::new()).expect("it was just written");
    let empty = Toolbox::builder().build().expect("nothing is wrong with nothing").session();
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
fn a_definition_that_changed_is_told() {
    let file = File::default();
    let builder = || Toolbox::builder().no_throttle();
    let before = builder().tool(super::tools::GetWeatherTool).build().expect("one tool is a toolbox").session();
    let recorder = Recorder::new(ScriptedModel::new().text("Sun."), file.clone(), Redaction::new());
    pollster::block_on(Conversation::new(before, recorder).ask("Paris?"));
    let now = builder().tool(other::GetWeatherTool).build().expect("one tool is a toolbox").session();
    let replay = Replay::from_text(&file.text(), Redaction::new()).expect("it was just written");
    let told = failed(pollster::block_on(Conversation::new(now, replay).ask("Paris?")));
    assert!(told.ends_with("request 1 differs in the definitions of the tools"), "{told}");
}

#[test]
fn options_that_differ_are_told() {
    let mut options = Options::default();
    options.temperature = Some(0.5);
    let replay = Replay::from_text(&recording(), Redaction::new()).expect("it was just written");
    let told = failed(pollster::block_on(Conversation::new(session(), replay).options(options).ask("Paris?")));
    assert!(
        told.contains("request 1 differs in the options\n- {\"tool_choice\":\"auto\"}\n+ {\"temperature\":0.5"),
        "{told}"
    );
}

#[test]
fn a_request_after_the_last_is_told_with_its_number() {
    let replay = Replay::from_text(&recording(), Redaction::new()).expect("it was just written");
    let mut conversation = Conversation::new(session(), replay);
    assert_eq!(pollster::block_on(conversation.ask("Paris?")).text(), Some("Sun."));
    let told = failed(pollster::block_on(conversation.ask("And?")));
    assert_eq!(told, "the recording does not match: it has 2 requests, and this is number 3");
}

#[test]
fn a_request_that_differs_can_be_put_right() {
    let replay = Arc::new(Replay::from_text(&recording(), Redaction::new()).expect("it was just written"));
    failed(pollster::block_on(Conversation::new(session(), Arc::clone(&replay)).ask("London?")));
    let end = pollster::block_on(Conversation::new(session(), replay).ask("Paris?"));
    assert_eq!(end.text(), Some("Sun."));
}

#[test]
fn a_bad_line_is_named() {
    let recording = recording();
    let refused = |text: &str| Replay::from_text(text, Redaction::new()).expect_err("it is broken").to_string();
    let lines: Vec<&str> = recording.lines().collect();
    let between = refused(&format!("{}\nnonsense\n{}\n", lines[0], lines[1]));
    assert!(between.starts_with("the recording does not match: line 2: "), "{between}");
    let cut = refused(&recording[..recording.len() - 20]);
    assert!(cut.starts_with("the recording does not match: line 2: EOF while parsing"), "{cut}");
    let blank = refused(&format!("\n\n{}", &lines[0][..40]));
    assert!(blank.starts_with("the recording does not match: line 3: "), "{blank}");
}

#[test]
fn a_recording_that_cannot_be_written_fails_the_turn() {
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let recorder = Recorder::new(ScriptedModel::new().text("Sun."), Full, Redaction::new());
    let told = failed(pollster::block_on(Conversation::new(session(), recorder).ask("Paris?")));
    assert!(told.ends_with("the recording cannot be written: no space left"), "{told}");
}

/// Logs the user in.
#[tool]
fn log_in(
    /// Who.
    user: String,
    /// The number that only the user knows.
    #[tool(sensitive, length(min = 4))]
    pin: String,
) -> String {
    drop(pin);
    format!("{user} is in")
}

/// Fetches a page.
#[tool(undocumented)]
fn fetch(url: String, headers: std::collections::BTreeMap<String, String>) -> String {
    format!("{url} with {}", headers.len())
}

fn vault() -> Toolbox {
    Toolbox::builder().no_throttle().tool(LogInTool).tool(FetchTool).build().expect("all names differ")
}

/// What is written of a conversation in which a tool is called like this.
fn written(name: &str, arguments: &str) -> String {
    let file = File::default();
    let model = ScriptedModel::new().call(name, arguments).text("Done.");
    let recorder = Recorder::new(model, file.clone(), Redaction::new().toolbox(&vault()));
    let mut conversation = Conversation::new(vault().session(), recorder).force_corrections(false);
    assert_eq!(pollster::block_on(conversation.ask("Go.")).text(), Some("Done."));
    file.text()
}

/// Every way in which a model may write a secret; `73914` is the secret.
const SECRETS: [(&str, &str); 22] = [
    ("log_in", r#"{"user": "ann", "pin": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pin": 73914}"#),
    ("log_in", r#"{"user": "ann", "pin": {"digits": ["73914"]}}"#),
    ("log_in", r#"{"user": "ann", "PIN": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pin": "1", "pin": "73914"}"#),
    ("log_in", r#"{"user": "ann", "p\u0069n": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pni": "73914"}"#),
    ("log_in", r#"{"arguments": {"user": "ann", "pin": "73914"}}"#),
    ("log_in", r#"{"arguments": "{\"user\": \"ann\", \"pin\": \"73914\"}"}"#),
    ("log_in", r#"{"arguments": "73914"}"#),
    ("log_in", r#""{\"user\": \"ann\", \"pin\": \"73914\"}""#),
    ("log_in", r#"["ann", "73914"]"#),
    ("log_in", r#"73914"#),
    ("log_in", r#"{"user": "ann", "pin": "73914""#),
    ("log_in", r#"{"user": "ann", 'pin': '73914',}"#),
    ("log_in", "user ann pin 73914"),
    ("log_out", r#"{"user": "ann", "number": "73914"}"#),
    ("fetch", r#"{"url": "/", "headers": {"Authorization": "Bearer 73914"}}"#),
    ("fetch", r#"{"url": "/", "headers": {"X-Api-Key": "73914", "Set-Cookie": "73914"}}"#),
    ("fetch", r#"{"url": "/", "headers": [{"name": "Authorization", "value": "Bearer 73914"}]}"#),
    ("fetch", r#"{"url": "/", "headers": "X-Api-Key: 73914"}"#),
    ("fetch", r#"{"url": "/", "headers": {"x_api_key": "73914"}, "#),
];

#[test]
fn no_secret_is_written_however_it_is_sent() {
    for (name, arguments) in SECRETS {
        let written = written(name, arguments);
        assert!(!written.contains("73914"), "{arguments}:\n{written}");
        assert!(written.contains("<redacted>"), "{arguments}:\n{written}");
    }
}

#[test]
fn what_is_no_secret_is_written_as_it_was_sent() {
    for (name, arguments) in [
        ("fetch", r#"{"url": "/?page=2", "headers": {"Accept": "text/html", "b": "1", "a": "2"}}"#),
        ("fetch", r#"{"url": "/", "headers": {"#),
        ("fetch", r#"{"url": "C:\\pages", "headers": {}}"#),
    ] {
        let quoted = serde_json::to_string(arguments).expect("a string is JSON");
        assert!(written(name, arguments).contains(&quoted), "{arguments}");
    }
}

#[test]
fn a_secret_that_a_tool_gives_or_a_provider_repeats_is_not_written() {
    /// Starts a session.
    #[tool]
    fn begin() -> String {
        r#"{"session": {"access_token": "73914"}}"#.to_owned()
    }

    let file = File::default();
    let refused = ModelError::new(ModelErrorKind::Refused, "Incorrect API key provided: 73914");
    let model = ScriptedModel::new().call("begin", "{}").error(refused);
    let recorder = Recorder::new(model, file.clone(), Redaction::new());
    let session = Toolbox::builder().tool(BeginTool).build().expect("one tool is a toolbox").session();
    failed(pollster::block_on(Conversation::new(session, recorder).ask("Go.")));
    assert!(!file.text().contains("73914"), "{}", file.text());
}

#[test]
fn a_conversation_with_secrets_is_held_again() {
    let turn = |model: Arc<dyn ChatModel>| {
        let mut conversation = Conversation::new(vault().session(), model);
        let end = pollster::block_on(conversation.ask("Go."));
        (end.text().map(str::to_owned), conversation.transcript().calls().count())
    };
    let (file, redaction) = (File::default(), Redaction::new().toolbox(&vault()));
    let calls = [r#"{"user": "ann", "pni": "73914"}"#, r#"{"user": "ann", "pin": "73914"}"#];
    let calls = calls.map(|arguments| Response::calls([ToolCall::new("call", "log_in", arguments)]));
    let model = calls.into_iter().fold(ScriptedModel::new(), ScriptedModel::answer).text("Ann is in.");
    let recorded = turn(Arc::new(Recorder::new(model, file.clone(), redaction.clone())));
    assert_eq!(recorded, (Some("Ann is in.".to_owned()), 2));
    let again = turn(Arc::new(Replay::from_text(&file.text(), redaction).expect("it was just written")));
    assert_eq!(again, recorded);
}
