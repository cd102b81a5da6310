//! A bounded view of a rejection, from which a model can correct its call: [`RetryHint`] (see `docs/wire.md`).
//!
//! A hint is made from the issues of one call. It contains everything that a mechanical fixer needs for the next attempt: the missing
//! fields with acceptable values, and the facts about up to three faulty fields. Invariant: a hint names at most three distinct fields, has
//! at most 1,024 bytes, contains the most important issue, and counts the other faulty fields in `omitted`.

pub(crate) mod bounded_path_text;
mod entry;
mod group_by_field;
pub(crate) mod hinted_field;
mod missing_fields_example;
mod placeholder;
mod question;
mod render;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::Value;

pub(crate) use bounded_path_text::{MAX_EXPECTED_BYTES, path_text, push_path, text_to_send};
use group_by_field::Fault;
use hinted_field::HintedField;
use question::Question;

use crate::bounded;
use crate::issue::{Constraint, Expected, ExpectedFacts, Issue};
use crate::json::Writer;

/// The maximum number of bytes of a hint as JSON text.
pub(crate) const BUDGET: usize = 1_024;
/// The maximum number of distinct fields that a hint names.
const FIELDS: usize = 3;
/// The usual number of bytes for the names and expectations of all fields.
const WORDS: usize = 320;

/// The reason why a call has to be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A required field is absent.
    MissingFields,
    /// All required fields are present, but not all values are acceptable.
    InvalidArguments,
    /// The tool does not exist or cannot be reached.
    ToolUnavailable,
    /// The tool or its service asks for a pause.
    RateLimited,
    /// The call took too long.
    Timeout,
    /// The throttle stopped the call.
    Throttled,
    /// The result could not be encoded.
    MalformedResponse,
}

impl Reason {
    /// Returns the reason for rejecting arguments with these issues.
    pub(crate) fn from_issues(issues: &[Issue]) -> Self {
        let is_missing = |issue: &Issue| matches!(issue.constraint, Constraint::Required);
        if issues.iter().any(is_missing) { Self::MissingFields } else { Self::InvalidArguments }
    }

    /// Returns the value of `reason` in the JSON of a hint.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingFields => "missing_fields",
            Self::InvalidArguments => "invalid_arguments",
            Self::ToolUnavailable => "tool_unavailable",
            Self::RateLimited => "rate_limited",
            Self::Timeout => "timeout",
            Self::Throttled => "throttled",
            Self::MalformedResponse => "malformed_response",
        }
    }
}

/// A bounded view of a failure, for the model's next attempt.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{RetryHint, ToolInput, decode::decode};
///
/// #[derive(Debug, Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Dim {
///     /// Brightness in percent.
///     #[tool(range(max = 100), example = 40)]
///     level: u8,
///     /// Name of the lamp.
///     lamp: String,
/// }
///
/// let Err(error) = decode::<Dim>(&r#"{"level": 300}"#.into()) else { unreachable!() };
/// let hint = RetryHint::from_issues("dim", error.issues());
/// assert_eq!(hint.reason().as_str(), "missing_fields");
/// assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["lamp"]);
/// assert_eq!(hint.constraints().collect::<Vec<_>>(), [("level", "integer from 0 to 100")]);
/// assert_eq!(hint.example_input(), Some(serde_json::json!({"lamp": "text"})));
/// assert_eq!(hint.clarifying_question(), Some("Which lamp (Name of the lamp) should dim use?"));
/// ```
#[derive(Clone, Debug)]
pub struct RetryHint {
    reason: Reason,
    /// The named fields, the most important first.
    fields: Vec<HintedField>,
    /// The paths and expectations of all fields, one after the other.
    words: String,
    omitted: usize,
    question: Option<Question>,
    /// The hint as JSON text.
    json: String,
}

impl RetryHint {
    /// Creates the hint for a call whose arguments have these issues.
    pub fn from_issues(tool: &str, issues: &[Issue]) -> Self {
        Draft::new(tool, issues, &mut Default::default()).fit()
    }

    /// Creates the hint for a failure without a faulty field, with only the reason.
    pub(crate) fn without_fields(tool: &str, reason: Reason) -> Self {
        let mut hint = Self::unrendered(reason);
        hint.json = hint.rendered(&bounded::name(tool), None::<fn(Writer<'_>)>, None);
        hint
    }

    const fn unrendered(reason: Reason) -> Self {
        Self { reason, fields: Vec::new(), words: String::new(), omitted: 0, question: None, json: String::new() }
    }

    /// Returns the reason why the call has to be repeated.
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the paths of the missing required fields, the most important first.
    pub fn missing_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|field| field.is_missing).map(|field| self.name(field))
    }

    /// Returns the paths of the fields that have a constraint, the most important first.
    pub fn constrained_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|field| field.has_entry).map(|field| self.name(field))
    }

    /// Returns the constrained fields: the path of each field and the description of its values, the most important first.
    pub fn constraints(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().filter(|field| field.has_entry).map(|field| (self.name(field), self.expected(field)))
    }

    /// Returns the example in the hint: only the missing fields, each with an acceptable value. If the hint is too long, this example is
    /// removed before the question and before any entry of `constraints`.
    pub fn example_input(&self) -> Option<Value> {
        let Value::Object(mut members) = serde_json::from_str(&self.json).ok()? else { return None };
        members.remove("example_input")
    }

    /// Returns the number of faulty fields that the hint does not name.
    pub const fn omitted(&self) -> usize {
        self.omitted
    }

    /// Returns the question for the user, if the user has to supply a value.
    pub fn clarifying_question(&self) -> Option<&str> {
        self.question.as_ref().map(Question::as_str)
    }

    /// Returns the field that covers an issue, and the position of the field; the most important field has position 0. `issues` must be the
    /// list from which the hint was made.
    pub(crate) fn field(&self, issues: &[Issue], index: usize) -> Option<(usize, &HintedField)> {
        let path = &issues[index].path;
        let is_there = |field: &HintedField| issues[field.issue].path.equals(path) || field.is_rename_of(issues, path);
        let position = self.fields.iter().position(|field| field.is_about_issue(index));
        let position = position.or_else(|| self.fields.iter().position(is_there))?;
        Some((position, &self.fields[position]))
    }

    /// Returns the path of a field, as it is written in answers to the model.
    pub(crate) fn name(&self, field: &HintedField) -> &str {
        &self.words[field.name.clone()]
    }

    /// Returns the expectation of a field; empty if there is none.
    pub(crate) fn expected(&self, field: &HintedField) -> &str {
        &self.words[field.expected.clone()]
    }
}

/// A hint under construction, with the issues that it names and the facts about them.
struct Draft<'i> {
    hint: RetryHint,
    tool: Cow<'i, str>,
    faults: Vec<Fault<'i>>,
    /// The facts about each issue. The caller owns them, because they are too large to be moved cheaply.
    facts: &'i mut [ExpectedFacts; FIELDS],
}

impl<'i> Draft<'i> {
    /// Creates a draft with all information, even if it makes the hint too long.
    fn new(tool: &'i str, issues: &'i [Issue], facts: &'i mut [ExpectedFacts; FIELDS]) -> Self {
        let (faults, all) = group_by_field::groups_by_rank(issues, FIELDS);
        let mut hint = RetryHint::unrendered(Reason::from_issues(issues));
        (hint.fields, hint.words) = (Vec::with_capacity(FIELDS), String::with_capacity(WORDS));
        hint.omitted = all;
        for (fault, facts) in faults.iter().zip(&mut *facts) {
            let field = HintedField::write(fault, &mut hint.words, facts);
            hint.omitted -= field.places();
            hint.fields.push(field);
        }
        let is_asked = |(fault, field): &(&Fault<'_>, &HintedField)| field.is_missing && fault.issue().inside.is_none();
        let missing = faults.iter().zip(&hint.fields).filter(is_asked);
        hint.question = Question::for_missing(tool, missing.map(|(fault, field)| (fault.issue(), hint.name(field))));
        Self { hint, tool: bounded::name(tool), faults, facts }
    }
}

/// Returns the issues of every faulty field, the most important field first. With an unknown field comes the missing field that it was
/// probably meant for, if any.
pub(crate) fn faults(issues: &[Issue]) -> Vec<(Vec<&Issue>, Option<&Issue>)> {
    let (faults, _) = group_by_field::groups_by_rank(issues, usize::MAX);
    faults.iter().map(|fault| (fault.issues().collect(), fault.renamed())).collect()
}

/// Returns a value that an expectation accepts, as JSON text: the author's own, or else the smallest that its rules allow.
pub(crate) fn example_value(expected: &Expected) -> Option<String> {
    placeholder::value(expected)
}
