//! A value as it comes in, piece by piece.
//!
//! In come the deltas of a model's text; out goes how far it is, the value so far for a preview, and at the end the same [`Reading`] that
//! [`read`](super::read()) gives of the whole text. Each delta costs what it is long. With a shape the text is held against it as it comes.
//! What always holds: nothing is refused that the checker would accept once it is complete.

use std::borrow::Cow;
use std::fmt;

use super::lenient::{Event, Input, Machine, Step};
use super::watch::{Watch, Whole};
use super::{ReadError, Reading};
use crate::issue::Issues;
use crate::json::Json;
use crate::shape::{Ref, Shape};

/// Reads text as it comes.
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
pub struct Stream<'s> {
    text: String,
    machine: Machine<'static>,
    watch: Option<Watch<'s>>,
    refused: Issues,
}

/// How far a [`Stream`] is.
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
    /// More is needed.
    Open,
    /// There is a whole value. What follows may still make two of it.
    Complete,
    /// No continuation can be one value: [`Stream::errors`] says why.
    Unreadable,
    /// No continuation can fit the shape: [`Stream::issues`] says why.
    Refused,
}

impl<'s> Stream<'s> {
    /// A stream that takes any value.
    ///
    /// ```
    /// use tool_schema::repair::{Progress, Stream};
    ///
    /// assert_eq!(Stream::new().push("[1, 2"), Progress::Open);
    /// ```
    pub const fn new() -> Self {
        Self { text: String::new(), machine: Machine::new(), watch: None, refused: Issues::new() }
    }

    /// A stream that is held against a shape as it comes: refused is an unknown key of a closed object as soon as it ends, and a value of a
    /// wrong type as soon as it begins, or where it is a number, `true`, `false` or `null`, ends. It judges as the checker does, without
    /// coercion: what only a coercion would make acceptable is refused. So is a wrong value that the same key would replace further on,
    /// which only a tool from a schema takes.
    ///
    /// ```
    /// use tool_schema::{ToolInput, repair::{Progress, Stream}};
    ///
    /// let mut stream = Stream::with_shape(<Vec<u8>>::SHAPE);
    /// assert_eq!(stream.push("[1, 2, \"th"), Progress::Refused);
    /// assert_eq!(stream.issues()[0].path.to_string(), "[2]");
    /// ```
    pub fn with_shape(shape: &'s Shape) -> Self {
        Self { watch: Some(Watch::new(Whole::Lent(shape))), ..Self::new() }
    }

    /// Creates a stream for the input of a tool (`ToolSpec::input` of `tool-runtime`), which the stream keeps.
    ///
    /// ```
    /// use tool_schema::{ToolInput, repair::{Progress, Stream}, shape::Ref};
    ///
    /// let mut stream = Stream::for_input(&Ref::Static(<Vec<u8>>::SHAPE));
    /// assert_eq!(stream.push("[true"), Progress::Open);
    /// assert_eq!(stream.push(","), Progress::Refused);
    /// ```
    pub fn for_input(input: &Ref) -> Self {
        Self { watch: Some(Watch::new(Whole::Owned(input.clone()))), ..Self::new() }
    }

    /// Takes the next piece of the text.
    ///
    /// ```
    /// use tool_schema::repair::{Progress, Stream};
    ///
    /// let mut stream = Stream::new();
    /// assert_eq!(stream.push("tr"), Progress::Open);
    /// ```
    pub fn push(&mut self, delta: &str) -> Progress {
        if u32::try_from(self.text.len() + delta.len()).is_err() {
            self.machine.refuse(self.text.len(), "the text is longer than 4294967295 bytes");
        }
        if matches!(self.progress(), Progress::Unreadable | Progress::Refused) {
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
                self.refused = issues;
                break;
            }
        }
        self.progress()
    }

    /// How far it is.
    ///
    /// ```
    /// use tool_schema::repair::{Progress, Stream};
    ///
    /// assert_eq!(Stream::new().progress(), Progress::Open);
    /// ```
    pub fn progress(&self) -> Progress {
        if !self.machine.faults().is_empty() {
            Progress::Unreadable
        } else if !self.refused.is_empty() {
            Progress::Refused
        } else if self.machine.is_complete() {
            Progress::Complete
        } else {
            Progress::Open
        }
    }

    /// The value so far, as if the text ended here: everything open closed, a key without a value left out. Costs what the value is large.
    ///
    /// ```
    /// use tool_schema::{json::Json, repair::Stream};
    ///
    /// let mut stream = Stream::new();
    /// stream.push("{\"cities\": [\"Paris\", \"Ly");
    /// assert_eq!(stream.partial().as_ref().map(Json::to_text).as_deref(), Some(r#"{"cities":["Paris","Ly"]}"#));
    /// ```
    pub fn partial(&self) -> Option<Json<'static>> {
        self.end(self.machine.clone()).partial().cloned()
    }

    /// Why the text is [unreadable](Progress::Unreadable).
    ///
    /// ```
    /// use tool_schema::repair::Stream;
    ///
    /// let mut stream = Stream::new();
    /// stream.push("[Paris, ");
    /// assert_eq!(stream.errors()[0].message, "a bare word; text stands in double quotes");
    /// ```
    pub fn errors(&self) -> Vec<ReadError> {
        let mut errors: Vec<_> = self.machine.faults().iter().map(|fault| ReadError::of(fault, &self.text)).collect();
        if self.may_hold_secrets() {
            errors.iter_mut().for_each(ReadError::redact);
        }
        errors
    }

    /// Why the value is [refused](Progress::Refused) by the shape.
    ///
    /// ```
    /// use tool_schema::{ToolInput, repair::Stream};
    ///
    /// let mut stream = Stream::with_shape(bool::SHAPE);
    /// stream.push("[");
    /// assert_eq!(stream.issues()[0].message(), "the arguments must be a boolean");
    /// ```
    pub fn issues(&self) -> &Issues {
        &self.refused
    }

    /// The text so far.
    ///
    /// ```
    /// use tool_schema::repair::Stream;
    ///
    /// let mut stream = Stream::new();
    /// stream.push("[1");
    /// stream.push(", 2]");
    /// assert_eq!(stream.text(), "[1, 2]");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The end of the text: what it is read as. The same as [`read`](super::read()) gives of the whole text, as long as that was taken: after a
    /// refusal nothing was.
    ///
    /// ```
    /// use tool_schema::repair::Stream;
    ///
    /// let mut stream = Stream::new();
    /// stream.push("{'days': 3");
    /// assert_eq!(stream.clone().finish().status(), "incomplete");
    /// stream.push("}");
    /// assert_eq!(stream.finish().status(), "repaired");
    /// ```
    pub fn finish(mut self) -> Reading<'static> {
        let machine = std::mem::replace(&mut self.machine, Machine::new());
        self.end(machine)
    }

    fn end(&self, mut machine: Machine<'static>) -> Reading<'static> {
        let input = Input { text: &self.text, last: true, keep: |stretch| Cow::Owned(stretch.to_owned()) };
        machine.run(&input);
        let mut reading = Reading::of(machine.end(&input), &self.text);
        if self.may_hold_secrets() {
            reading.redact();
        }
        reading
    }

    fn may_hold_secrets(&self) -> bool {
        self.watch.as_ref().is_some_and(Watch::has_secrets)
    }
}

impl fmt::Debug for Stream<'_> {
    /// Shows how far it is, and nothing of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("bytes", &self.text.len())
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

impl Default for Stream<'_> {
    fn default() -> Self {
        Self::new()
    }
}
