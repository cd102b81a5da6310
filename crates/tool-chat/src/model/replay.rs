//! A model that answers from a recording: [`ReplayModel`].
//!
//! Invariant: a request is only answered if it equals the recorded one. Otherwise the error shows the first difference.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tool_runtime::Dialect;

use super::delta::in_pieces;
use super::recorded_exchange::{Answer, RecordedExchange, RedactedRequest};
use super::{ChatModel, DeltaStream, ModelError, ModelErrorKind, Redaction, Request, Response, ResponseFuture};

/// A model that answers from a recording. See [`RecordingModel`](super::RecordingModel) for an example.
///
/// ```
/// use tool_chat::model::{ChatModel, Message, Options, Redaction, ReplayModel, Request};
///
/// let replay = ReplayModel::from_text("", Redaction::new())?;
/// let (messages, tools, options) = ([Message::User("Hello".to_owned())], Default::default(), Options::default());
/// let request = Request::new(&messages, &tools, &options);
/// let error = pollster::block_on(replay.complete(request)).err();
/// assert_eq!(error.map(|error| error.message).as_deref(), Some("it has 0 requests, and this is number 1"));
/// # Ok::<(), tool_chat::model::ModelError>(())
/// ```
#[derive(Debug)]
pub struct ReplayModel {
    lines: Mutex<VecDeque<RecordedExchange>>,
    recorded: usize,
    redaction: Redaction,
    dialect: Dialect,
    has_answer_forms: bool,
    piece: usize,
}

impl ReplayModel {
    /// Parses a recording. Pass the redaction with which it was written.
    ///
    /// # Errors
    ///
    /// Fails if a line is not a line of a recording, with an error about the first such line.
    pub fn from_text(text: &str, redaction: Redaction) -> Result<Self, ModelError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(index, line): (usize, &str)| {
            let rejected = |error| ModelError::new(ModelErrorKind::Mismatch, format!("line {}: {error}", index + 1));
            serde_json::from_str(line).map_err(rejected)
        };
        let lines: VecDeque<RecordedExchange> = lines.map(read).collect::<Result<_, _>>()?;
        Ok(Self {
            recorded: lines.len(),
            has_answer_forms: lines.iter().any(|line| line.request.options.answer.is_some()),
            lines: Mutex::new(lines),
            redaction,
            dialect: Dialect::OPENAI,
            piece: usize::MAX,
        })
    }

    /// Sets the dialect of the recorded definitions. The default is [`Dialect::OPENAI`].
    #[must_use]
    pub fn in_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the number of characters in each delta of a streamed answer. By default, an answer arrives as one piece; a recording does not
    /// contain the original pieces.
    #[must_use]
    pub fn delta_size(mut self, characters: usize) -> Self {
        self.piece = characters.max(1);
        self
    }

    fn answer(&self, request: Request<'_>) -> Result<Response, ModelError> {
        let request = RedactedRequest::new(request, &self.redaction);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.recorded - lines.len() + 1;
        let mismatch = |message| ModelError::new(ModelErrorKind::Mismatch, message);
        let Some(line) = lines.front() else {
            return Err(mismatch(format!("it has {} requests, and this is number {number}", self.recorded)));
        };
        if let Some(difference) = difference(&line.request, &request) {
            return Err(mismatch(format!("request {number} differs in {difference}")));
        }
        match lines.pop_front().map(|line| line.answer) {
            Some(Answer::Response(response)) => Ok(response),
            Some(Answer::Error(error)) => Err(error),
            None => Err(mismatch("it is at its end".to_owned())),
        }
    }
}

impl ChatModel for ReplayModel {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move { self.answer(request) })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        in_pieces(self.complete(request), self.piece)
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns `true` if the recorded model sent such keys.
    fn has_answer_forms(&self) -> bool {
        self.has_answer_forms
    }
}

/// Describes the first difference between two requests. Messages are compared first, then tools, then options.
fn difference(recorded: &RedactedRequest, sent: &RedactedRequest) -> Option<String> {
    let most = recorded.messages.len().max(sent.messages.len());
    for index in 0..most {
        let (before, now) = (recorded.messages.get(index), sent.messages.get(index));
        if before != now {
            return Some(format!("message {}{}", index + 1, shown(&before, &now)));
        }
    }
    if recorded.tools != sent.tools {
        return Some(format!("the tools{}", shown(&recorded.tools, &sent.tools)));
    }
    if recorded.definitions != sent.definitions {
        return Some("the definitions of the tools".to_owned());
    }
    let differ = recorded.options != sent.options;
    differ.then(|| format!("the options{}", shown(&recorded.options, &sent.options)))
}

/// Shows two values as JSON, each in a line of its own. A long line is shortened to the text around the first difference.
fn shown<T: Serialize>(before: &T, now: &T) -> String {
    const MOST: usize = 600;
    const BEFORE: usize = 60;
    let [before, now] = [before, now].map(|side| serde_json::to_string(side).unwrap_or_default());
    let same = before.chars().zip(now.chars()).take_while(|(before, now)| before == now).count();
    let begin = if same < MOST / 2 { 0 } else { same - BEFORE };
    let cut = |text: &str| {
        let mut rest = text.chars().skip(begin);
        let part: String = rest.by_ref().take(MOST).collect();
        let (left, right) = (if begin > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
        format!("{left}{part}{right}")
    };
    format!("\n- {}\n+ {}", cut(&before), cut(&now))
}
