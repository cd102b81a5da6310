//! A recording that answers: [`Replay`].
//!
//! In: the lines of a [`Recorder`](super::Recorder). Out: the recorded answers, one for each request, in their order. What always holds: a
//! request is answered only where it is the one that was recorded; otherwise the error says where the two part.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::recording::{Answer, Line, Recorded};
use super::{ChatModel, Completion, ModelError, ModelErrorKind, Redaction, Request, Response};
use crate::schema::Format;

/// Answers from a recording. See [`Recorder`](super::Recorder) for an example.
///
/// ```
/// use tool_runtime::model::{ChatModel, Message, Options, Redaction, Replay, Request};
///
/// let replay = Replay::from_text("", Redaction::new())?;
/// let (messages, tools, options) = ([Message::User("Hello".to_owned())], Default::default(), Options::default());
/// let request = Request { messages: &messages, tools: &tools, options: &options };
/// let error = pollster::block_on(replay.complete(request)).err();
/// assert_eq!(error.map(|error| error.message).as_deref(), Some("it has 0 requests, and this is number 1"));
/// # Ok::<(), tool_runtime::model::ModelError>(())
/// ```
#[derive(Debug)]
pub struct Replay {
    lines: Mutex<VecDeque<Line>>,
    recorded: usize,
    redaction: Redaction,
    format: Format,
}

impl Replay {
    /// Reads a recording. The redaction is the one that it was written with.
    ///
    /// ```
    /// use tool_runtime::model::{Redaction, Replay};
    ///
    /// let refused = Replay::from_text("{}", Redaction::new()).err();
    /// assert!(refused.is_some_and(|error| error.message.starts_with("line 1: ")));
    /// ```
    ///
    /// # Errors
    ///
    /// The first line that is no line of a recording.
    pub fn from_text(text: &str, redaction: Redaction) -> Result<Self, ModelError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(index, line): (usize, &str)| {
            let refused = |error| ModelError::new(ModelErrorKind::Mismatch, format!("line {}: {error}", index + 1));
            serde_json::from_str(line).map_err(refused)
        };
        let lines: VecDeque<Line> = lines.map(read).collect::<Result<_, _>>()?;
        Ok(Self { recorded: lines.len(), lines: Mutex::new(lines), redaction, format: Format::OpenAi })
    }

    /// In which form the definitions were; as for `OpenAI` where nothing is said.
    ///
    /// ```
    /// use tool_runtime::{Format, model::{ChatModel, Redaction, Replay}};
    ///
    /// let replay = Replay::from_text("", Redaction::new())?.in_format(Format::Gemini);
    /// assert_eq!(replay.format(), Format::Gemini);
    /// # Ok::<(), tool_runtime::model::ModelError>(())
    /// ```
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    fn answer(&self, request: Request<'_>) -> Result<Response, ModelError> {
        let request = Recorded::of(request, &self.redaction);
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

impl ChatModel for Replay {
    fn complete<'a>(&'a self, request: Request<'a>) -> Completion<'a> {
        let answer = self.answer(request);
        Box::pin(async move { answer })
    }

    fn format(&self) -> Format {
        self.format
    }
}

/// Where two requests part, in words: the first message that differs, else what can be called, else the options.
fn difference(recorded: &Recorded, sent: &Recorded) -> Option<String> {
    let most = recorded.messages.len().max(sent.messages.len());
    for index in 0..most {
        let (before, now) = (recorded.messages.get(index), sent.messages.get(index));
        if before != now {
            return Some(format!("message {}\n- {}\n+ {}", index + 1, shown(&before), shown(&now)));
        }
    }
    if recorded.tools != sent.tools {
        return Some(format!("the tools\n- {}\n+ {}", shown(&recorded.tools), shown(&sent.tools)));
    }
    if recorded.definitions != sent.definitions {
        return Some("the definitions of the tools".to_owned());
    }
    let differ = recorded.options != sent.options;
    differ.then(|| format!("the options\n- {}\n+ {}", shown(&recorded.options), shown(&sent.options)))
}

/// Something recorded in one line, cut to what an error can hold.
fn shown(value: &impl Serialize) -> String {
    const MOST: usize = 600;
    let text = serde_json::to_string(value).unwrap_or_default();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
