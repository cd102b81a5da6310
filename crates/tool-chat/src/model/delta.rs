//! Streamed answers: [`Delta`] and [`Deltas`].
//!
//! [`DeltaAssembler`](super::DeltaAssembler) puts the pieces together. A model without streaming sends its whole answer at once, as a few pieces.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::Value;

use super::{ModelError, Response, ResponseFuture, StopReason, Usage};

/// A piece of an answer.
///
/// ```
/// use tool_chat::model::{DeltaAssembler, Delta};
///
/// let mut assembler = DeltaAssembler::new();
/// assembler.push(Delta::Text("No".to_owned()));
/// assembler.push(Delta::Text("on.".to_owned()));
/// assert_eq!(assembler.finish().text, "Noon.");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// A part of the text.
    Text(String),
    /// A part of a call.
    Call {
        /// The provider's index of the call.
        index: usize,
        /// The id of the call. Only one of the parts of a call needs it.
        id: Option<String>,
        /// The name of the called tool. Only one of the parts of a call needs it.
        name: Option<String>,
        /// A part of the arguments.
        arguments: String,
    },
    /// One complete entry of the answer's [`thoughts`](Response::thoughts).
    Thought(Value),
    /// The usage of the answer so far.
    Usage(Usage),
    /// The reason why the answer ended.
    Stop(StopReason),
}

impl fmt::Debug for Delta {
    /// Shows no arguments, because any piece may be part of a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Call { index, id, name, arguments } => f
                .debug_struct("Call")
                .field("index", index)
                .field("id", id)
                .field("name", name)
                .field("arguments_bytes", &arguments.len())
                .finish(),
            Self::Thought(_) => f.write_str("Thought(..)"),
            Self::Usage(usage) => f.debug_tuple("Usage").field(usage).finish(),
            Self::Stop(reason) => f.debug_tuple("Stop").field(reason).finish(),
        }
    }
}

/// A stream of deltas, defined here to avoid a dependency on a stream crate.
///
/// ```
/// use std::{pin::Pin, task::{Context, Poll}};
/// use tool_chat::model::{Delta, Deltas, ModelError, next_delta};
///
/// struct Words(std::vec::IntoIter<&'static str>);
///
/// impl Deltas for Words {
///     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
///         Poll::Ready(self.0.next().map(|word| Ok(Delta::Text(word.to_owned()))))
///     }
/// }
/// let mut stream: Pin<Box<dyn Deltas>> = Box::pin(Words(vec!["Noon."].into_iter()));
/// assert_eq!(pollster::block_on(next_delta(&mut stream)), Some(Ok(Delta::Text("Noon.".to_owned()))));
/// assert_eq!(pollster::block_on(next_delta(&mut stream)), None);
/// ```
pub trait Deltas: Send {
    /// Returns the next piece, or `None` at the end. No piece follows an error. If the connection breaks before the end of the answer,
    /// return an error and not `None`: after `None`, the answer counts as complete, and its calls are run.
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>>;
}

/// A boxed stream of the pieces of one answer.
pub type DeltaStream<'a> = Pin<Box<dyn Deltas + 'a>>;

/// Awaits the next piece. Returns `None` at the end.
///
/// # Errors
///
/// Returns the error that ended the answer early.
///
/// ```
/// use tool_chat::model::{ChatModel, Delta, Options, Request, ScriptedModel, next_delta};
///
/// let (model, tools, options) = (ScriptedModel::new().text("Noon."), Default::default(), Options::default());
/// let mut stream = model.stream(Request::new(&[], &tools, &options));
/// let mut text = String::new();
/// # pollster::block_on(async {
/// while let Some(piece) = next_delta(&mut stream).await {
///     if let Delta::Text(piece) = piece? {
///         text.push_str(&piece);
///     }
/// }
/// # Ok::<(), tool_chat::model::ModelError>(())
/// # })?;
/// assert_eq!(text, "Noon.");
/// # Ok::<(), tool_chat::model::ModelError>(())
/// ```
pub async fn next_delta(stream: &mut DeltaStream<'_>) -> Option<Result<Delta, ModelError>> {
    poll_fn(|cx| stream.as_mut().poll_next(cx)).await
}

/// Streams an answer that arrives as a whole.
pub(super) fn at_once(completion: ResponseFuture<'_>) -> DeltaStream<'_> {
    in_pieces(completion, usize::MAX)
}

/// Streams an answer that arrives as a whole, with at most `piece` characters in each piece.
pub(super) fn in_pieces(completion: ResponseFuture<'_>, piece: usize) -> DeltaStream<'_> {
    Box::pin(AtOnce { completion: Some(completion), piece, pieces: VecDeque::new() })
}

struct AtOnce<'a> {
    completion: Option<ResponseFuture<'a>>,
    piece: usize,
    pieces: VecDeque<Delta>,
}

impl Deltas for AtOnce<'_> {
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        if let Some(completion) = &mut self.completion {
            let Poll::Ready(answer) = completion.as_mut().poll(cx) else { return Poll::Pending };
            self.completion = None;
            match answer {
                Ok(response) => self.pieces = cut(response.into_deltas(), self.piece),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        Poll::Ready(self.pieces.pop_front().map(Ok))
    }
}

/// Splits each text into pieces of `piece` characters.
fn cut(deltas: Vec<Delta>, piece: usize) -> VecDeque<Delta> {
    let mut pieces = VecDeque::with_capacity(deltas.len());
    for delta in deltas {
        match delta {
            Delta::Text(text) => pieces.extend(stretches(&text, piece).map(|text| Delta::Text(text.to_owned()))),
            Delta::Call { index, id, name, arguments } => {
                let mut stretches = stretches(&arguments, piece);
                let first = stretches.next().unwrap_or_default().to_owned();
                pieces.push_back(Delta::Call { index, id, name, arguments: first });
                let more = |text: &str| Delta::Call { index, id: None, name: None, arguments: text.to_owned() };
                pieces.extend(stretches.map(more));
            }
            other => pieces.push_back(other),
        }
    }
    pieces
}

fn stretches(mut text: &str, piece: usize) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = text.char_indices().nth(piece).map_or(text.len(), |(end, _)| end);
        let (first, rest) = text.split_at_checked(end).filter(|(first, _)| !first.is_empty())?;
        text = rest;
        Some(first)
    })
}

impl Response {
    /// Returns the pieces of the answer: one for the text and one for each call.
    pub fn into_deltas(self) -> Vec<Delta> {
        let mut pieces = Vec::with_capacity(self.thoughts.len() + self.calls.len() + 3);
        pieces.extend(self.thoughts.into_iter().map(Delta::Thought));
        if !self.text.is_empty() {
            pieces.push(Delta::Text(self.text));
        }
        let calls = self.calls.into_iter().enumerate();
        pieces.extend(calls.map(|(index, call)| Delta::Call {
            index,
            id: Some(call.id),
            name: Some(call.name),
            arguments: call.arguments,
        }));
        pieces.extend([Delta::Usage(self.usage), Delta::Stop(self.stop)]);
        pieces
    }
}
