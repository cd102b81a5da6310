//! Streamed answers.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::{
    ChatModel, Delta, DeltaStream, Deltas, Message, ModelError, ModelErrorKind, Request, Response, ResponseFuture,
    ScriptedModel, StopReason, ToolCall,
};
use tool_runtime::clock::{Clock, SimulatedClock};

use super::assembled::piece;
use super::tools::session;

/// Runs a turn with answers in pieces of three characters, and returns its events.
fn streamed(model: ScriptedModel) -> (TurnEnd, Vec<String>, Conversation) {
    turn(model.delta_size(3))
}

/// Runs a turn with streamed answers, and returns its events.
fn turn(model: impl ChatModel + 'static) -> (TurnEnd, Vec<String>, Conversation) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let conversation = Conversation::new(session(), model).streaming(true);
    let mut conversation = conversation.on_event(move |event| {
        let line = match event {
            ConversationEvent::EarlyIssues { tool, issues, .. } => format!("doubtful {tool}: {}", issues[0].message()),
            ConversationEvent::ArgumentsCutOff { tool, .. } => format!("cut off {tool}"),
            _ => return,
        };
        heard.lock().expect("the lock is not poisoned").push(line);
    });
    let end = pollster::block_on(conversation.ask("Paris?"));
    let told = told.lock().expect("the lock is not poisoned").clone();
    (end, told, conversation)
}

#[test]
fn streamed_arguments_are_assembled() {
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Zürich", "days": 3}"#).text("Sun.");
    let (end, told, conversation) = streamed(model);
    assert_eq!((end.text(), told.len()), (Some("Sun."), 0));
    assert_eq!(
        conversation.transcript().calls().next().map(|call| call.outcome.to_text()).as_deref(),
        Some("Zürich: sun for 3 days")
    );
}

#[test]
fn repairable_arguments_are_reported_and_read_to_the_end() {
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris", "days": "3"}"#).text("Sun.");
    let (end, told, conversation) = streamed(model);
    assert_eq!(end.text(), Some("Sun."));
    assert_eq!(told, ["doubtful get_weather: days must be an integer or null"]);
    assert_eq!(came_to(&conversation), pairs(&[("get_weather", "Paris: sun for 3 days")]));
}

#[test]
fn unrepairable_arguments_are_not_read_to_the_end() {
    let long = format!(r#"{{"days": 1/6, "location": "{}"}}"#, "x".repeat(1_000));
    let model = ScriptedModel::new().call("get_weather", long).call("get_weather", r#"{"location": "Paris"}"#);
    let (end, told, conversation) = streamed(model.text("Sun."));
    assert_eq!((end.text(), told), (Some("Sun."), vec!["cut off get_weather".to_owned()]));
    let first = conversation.transcript().calls().next();
    assert!(first.is_some_and(|call| call.arguments.len() < 20 && !call.outcome.is_ok()));
}

type Pieces = VecDeque<Result<Delta, ModelError>>;

/// A model whose answers consist of these pieces.
#[derive(Clone)]
struct Streaming(Arc<Mutex<Said>>);

/// The remaining answers, and the messages of the requests so far.
type Said = (VecDeque<Pieces>, Vec<Vec<Message>>);

impl Streaming {
    fn new<P: IntoIterator<Item = Result<Delta, ModelError>>>(answers: impl IntoIterator<Item = P>) -> Self {
        let answers = answers.into_iter().map(|pieces| pieces.into_iter().collect()).collect();
        Self(Arc::new(Mutex::new((answers, Vec::new()))))
    }

    /// Returns the messages of the last request.
    fn sent(&self) -> Vec<Message> {
        self.0.lock().expect("the lock is not poisoned").1.last().cloned().unwrap_or_default()
    }
}

impl ChatModel for Streaming {
    fn complete<'a>(&'a self, _: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Rejected, "it only streams")) })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        let mut inner = self.0.lock().expect("the lock is not poisoned");
        inner.1.push(request.messages.to_vec());
        Box::pin(Ready(inner.0.pop_front().expect("there is an answer left")))
    }
}

/// Pieces that are all available immediately.
struct Ready(Pieces);

impl Deltas for Ready {
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        Poll::Ready(self.0.pop_front())
    }
}

fn text(text: &str) -> Vec<Result<Delta, ModelError>> {
    vec![Ok(Delta::Text(text.to_owned()))]
}

/// Returns the names of the calls of a conversation with their results.
fn came_to(conversation: &Conversation) -> Vec<(String, String)> {
    let calls = conversation.transcript().calls();
    let came_to = calls.map(|call| match call.outcome.as_result() {
        Ok(payload) => (call.name.clone(), payload.as_str().to_owned()),
        Err(failure) => (call.name.clone(), failure.error_type().to_owned()),
    });
    came_to.collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn calls_whose_pieces_alternate_are_all_made() {
    let interleaved = [
        Delta::Text("Let me ".to_owned()),
        piece(0, Some("a"), Some("get_weather"), ""),
        piece(1, Some("b"), Some("book_table"), "{\"gue"),
        piece(0, None, None, "{\"location\": \"Par"),
        Delta::Text("look.".to_owned()),
        piece(1, None, None, "sts\": 2}"),
        piece(0, None, None, "is\"}"),
        Delta::Stop(StopReason::ToolCalls),
    ];
    let model = Streaming::new([interleaved.map(Ok).to_vec(), text("Done.")]);
    let (end, told, conversation) = turn(model.clone());
    assert_eq!((end.text(), told.len()), (Some("Done."), 0));
    let expected = [("get_weather", "Paris: sun for 1 days"), ("book_table", "a table for 2")];
    assert_eq!(came_to(&conversation), pairs(&expected));
    let calls = [
        ToolCall::new("a", "get_weather", r#"{"location": "Paris"}"#),
        ToolCall::new("b", "book_table", r#"{"guests": 2}"#),
    ];
    assert_eq!(model.sent()[1], Message::from(Response::from_text("Let me look.").with_calls(calls.to_vec())));
}

#[test]
fn a_broken_stream_makes_no_call() {
    let broken = ModelError::new(ModelErrorKind::Transport, "connection reset");
    let whole = piece(0, Some("a"), Some("get_weather"), r#"{"location": "Paris"}"#);
    let open = piece(1, Some("b"), Some("get_weather"), "{\"location\": \"Lon");
    let model = Streaming::new([vec![Ok(whole), Ok(open), Err(broken.clone())], text("Sun.")]);
    let (end, _, mut conversation) = turn(model.clone());
    assert!(matches!(&end, TurnEnd::Failed { error } if *error == broken), "{end:?}");
    assert_eq!(came_to(&conversation), []);
    assert_eq!(pollster::block_on(conversation.ask("Again?")).text(), Some("Sun."));
    assert_eq!(model.sent(), ["Paris?", "Again?"].map(|text| Message::User(text.to_owned())));
}

#[test]
fn a_truncated_call_is_not_run() {
    let cut = [
        piece(0, Some("a"), Some("book_table"), r#"{"guests": 2}"#),
        piece(1, Some("b"), Some("get_weather"), "{\"location\": \"Lon"),
        Delta::Stop(StopReason::Length),
    ];
    let whole = piece(0, Some("c"), Some("get_weather"), r#"{"location": "London"}"#);
    let model = Streaming::new([cut.map(Ok).to_vec(), vec![Ok(whole)], text("Sun.")]);
    let (end, told, conversation) = turn(model);
    assert_eq!((end.text(), told.len()), (Some("Sun."), 0));
    let expected =
        [("book_table", "a table for 2"), ("get_weather", "invalid_json"), ("get_weather", "London: sun for 1 days")];
    assert_eq!(came_to(&conversation), pairs(&expected));
}

#[test]
fn an_issue_in_streamed_arguments_is_reported_once_before_the_answer_ends() {
    let pieces = [
        piece(0, Some("a"), Some("get_weather"), r#"{"location": ["#),
        piece(0, None, None, r#""Rome"], "days": {"#),
        piece(0, None, None, "}}"),
    ];
    let model = Streaming::new([pieces.map(Ok).to_vec(), text("No.")]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let conversation = Conversation::new(session(), model).streaming(true).force_corrections(false);
    let mut conversation = conversation.on_event(move |event| {
        let line = match event {
            ConversationEvent::EarlyIssues { issues, .. } => issues[0].message(),
            ConversationEvent::Delta { delta: Delta::Call { .. }, .. } => "piece".to_owned(),
            ConversationEvent::Answered { .. } => "said".to_owned(),
            _ => return,
        };
        heard.lock().expect("the lock is not poisoned").push(line);
    });
    pollster::block_on(conversation.ask("Paris?"));
    let told = told.lock().expect("the lock is not poisoned").clone();
    assert_eq!(told, ["piece", "location must be a string", "piece", "piece", "said", "said"]);
    assert_eq!(came_to(&conversation), pairs(&[("get_weather", "validation_error")]));
}

#[test]
fn a_complete_call_is_made_although_a_later_one_is_abandoned() {
    let pieces = [
        piece(0, Some("a"), Some("book_table"), r#"{"guests": 2}"#),
        piece(1, Some("b"), Some("get_weather"), r#"{"days": 1/6, "#),
        piece(1, None, None, r#""location": "Paris"}"#),
    ];
    let model = Streaming::new([pieces.map(Ok).to_vec(), text("No?")]);
    let (_, told, conversation) = turn(model);
    assert_eq!(told, ["cut off get_weather"]);
    assert_eq!(came_to(&conversation), pairs(&[("book_table", "a table for 2"), ("get_weather", "invalid_json")]));
    assert!(conversation.transcript().calls().all(|call| !call.arguments.contains("Paris")));
}

/// A server whose next piece is always available, and takes a millisecond.
struct Endless(SimulatedClock, Delta);

impl ChatModel for Endless {
    fn complete<'a>(&'a self, _: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Rejected, "it only streams")) })
    }

    fn stream<'a>(&'a self, _: Request<'a>) -> DeltaStream<'a> {
        Box::pin(Again(self.0.clone(), self.1.clone()))
    }
}

struct Again(SimulatedClock, Delta);

impl Deltas for Again {
    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        self.0.advance(Duration::from_millis(1));
        Poll::Ready(Some(Ok(self.1.clone())))
    }
}

#[test]
fn a_server_that_never_pauses_is_stopped_by_the_time_limit() {
    let backtick =
        Delta::Call { index: 0, id: Some("1".into()), name: Some("get_weather".into()), arguments: "`".into() };
    for delta in [Delta::Text("`".into()), Delta::Thought(1.into()), backtick] {
        let clock = SimulatedClock::new();
        let time = Duration::from_secs(4);
        let mut limits = TurnLimits::default();
        limits.time = Some(time);
        let model = Endless(clock.clone(), delta);
        let conversation = Conversation::new(session(), model).streaming(true).clock(clock.clone());
        let mut conversation = conversation.limits(limits);
        let end = pollster::block_on(conversation.ask("Paris?"));
        assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Time(limit) } if limit == time), "{end:?}");
        assert_eq!(clock.now(), time);
    }
}

#[test]
fn a_server_that_never_pauses_does_not_block_other_tasks() {
    let clock = SimulatedClock::new();
    let mut conversation = Conversation::new(session(), Endless(clock, Delta::Text("a".into()))).streaming(true);
    let mut turn = std::pin::pin!(conversation.ask("Paris?"));
    for _ in 0..100 {
        assert!(turn.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())).is_pending());
    }
}
