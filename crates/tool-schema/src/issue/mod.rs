//! The issues of a call as data: [`Issue`], and ordered lists of issues.
//!
//! The checker creates issues, and the answers for models are made from them. Invariant: a rejected call has at least one issue; an issue
//! about a sensitive field contains no part of the field's value.

pub(crate) mod bounded_text_list;
mod constraint;
mod error;
mod expected;
mod expected_facts;
mod expected_text;
pub(crate) mod got;
mod host_issue;
mod message;
pub(crate) mod misplaced_fields;
mod parse_path;
pub(crate) mod path;
mod stored;
mod tightest_bounds;

pub(crate) use bounded_text_list::{WriteText, to_escaped_text, to_escaped_text_with_capacity};
pub use constraint::Constraint;
pub(crate) use error::PriorCheck;
pub use error::ValidationError;
pub use expected::Expected;
pub(crate) use expected_facts::ExpectedFacts;
pub use got::Got;
pub(crate) use got::REDACTED;
pub use path::{Path, Segment};
pub(crate) use tightest_bounds::{tighten, violation};

use std::sync::Arc;

use crate::case_significance::is_other_symbol;
use crate::json::{Json, JsonType, SyntaxError};
use crate::shape::{CustomRuleError, Kind, Ref, Text};
use crate::suggest::fold;

/// The finding about a value that a type of another crate rejects.
pub(crate) const MISMATCH: &str = "does not match its schema";

/// One issue of a call.
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
    /// The location of the issue. For a missing key, the location where it should be.
    pub path: Path,
    /// The violated constraint.
    pub constraint: Constraint,
    /// The expectation for the value, shared by the issues of one field.
    pub expected: Arc<Expected>,
    /// The value that was sent.
    pub got: Got,
    /// The name that was probably meant: a field, an enum value or a tag.
    pub suggestion: Option<Text>,
    /// The author's description of the field; may be empty.
    pub description: Text,
    /// For a missing field, the field whose text contains it as markup.
    pub(crate) inside: Option<Text>,
}

/// The maximum number of issues that are collected for one call, so that a rejected call needs a bounded amount of memory.
///
/// If a call has more issues, its list contains one extra element to signal this, and messages say `more than` before the number of issues.
///
/// ```
/// use tool_schema::{ToolInput, check::check, issue::MAX_ISSUES, json::Json};
///
/// let issues = |issues: usize| {
///     let text = format!("[{}]", vec!["1"; issues].join(","));
///     Json::parse(&text).map(|json| check(<Vec<bool>>::SHAPE, &json).len())
/// };
/// assert_eq!(issues(MAX_ISSUES)?, MAX_ISSUES);
/// assert_eq!(issues(5 * MAX_ISSUES)?, MAX_ISSUES + 1);
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub const MAX_ISSUES: usize = 1_000;

/// The issues of a call, in declaration order. There are at most [`MAX_ISSUES`], or one more if not all issues were collected.
pub type Issues = Vec<Issue>;

/// Returns the number of issues, with the text `more than ` if not all issues were counted.
pub(crate) fn counted(issues: &[Issue], number: usize) -> (&'static str, usize) {
    if issues.len() > MAX_ISSUES { ("more than ", number.saturating_sub(1)) } else { ("", number) }
}

impl Issue {
    /// Creates an issue that has neither a suggestion nor a description.
    pub(crate) fn new(path: Path, constraint: Constraint, expected: impl Into<Arc<Expected>>, got: Got) -> Self {
        Self {
            path,
            constraint,
            expected: expected.into(),
            got,
            suggestion: None,
            description: Text::EMPTY,
            inside: None,
        }
    }

    /// Creates the issue of a text that is not valid JSON.
    pub(crate) fn syntax(error: &SyntaxError) -> Self {
        let constraint = match *error {
            SyntaxError::Incomplete { .. } => Constraint::Incomplete,
            SyntaxError::MultipleDocuments { offset } => Constraint::MultipleDocuments { offset },
            SyntaxError::Depth { limit, .. } => Constraint::Depth { limit },
            _ => Constraint::Syntax { offset: error.offset() },
        };
        let expected = match *error {
            SyntaxError::Syntax { expected, .. } => Text::from_static(expected),
            _ => Text::from_static("one JSON object"),
        };
        Self::new(Path::root(), constraint, Expected::from_text(expected), Got::absent())
    }

    /// Returns `true` if the issue is about an unknown key that is hidden because the call has sensitive fields.
    pub(crate) fn has_hidden_key(&self) -> bool {
        let is_key =
            matches!(self.constraint, Constraint::UnknownField { .. } | Constraint::Discriminator { is_key: true, .. });
        is_key && self.path.last_key() == Some(REDACTED)
    }

    /// Returns `true` if the suggestion is certainly the value that was sent, in another spelling. Otherwise it is only a question: a word
    /// that looks misspelled may be a word too (`nitrite`, `nitrate`).
    pub fn suggestion_is_certain(&self) -> bool {
        let sent = self.got.json.as_deref().unwrap_or_default().trim_matches('"');
        let is_same = |meant: &Text| fold(sent) == fold(meant) && !is_other_symbol(sent, meant, |_| false);
        self.suggestion.as_ref().is_some_and(is_same)
    }

    /// Creates the issue for a value that the `Deserialize` of its type rejects for a reason that no rule explains. Its text is "was not
    /// accepted as …" or "does not match its schema".
    pub(crate) fn not_accepted(path: Path, expected: Expected, got: Got, description: Text) -> Self {
        let is_foreign = expected.at_terminal(|terminal| matches!(terminal.shape.kind, Kind::Foreign(_)));
        let rejection = match is_foreign {
            Some(true) => CustomRuleError::new(MISMATCH),
            _ => CustomRuleError::new(format!("was not accepted as {expected}")),
        };
        let constraint = Constraint::Custom(rejection);
        Self { path, constraint, expected: expected.into(), got, suggestion: None, description, inside: None }
    }

    /// Creates the issue of arguments that are not an object.
    pub(crate) fn no_object(input: &Ref, json: &Json<'_>) -> Self {
        Self {
            path: Path::root(),
            constraint: Constraint::Type(vec![JsonType::Object]),
            expected: Expected::from_shape(input.clone()).into(),
            got: Got::for_shape(&input.shape(), json),
            suggestion: None,
            description: Text::EMPTY,
            inside: None,
        }
    }
}
