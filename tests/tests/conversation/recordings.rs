//! Conversations that are recorded and replayed.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tests::obedient::obedient;
use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd};
use tool_chat::model::{
    ChatModel, ModelError, ModelErrorKind, Options, RecordingModel, Redaction, ReplayModel, Request, Response,
    ScriptedModel, ToolCall, Usage,
};
use tool_chat::transcript::Entry;
use tool_runtime::Dialect;

use super::mismatches::recording;
use super::tools::session;

/// A file that a test can read.
#[derive(Clone, Default)]
pub(crate) struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the lock is not poisoned").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl File {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("the lock is not poisoned").clone()).expect("JSON is UTF-8")
    }
}

/// Returns a transcript as text.
fn transcript(conversation: &Conversation) -> Vec<String> {
    let entries = conversation.transcript().entries().iter().map(|entry| match entry {
        Entry::Called(call) => {
            format!("{}.{} {}({}) {}", call.turn, call.step, call.name, call.arguments, call.outcome.to_text())
        }
        other => format!("{other:?}"),
    });
    entries.chain([format!("{:?}", conversation.transcript().usage())]).collect()
}

/// Runs a conversation with rejections, corrections and containers. Returns its last answer and its transcript.
fn held(model: impl ChatModel + 'static) -> (Option<String>, Vec<String>) {
    let mut conversation = Conversation::new(session(), model).instructions("Be brief.");
    pollster::block_on(conversation.ask("Do all of it."));
    let end = pollster::block_on(conversation.ask("And thanks."));
    (end.text().map(str::to_owned), transcript(&conversation))
}

#[test]
fn a_replayed_conversation_equals_the_recorded_one() {
    let attempts = [
        ("get_weather", r#"{"days": 30}"#),
        ("Math", r#"{"function": "add", "a": 5, "b": 10}"#),
        ("get_wether", r#"{"location": "Oslo"#),
    ];
    let file = File::default();
    let recorded = held(RecordingModel::new(obedient(attempts), file.clone(), Redaction::new()));
    assert!(recorded.1.len() > 8, "{recorded:#?}");
    let replay = ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written");
    assert_eq!(held(replay), recorded);
}

#[test]
fn stop_reasons_usage_and_errors_are_recorded() {
    let file = File::default();
    let error = ModelError::new(ModelErrorKind::RateLimited { retry_after: None }, "slow down");
    let cost = Usage::new(12, 3);
    let model = ScriptedModel::new().error(error.clone()).text("Noon.").usage(cost);
    let asked = |model: &dyn ChatModel| {
        let (tools, options) = (tool_schema::dialect::Definitions::default(), Options::default());
        let request = Request::new(&[], &tools, &options);
        [0, 1].map(|_| pollster::block_on(model.complete(request)))
    };
    let expected = [Err(error), Ok(Response::from_text("Noon.").with_usage(cost))];
    assert_eq!(asked(&RecordingModel::new(model, file.clone(), Redaction::new())), expected);
    assert_eq!(asked(&ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written")), expected);
}

#[test]
fn definitions_have_the_form_of_the_recorded_model() {
    let model = ScriptedModel::new().in_dialect(Dialect::ANTHROPIC);
    assert_eq!(RecordingModel::new(model, File::default(), Redaction::new()).dialect(), Dialect::ANTHROPIC);
}

pub(crate) fn failed(end: TurnEnd) -> String {
    if let TurnEnd::Failed { error } = end { error.to_string() } else { panic!("{end:?}") }
}

#[test]
fn thoughts_are_recorded() {
    let file = File::default();
    let thoughts = vec![serde_json::json!({"type": "thinking", "thinking": "Paris.", "signature": "c2ln"})];
    let answer = |thoughts: &[serde_json::Value]| {
        let calls = [ToolCall::new("call_1", "get_weather", r#"{"location": "Paris"}"#)];
        Response::from_calls(calls).with_thoughts(thoughts.to_vec())
    };
    let turn = |model: Arc<dyn ChatModel>| {
        pollster::block_on(Conversation::new(session(), model).ask("Paris?")).text().map(str::to_owned)
    };
    let model = ScriptedModel::new().answer(answer(&thoughts)).text("Sun.");
    turn(Arc::new(RecordingModel::new(model, file.clone(), Redaction::new())));
    let replay = |text: &str| Arc::new(ReplayModel::from_text(text, Redaction::new()).expect("it was just written"));
    assert_eq!(turn(replay(&file.text())).as_deref(), Some("Sun."));
    // Thoughts are part of the request: a request without them differs.
    let without = file.text().replacen(r#""signature":"c2ln""#, r#""signature":"other""#, 1);
    assert_eq!(turn(replay(&without)), None);
}

#[test]
fn an_invalid_line_is_reported_with_its_number() {
    let recording = recording();
    let rejected = |text: &str| ReplayModel::from_text(text, Redaction::new()).expect_err("it is broken").to_string();
    let lines: Vec<&str> = recording.lines().collect();
    let between = rejected(&format!("{}\nnonsense\n{}\n", lines[0], lines[1]));
    assert!(between.starts_with("the recording does not match the conversation: line 2: "), "{between}");
    let cut = rejected(&recording[..recording.len() - 20]);
    assert!(cut.starts_with("the recording does not match the conversation: line 2: EOF while parsing"), "{cut}");
    let blank = rejected(&format!("\n\n{}", &lines[0][..40]));
    assert!(blank.starts_with("the recording does not match the conversation: line 3: "), "{blank}");
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
    let recorder = RecordingModel::new(ScriptedModel::new().text("Sun."), Full, Redaction::new());
    let told = failed(pollster::block_on(Conversation::new(session(), recorder).ask("Paris?")));
    assert!(told.ends_with("the recording cannot be written: no space left"), "{told}");
}

/// Streams a conversation with an answer that is not read to its end. Returns the number of pieces, the last answer and the transcript.
fn streamed(model: impl ChatModel + 'static) -> (usize, Option<String>, Vec<String>) {
    let pieces = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&pieces);
    let conversation = Conversation::new(session(), model).streaming(true);
    let mut conversation = conversation.on_event(move |event| {
        if let ConversationEvent::Delta { .. } = event {
            *counted.lock().expect("the lock is not poisoned") += 1;
        }
    });
    let end = pollster::block_on(conversation.ask("Paris?"));
    let pieces = *pieces.lock().expect("the lock is not poisoned");
    (pieces, end.text().map(str::to_owned), transcript(&conversation))
}

fn cut_off() -> ScriptedModel {
    let lost = format!(r#"{{"days": 1/6, "location": "{}"}}"#, "x".repeat(1_000));
    let model = ScriptedModel::new().delta_size(3).call("get_weather", lost);
    model.call("get_weather", r#"{"location": "Paris"}"#).text("Sun, all day.")
}

#[test]
fn a_streamed_conversation_is_recorded_and_replayed() {
    let file = File::default();
    let plain = streamed(cut_off());
    let recorded = streamed(RecordingModel::new(cut_off(), file.clone(), Redaction::new()));
    assert_eq!(recorded, plain);
    assert_eq!(file.text().lines().count(), 3);
    assert!(!file.text().contains("xxx"), "the unread part is not recorded");
    let replay = || ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written");
    assert_eq!(streamed(replay().delta_size(3)), recorded);
    let (at_once, end, transcript) = streamed(replay());
    assert_eq!((&end, &transcript), (&recorded.1, &recorded.2));
    assert!(at_once < plain.0, "{at_once} pieces");
}

#[test]
fn an_error_that_breaks_a_stream_is_recorded() {
    let file = File::default();
    let error = ModelError::new(ModelErrorKind::Transport, "connection reset");
    let model = ScriptedModel::new().error(error.clone());
    let (_, end, _) = streamed(RecordingModel::new(model, file.clone(), Redaction::new()));
    assert_eq!(end, None);
    let replay = ReplayModel::from_text(&file.text(), Redaction::new()).expect("it was just written");
    let end = pollster::block_on(Conversation::new(session(), replay).ask("Paris?"));
    assert_eq!(failed(end), error.to_string());
}

#[test]
fn a_line_that_cannot_be_written_is_reported_at_the_next_request() {
    /// A writer without space for the first line.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 == 1 { Err(io::Error::new(io::ErrorKind::StorageFull, "no space left")) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut conversation =
        Conversation::new(session(), RecordingModel::new(cut_off(), Full(0), Redaction::new())).streaming(true);
    let told = failed(pollster::block_on(conversation.ask("Paris?")));
    assert!(told.ends_with("the recording cannot be written: no space left"), "{told}");
    assert_eq!(pollster::block_on(conversation.ask("Again?")).text(), Some("Sun, all day."));
}
