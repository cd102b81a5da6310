//! Parses a value from a stream.
//!
//! At the end, the [`RepairedText`] is the same as if [`repair_text`](super::repair_text()) had parsed the whole text. The cost of each delta is proportional
//! to its length. With a shape, the text is also checked as it arrives. Invariant: a stream is only rejected if the checker would reject
//! every continuation.

use std::borrow::Cow;
use std::fmt;

use super::incremental_check::IncrementalCheck;
use super::lenient::{Event, Input, Machine, Step};
use super::{RepairedText, TextError};
use crate::issue::Issues;
use crate::json::Json;
use crate::shape::Ref;

/// A parser for text that arrives in pieces.
///
/// ```
/// use tool_schema::{json::Json, repair::{Progress, Stream}};
///
/// let mut stream = Stream::new();
/// assert_eq!(stream.push("{\"city\": \"Par"), Progress::Open);
/// assert_eq!(stream.partial().as_ref().map(Json::to_text).as_deref(), Some(r#"{"city":"Par"}"#));
/// assert_eq!(stream.push("is\", \"days\": 3}"), Progress::Complete);
/// assert_eq!(stream.finish().status(), "clean");
/// ```
#[derive(Clone)]
pub struct Stream {
    text: String,
    machine: Machine<'static>,
    watch: Option<IncrementalCheck>,
    rejected: Issues,
}

/// The state of a [`Stream`].
///
/// ```
/// use tool_schema::repair::{Progress, Stream};
///
/// let mut stream = Stream::new();
/// assert_eq!(stream.push("{\"ratio\": 1/6"), Progress::Unreadable);
/// assert_eq!(stream.errors()[0].offset, 11);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// The value is not complete yet.
    Open,
    /// The value is complete. Further text may still make it invalid.
    Complete,
    /// The text cannot become one JSON value, however it continues; [`Stream::errors`] returns the reasons.
    Unreadable,
    /// The value cannot match the shape, however the text continues; [`Stream::issues`] returns the reasons.
    Rejected,
}

impl Stream {
    /// Creates a stream that accepts any value.
    pub const fn new() -> Self {
        Self { text: String::new(), machine: Machine::new(), watch: None, rejected: Issues::new() }
    }

    /// Creates a stream that checks the value against a shape, such as the input of a tool (`ToolSpec::input` of `tool-runtime`), while the text
    /// arrives.
    ///
    /// An unknown key of a closed object is rejected at the end of the key. A string, array or object of the wrong type is rejected at its
    /// beginning; a number, `true`, `false` or `null` of the wrong type is rejected at its end. The rules are those of the checker without
    /// coercion, so values that a coercion would repair are rejected. A wrong value is rejected even if its key is repeated later with a
    /// correct value, which only matters for tools from a JSON Schema.
    ///
    /// ```
    /// use tool_schema::repair::{Progress, Stream};
    /// use tool_schema::ToolInput;
    ///
    /// let mut stream = Stream::for_shape(<Vec<u8>>::SHAPE);
    /// assert_eq!(stream.push("[1, 2, \"th"), Progress::Rejected);
    /// assert_eq!(stream.issues()[0].path.to_string(), "[2]");
    /// ```
    pub fn for_shape(shape: impl Into<Ref>) -> Self {
        Self { watch: Some(IncrementalCheck::new(shape.into())), ..Self::new() }
    }

    /// Adds the next piece of the text.
    pub fn push(&mut self, delta: &str) -> Progress {
        if u32::try_from(self.text.len() + delta.len()).is_err() {
            self.machine.reject(self.text.len(), "the text is longer than 4294967295 bytes");
        }
        if matches!(self.progress(), Progress::Unreadable | Progress::Rejected) {
            return self.progress();
        }
        self.text.push_str(delta);
        let input = Input { text: &self.text, last: false, keep: |stretch| Cow::Owned(stretch.to_owned()) };
        while self.machine.step(&input) == Step::Went {
            let event = self.machine.event();
            if event != Event::None
                && let Some(watch) = &mut self.watch
                && let Some(issues) = watch.look(&self.machine, &input, event)
            {
                self.rejected = issues;
                break;
            }
        }
        self.progress()
    }

    /// Returns the state of the stream.
    pub fn progress(&self) -> Progress {
        if !self.machine.faults().is_empty() {
            Progress::Unreadable
        } else if !self.rejected.is_empty() {
            Progress::Rejected
        } else if self.machine.is_complete() {
            Progress::Complete
        } else {
            Progress::Open
        }
    }

    /// Returns the parsed part of the value with everything closed; a key without a value is left out. The cost is proportional to the size
    /// of the value.
    pub fn partial(&self) -> Option<Json<'static>> {
        self.end(self.machine.clone()).partial().cloned()
    }

    /// Returns the reasons why the text is [unreadable](Progress::Unreadable).
    pub fn errors(&self) -> Vec<TextError> {
        let mut errors: Vec<_> = self.machine.faults().iter().map(|fault| TextError::new(fault, &self.text)).collect();
        if self.may_hold_secrets() {
            errors.iter_mut().for_each(TextError::redact);
        }
        errors
    }

    /// Returns the reasons why the shape [rejects](Progress::Rejected) the value.
    pub fn issues(&self) -> &Issues {
        &self.rejected
    }

    /// Returns the text that has arrived.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Ends the text and returns the result, which is the same as if [`repair_text`](super::repair_text()) had parsed the text. Text that arrived after a
    /// rejection is ignored.
    pub fn finish(mut self) -> RepairedText<'static> {
        let machine = std::mem::replace(&mut self.machine, Machine::new());
        self.end(machine)
    }

    fn end(&self, mut machine: Machine<'static>) -> RepairedText<'static> {
        let input = Input { text: &self.text, last: true, keep: |stretch| Cow::Owned(stretch.to_owned()) };
        machine.run(&input);
        let mut reading = RepairedText::from_ending(machine.end(&input), &self.text);
        if self.may_hold_secrets() {
            reading.redact();
        }
        reading
    }

    fn may_hold_secrets(&self) -> bool {
        self.watch.as_ref().is_some_and(IncrementalCheck::has_secrets)
    }
}

impl fmt::Debug for Stream {
    /// Shows the state without the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("bytes", &self.text.len())
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}
