//! Text to [`Reading`]: strictly first, and only where that fails as far as it is certain what was meant.
//!
//! In comes the text as a model sent it; out goes one of four answers that are never confused: clean, repaired, incomplete, refused. What always
//! holds: valid JSON is clean and nothing of it is changed; what was cut off is incomplete, never repaired.

use std::borrow::Cow;
use std::fmt;

use super::lenient::{Ending, EndingKind, Fault, Input, Machine};
use super::{Repair, RepairRule};
use crate::issue::REDACTED;
use crate::json::{Json, SyntaxError};
use crate::shape::Text;

/// The most bytes of context on each side of a fault.
const AROUND: usize = 24;

/// What a text was read as.
///
/// ```
/// use tool_schema::repair::{Reading, read};
///
/// assert!(matches!(read(r#"{"city": "Paris"}"#), Reading::Clean(_)));
/// assert!(matches!(read("{'city': 'Paris',}"), Reading::Repaired { .. }));
/// assert!(matches!(read(r#"{"city": "Par"#), Reading::Incomplete { .. }));
/// assert!(matches!(read("I would call it with Paris."), Reading::Refused { .. }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<'a> {
    /// Strict JSON.
    Clean(Json<'a>),
    /// One whole value, in another spelling.
    Repaired {
        /// The value.
        value: Json<'a>,
        /// Every change, in the order of the text.
        repairs: Vec<Repair>,
    },
    /// The text ends before everything is closed, or leaves something out with `...`: for a preview, never for a call.
    Incomplete {
        /// What there is so far, everything open closed; keys without a value are left out.
        partial: Option<Json<'a>>,
        /// Every change so far.
        repairs: Vec<Repair>,
        /// What is open.
        errors: Vec<ReadError>,
    },
    /// Not one value, or nobody can tell which.
    Refused {
        /// The part that could be read.
        partial: Option<Json<'a>>,
        /// Every change so far.
        repairs: Vec<Repair>,
        /// Every fault, in the order of the text; at most 16.
        errors: Vec<ReadError>,
    },
}

/// A fault of a text, and where it stands.
///
/// ```
/// use tool_schema::repair::{Reading, read};
///
/// let Reading::Refused { errors, .. } = read(r#"{"ratio": 1/6}"#) else { return };
/// assert_eq!(errors[0].to_string(), r#"at byte 11: expected `,` or `}`, near {"ratio": 1/6}"#);
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    /// Where, in bytes from the beginning of the text.
    pub offset: usize,
    /// What is wrong there.
    pub message: Text,
    /// A short stretch of the text around it, as it stands there.
    pub context: Text,
}

/// Reads one JSON value: strictly, and where that fails as far as it is certain what was meant.
///
/// What is mended is listed at [`RepairRule`](super::RepairRule). Not mended, because nobody can tell what was meant: two values, arithmetic, bare names,
/// prose without a value, quotes inside a string, `NaN`. The guide "Broken JSON" has an example of each.
///
/// ```
/// use tool_schema::repair::{Reading, read};
///
/// let Reading::Repaired { value, repairs } = read("```json\n{city: 'Paris', days: None}\n```") else { return };
/// assert_eq!(value.to_text(), r#"{"city":"Paris","days":null}"#);
/// assert_eq!(repairs[1].to_string(), r#"Read `city` as `"city"`."#);
/// ```
pub fn read(text: &str) -> Reading<'_> {
    match Json::parse(text) {
        Ok(json) => Reading::Clean(json),
        Err(error) => read_broken(text, &error),
    }
}

/// Reads a text of which the strict parser has found that it is not valid JSON.
pub(super) fn read_broken<'a>(text: &'a str, error: &SyntaxError) -> Reading<'a> {
    if let SyntaxError::TooLarge { .. } = error {
        let errors = vec![ReadError { offset: 0, message: error.to_string().into(), context: Text::EMPTY }];
        return Reading::Refused { partial: None, repairs: Vec::new(), errors };
    }
    let input = Input { text, last: true, keep: |stretch| Cow::Borrowed(stretch) };
    let mut machine = Machine::new();
    machine.run(&input);
    match Reading::of(machine.end(&input), text) {
        // Both readers know the same strict JSON; if they ever should not, the strict one is right.
        Reading::Clean(value) => {
            let fault = Fault { offset: error.offset(), message: error.to_string().into() };
            let errors = vec![ReadError::of(&fault, text)];
            Reading::Refused { partial: Some(value), repairs: Vec::new(), errors }
        }
        reading => reading,
    }
}

impl<'a> Reading<'a> {
    pub(super) fn of(ending: Ending<'a>, text: &str) -> Self {
        let Ending { value, repairs, faults, kind } = ending;
        let mut errors: Vec<_> = faults.iter().map(|fault| ReadError::of(fault, text)).collect();
        errors.sort_by_key(|error| error.offset);
        match (kind, value) {
            (EndingKind::Whole, Some(value)) if repairs.is_empty() => Self::Clean(value),
            (EndingKind::Whole, Some(value)) => Self::Repaired { value, repairs },
            (EndingKind::Incomplete, partial) => Self::Incomplete { partial, repairs, errors },
            (_, partial) => Self::Refused { partial, repairs, errors },
        }
    }

    /// The whole value, if there is one: clean or repaired.
    ///
    /// ```
    /// use tool_schema::repair::read;
    ///
    /// assert!(read("[1, 2,]").value().is_some());
    /// assert!(read("[1, 2,").value().is_none());
    /// ```
    pub const fn value(&self) -> Option<&Json<'a>> {
        match self {
            Self::Clean(value) | Self::Repaired { value, .. } => Some(value),
            Self::Incomplete { .. } | Self::Refused { .. } => None,
        }
    }

    /// The whole value, where nothing stands around it but blanks, commas, brackets and a fence: no prose, no comment, no inline code.
    pub(super) fn value_alone(&self) -> Option<&Json<'a>> {
        let value = self.value()?;
        let is_aside = |repair: &Repair| match (repair.rule, repair.span) {
            (RepairRule::SurroundingText | RepairRule::Comment, Some(span)) => {
                span.start < value.span.start || span.end > value.span.end
            }
            (RepairRule::CodeFence, Some(span)) => span.end - span.start < 3,
            _ => false,
        };
        (!self.repairs().iter().any(is_aside)).then_some(value)
    }

    /// The value, or as much of it as could be read.
    ///
    /// ```
    /// use tool_schema::{json::Json, repair::read};
    ///
    /// assert_eq!(read("[1, 2,").partial().map(Json::to_text).as_deref(), Some("[1,2]"));
    /// ```
    pub const fn partial(&self) -> Option<&Json<'a>> {
        match self {
            Self::Clean(value) | Self::Repaired { value, .. } => Some(value),
            Self::Incomplete { partial, .. } | Self::Refused { partial, .. } => partial.as_ref(),
        }
    }

    /// Every change, in the order of the text; none of a clean text.
    ///
    /// ```
    /// assert_eq!(tool_schema::repair::read("[1, 2,]").repairs().len(), 1);
    /// ```
    pub fn repairs(&self) -> &[Repair] {
        match self {
            Self::Clean(_) => &[],
            Self::Repaired { repairs, .. } | Self::Incomplete { repairs, .. } | Self::Refused { repairs, .. } => {
                repairs
            }
        }
    }

    /// What is open or wrong; nothing where there is a whole value.
    ///
    /// ```
    /// let reading = tool_schema::repair::read("[1, 2,");
    /// assert_eq!(reading.errors()[0].message, "the array that begins here is not closed");
    /// ```
    pub fn errors(&self) -> &[ReadError] {
        match self {
            Self::Clean(_) | Self::Repaired { .. } => &[],
            Self::Incomplete { errors, .. } | Self::Refused { errors, .. } => errors,
        }
    }

    /// `clean`, `repaired`, `incomplete` or `refused`.
    ///
    /// ```
    /// assert_eq!(tool_schema::repair::read("[1, 2,").status(), "incomplete");
    /// ```
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Clean(_) => "clean",
            Self::Repaired { .. } => "repaired",
            Self::Incomplete { .. } => "incomplete",
            Self::Refused { .. } => "refused",
        }
    }

    /// The same reading, independent of the text.
    ///
    /// ```
    /// use tool_schema::repair::{Reading, read};
    ///
    /// fn later(text: String) -> Reading<'static> {
    ///     read(&text).into_owned()
    /// }
    /// assert_eq!(later("{a: 1}".to_owned()).status(), "repaired");
    /// ```
    pub fn into_owned(self) -> Reading<'static> {
        match self {
            Self::Clean(value) => Reading::Clean(value.into_owned()),
            Self::Repaired { value, repairs } => Reading::Repaired { value: value.into_owned(), repairs },
            Self::Incomplete { partial, repairs, errors } => {
                Reading::Incomplete { partial: partial.map(Json::into_owned), repairs, errors }
            }
            Self::Refused { partial, repairs, errors } => {
                Reading::Refused { partial: partial.map(Json::into_owned), repairs, errors }
            }
        }
    }
}

impl fmt::Debug for ReadError {
    /// Leaves the text around the fault out: it is part of somebody's arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadError")
            .field("offset", &self.offset)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

impl Reading<'_> {
    /// Hides what ledger and errors repeat of a text that may hold a secret.
    pub(super) fn redact(&mut self) {
        let (repairs, errors) = match self {
            Self::Clean(_) => return,
            Self::Repaired { repairs, .. } => (repairs, &mut Vec::new()),
            Self::Incomplete { repairs, errors, .. } | Self::Refused { repairs, errors, .. } => (repairs, errors),
        };
        repairs.iter_mut().for_each(Repair::redact);
        errors.iter_mut().for_each(ReadError::redact);
    }
}

impl ReadError {
    /// Hides the text around the fault.
    pub(super) fn redact(&mut self) {
        self.context = REDACTED.into();
    }

    pub(super) fn of(fault: &Fault, text: &str) -> Self {
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let at = fault.offset.min(text.len());
        let (from, to) = (boundary(at.saturating_sub(AROUND)), boundary((at + AROUND).min(text.len())));
        let context = text.get(from..to).unwrap_or_default().to_owned();
        Self { offset: fault.offset, message: fault.message.clone(), context: context.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)?;
        if self.context.is_empty() { Ok(()) } else { write!(f, ", near {}", self.context) }
    }
}
