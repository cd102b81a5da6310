//! Parses text into a [`RepairedText`]: strictly first, and leniently if that fails.
//!
//! Invariant: valid JSON is clean and never changed; a text that was cut off is incomplete, never repaired.

use std::borrow::Cow;
use std::fmt;

use super::lenient::{Ending, EndingKind, Fault, Input, Machine};
use super::{Repair, RepairRule};
use crate::issue::REDACTED;
use crate::json::{Json, SyntaxError};
use crate::shape::Text;

/// The maximum number of bytes of context on each side of an error.
const AROUND: usize = 24;

/// The result of parsing a text.
///
/// ```
/// use tool_schema::json::Json;
/// use tool_schema::repair::{RepairedText, repair_text};
///
/// assert!(matches!(repair_text(r#"{"city": "Paris"}"#), RepairedText::Clean(_)));
/// assert!(matches!(repair_text("{'city': 'Paris',}"), RepairedText::Repaired { .. }));
/// assert!(matches!(repair_text("I would call it with Paris."), RepairedText::Rejected { .. }));
///
/// let broken_off = repair_text(r#"{"city": "Par"#);
/// assert!(matches!(broken_off, RepairedText::Incomplete { .. }) && broken_off.value().is_none());
/// assert_eq!(broken_off.partial().map(Json::to_text).as_deref(), Some(r#"{"city":"Par"}"#));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum RepairedText<'a> {
    /// Strict JSON.
    Clean(Json<'a>),
    /// One complete value that needed repairs.
    Repaired {
        /// The value.
        value: Json<'a>,
        /// The repairs, in the order of the text.
        repairs: Vec<Repair>,
    },
    /// The text ends before everything is closed, or leaves something out with `...`. Use it for previews, never for a call.
    Incomplete {
        /// The parsed part of the value with everything closed; keys without a value are left out.
        partial: Option<Json<'a>>,
        /// The repairs that were found.
        repairs: Vec<Repair>,
        /// The parts that are still open.
        errors: Vec<TextError>,
    },
    /// The text contains no value, several values, or a value whose meaning is unclear.
    Rejected {
        /// The part that could be parsed.
        partial: Option<Json<'a>>,
        /// The repairs that were found.
        repairs: Vec<Repair>,
        /// The errors, in the order of the text; at most 16.
        errors: Vec<TextError>,
    },
}

/// An error in a text, with its position.
///
/// ```
/// use tool_schema::repair::{RepairedText, repair_text};
///
/// let RepairedText::Rejected { errors, .. } = repair_text(r#"{"ratio": 1/6}"#) else { unreachable!() };
/// assert_eq!(errors[0].to_string(), r#"at byte 11: expected `,` or `}`, near {"ratio": 1/6}"#);
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct TextError {
    /// The position, in bytes from the start of the text.
    pub offset: usize,
    /// The error message.
    pub message: Text,
    /// A short excerpt of the text around the error.
    pub context: Text,
}

/// Parses one JSON value: strictly, or else with all repairs that are certain.
///
/// The repairs are listed at [`RepairRule`](super::RepairRule). Ambiguous texts are rejected: two values, arithmetic, bare
/// names, prose without a value, quotes inside a string, `NaN`. The guide "Broken JSON" has an example of each.
///
/// ```
/// use tool_schema::repair::{RepairedText, repair_text};
///
/// let RepairedText::Repaired { value, repairs } = repair_text("```json\n{city: 'Paris', days: None}\n```") else { unreachable!() };
/// assert_eq!(value.to_text(), r#"{"city":"Paris","days":null}"#);
/// assert_eq!(repairs[1].to_string(), r#"Read `city` as `"city"`."#);
/// ```
pub fn repair_text(text: &str) -> RepairedText<'_> {
    match Json::parse(text) {
        Ok(json) => RepairedText::Clean(json),
        Err(error) => repair_broken(text, &error),
    }
}

/// Parses a text that the strict parser has rejected.
pub(super) fn repair_broken<'a>(text: &'a str, error: &SyntaxError) -> RepairedText<'a> {
    if let SyntaxError::TooLarge { .. } = error {
        let errors = vec![TextError { offset: 0, message: error.to_string().into(), context: Text::EMPTY }];
        return RepairedText::Rejected { partial: None, repairs: Vec::new(), errors };
    }
    let input = Input { text, last: true, keep: |stretch| Cow::Borrowed(stretch) };
    let mut machine = Machine::new();
    machine.run(&input);
    match RepairedText::from_ending(machine.end(&input), text) {
        // Both parsers agree on strict JSON; if they ever differ, the strict parser is right.
        RepairedText::Clean(value) => {
            let fault = Fault { offset: error.offset(), message: error.to_string().into() };
            let errors = vec![TextError::new(&fault, text)];
            RepairedText::Rejected { partial: Some(value), repairs: Vec::new(), errors }
        }
        reading => reading,
    }
}

impl<'a> RepairedText<'a> {
    pub(super) fn from_ending(ending: Ending<'a>, text: &str) -> Self {
        let Ending { value, repairs, faults, kind } = ending;
        let mut errors: Vec<_> = faults.iter().map(|fault| TextError::new(fault, text)).collect();
        errors.sort_by_key(|error| error.offset);
        match (kind, value) {
            (EndingKind::Whole, Some(value)) if repairs.is_empty() => Self::Clean(value),
            (EndingKind::Whole, Some(value)) => Self::Repaired { value, repairs },
            (EndingKind::Incomplete, partial) => Self::Incomplete { partial, repairs, errors },
            (_, partial) => Self::Rejected { partial, repairs, errors },
        }
    }

    /// Returns the complete value, if there is one: clean or repaired.
    pub const fn value(&self) -> Option<&Json<'a>> {
        match self {
            Self::Clean(value) | Self::Repaired { value, .. } => Some(value),
            Self::Incomplete { .. } | Self::Rejected { .. } => None,
        }
    }

    /// Returns the complete value, if only white space, commas, brackets and a fence surround it, but no prose, comment or inline code.
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

    /// Returns the value, or the part of it that could be parsed.
    pub const fn partial(&self) -> Option<&Json<'a>> {
        match self {
            Self::Clean(value) | Self::Repaired { value, .. } => Some(value),
            Self::Incomplete { partial, .. } | Self::Rejected { partial, .. } => partial.as_ref(),
        }
    }

    /// Returns the repairs, in the order of the text; a clean text has none.
    pub fn repairs(&self) -> &[Repair] {
        match self {
            Self::Clean(_) => &[],
            Self::Repaired { repairs, .. } | Self::Incomplete { repairs, .. } | Self::Rejected { repairs, .. } => {
                repairs
            }
        }
    }

    /// Returns the errors; a complete value has none.
    pub fn errors(&self) -> &[TextError] {
        match self {
            Self::Clean(_) | Self::Repaired { .. } => &[],
            Self::Incomplete { errors, .. } | Self::Rejected { errors, .. } => errors,
        }
    }

    /// Returns `clean`, `repaired`, `incomplete` or `rejected`.
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Clean(_) => "clean",
            Self::Repaired { .. } => "repaired",
            Self::Incomplete { .. } => "incomplete",
            Self::Rejected { .. } => "rejected",
        }
    }

    /// Converts the result into one that does not borrow from the text.
    pub fn into_owned(self) -> RepairedText<'static> {
        match self {
            Self::Clean(value) => RepairedText::Clean(value.into_owned()),
            Self::Repaired { value, repairs } => RepairedText::Repaired { value: value.into_owned(), repairs },
            Self::Incomplete { partial, repairs, errors } => {
                RepairedText::Incomplete { partial: partial.map(Json::into_owned), repairs, errors }
            }
            Self::Rejected { partial, repairs, errors } => {
                RepairedText::Rejected { partial: partial.map(Json::into_owned), repairs, errors }
            }
        }
    }
}

impl fmt::Debug for TextError {
    /// Leaves out the excerpt, which is part of the arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextError")
            .field("offset", &self.offset)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

impl RepairedText<'_> {
    /// Hides the parts of the ledger and of the errors that repeat a text, which may contain a secret.
    pub(super) fn redact(&mut self) {
        let (repairs, errors) = match self {
            Self::Clean(_) => return,
            Self::Repaired { repairs, .. } => (repairs, &mut Vec::new()),
            Self::Incomplete { repairs, errors, .. } | Self::Rejected { repairs, errors, .. } => (repairs, errors),
        };
        repairs.iter_mut().for_each(Repair::redact);
        errors.iter_mut().for_each(TextError::redact);
    }
}

impl TextError {
    /// Hides the excerpt of the text.
    pub(super) fn redact(&mut self) {
        self.context = REDACTED.into();
    }

    pub(super) fn new(fault: &Fault, text: &str) -> Self {
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

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)?;
        if self.context.is_empty() { Ok(()) } else { write!(f, ", near {}", self.context) }
    }
}
