//! One fault of a call as data: [`Issue`], and the ordered lists of them.
//!
//! The checker writes issues, everything that answers a model reads them. What always holds: an [`Issues`] that refuses a call
//! has at least one element; an issue of a sensitive field carries no part of its value.

mod bounds;
mod constraint;
mod error;
mod expected;
mod facts;
mod found;
pub(crate) mod got;
pub(crate) mod list;
mod message;
mod own;
mod path;
mod path_text;
mod words;

pub(crate) use bounds::{tighten, violation};
pub use constraint::Constraint;
pub use error::ValidationError;
pub use expected::Expected;
pub(crate) use facts::Facts;
pub(crate) use found::Found;
pub use got::Got;
pub(crate) use got::REDACTED;
pub(crate) use list::{Worded, rendered, rendered_within};
pub use path::{Path, Segment};

use std::sync::Arc;

use crate::json::{Json, JsonType, SyntaxError};
use crate::shape::{Kind, Ref, Rejection, Text};

/// What is said of a value that a type of another crate's refuses.
pub(crate) const MISMATCH: &str = "does not match its schema";

/// One fault of a call.
///
/// ```
/// use tool_schema::{ToolInput, check::check, json::Json};
///
/// let issues = check(bool::SHAPE, &Json::parse("3")?);
/// assert_eq!(issues[0].message(), "the arguments must be a boolean");
/// assert_eq!((issues[0].path.pointer(), issues[0].got.preview.as_str()), (String::new(), "3"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Issue {
    /// Where it is. For a missing key, where the key should have been.
    pub path: Path,
    /// What was violated.
    pub constraint: Constraint,
    /// What would be accepted there; shared by the issues of one field.
    pub expected: Arc<Expected>,
    /// What was sent.
    pub got: Got,
    /// What was probably meant: a field's name, an enum value, a tag.
    pub suggestion: Option<Text>,
    /// What the field means, in its author's words; empty where nobody says.
    pub description: Text,
}

/// The most issues that are collected of one call, so that a rejected call costs a bounded amount of memory.
///
/// Where there are more, a list has one more than this and nothing beyond; the texts for models and people then say `more than`.
///
/// ```
/// use tool_schema::{ToolInput, check::check, issue::MOST_ISSUES, json::Json};
///
/// let issues = |faults: usize| {
///     let text = format!("[{}]", vec!["1"; faults].join(","));
///     Json::parse(&text).map(|json| check(<Vec<bool>>::SHAPE, &json).len())
/// };
/// assert_eq!(issues(MOST_ISSUES)?, MOST_ISSUES);
/// assert_eq!(issues(5 * MOST_ISSUES)?, MOST_ISSUES + 1);
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub const MOST_ISSUES: usize = 1_000;

/// The faults of a call, in declaration order; one more than [`MOST_ISSUES`] where there are more.
///
/// ```
/// use tool_schema::{ToolInput, check::check, issue::Issues, json::Json};
///
/// let issues: Issues = check(<Vec<bool>>::SHAPE, &Json::parse("[1, true, 2]")?);
/// let paths: Vec<String> = issues.iter().map(|issue| issue.path.to_string()).collect();
/// assert_eq!(paths, ["[0]", "[2]"]);
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub type Issues = Vec<Issue>;

/// How many issues there are, or are left, in words: a number, and what stands before it where nobody has counted all of them.
pub(crate) fn counted(issues: &[Issue], number: usize) -> (&'static str, usize) {
    if issues.len() > MOST_ISSUES { ("more than ", number.saturating_sub(1)) } else { ("", number) }
}

impl Issue {
    /// An issue without a suggestion and a description.
    pub(crate) fn new(path: Path, constraint: Constraint, expected: impl Into<Arc<Expected>>, got: Got) -> Self {
        Self { path, constraint, expected: expected.into(), got, suggestion: None, description: Text::EMPTY }
    }

    /// The one issue of a text that is not JSON.
    pub(crate) fn syntax(error: &SyntaxError) -> Self {
        let constraint = match *error {
            SyntaxError::Incomplete { .. } => Constraint::Incomplete,
            SyntaxError::MultipleDocuments { offset } => Constraint::MultipleDocuments { offset },
            SyntaxError::Depth { limit, .. } => Constraint::Depth { limit },
            _ => Constraint::Syntax { offset: error.offset() },
        };
        let expected = match *error {
            SyntaxError::Syntax { expected, .. } => Text::new(expected),
            _ => Text::new("one JSON object"),
        };
        Self::new(Path::root(), constraint, Expected::words(expected), Got::absent())
    }

    /// Whether it is about an unknown key that is not shown, because the call has sensitive fields.
    pub(crate) fn has_hidden_key(&self) -> bool {
        let is_key =
            matches!(self.constraint, Constraint::UnknownField { .. } | Constraint::Discriminator { is_key: true, .. });
        is_key && self.path.last_key() == Some(REDACTED)
    }

    /// A value that its own `Deserialize` refuses for reasons that no rule can tell: "was not accepted as …", or "does not match its schema".
    pub(crate) fn not_accepted(path: Path, expected: Expected, got: Got, description: Text) -> Self {
        let is_foreign = expected.at_terminal(|terminal| matches!(terminal.shape.kind, Kind::Foreign(_)));
        let rejection = match is_foreign {
            Some(true) => Rejection::new(MISMATCH),
            _ => Rejection::new(format!("was not accepted as {expected}")),
        };
        let constraint = Constraint::Custom(rejection);
        Self { path, constraint, expected: expected.into(), got, suggestion: None, description }
    }

    /// Arguments that are no object, whatever the type.
    pub(crate) fn no_object(input: &Ref, json: &Json<'_>) -> Self {
        Self {
            path: Path::root(),
            constraint: Constraint::Type(vec![JsonType::Object]),
            expected: Expected::of(input.clone()).into(),
            got: Got::at(&input.shape(), json),
            suggestion: None,
            description: Text::EMPTY,
        }
    }
}
