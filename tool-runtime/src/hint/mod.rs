//! The bounded view of a refusal that a model corrects its call by: [`RetryHint`] (WIRE §2).
//!
//! In come the issues of one call, nothing else; out goes what a mechanical fixer needs for the next attempt: which fields are missing and
//! what may stand in their place, and for up to three faulty fields everything that is known of them. What always holds: at most three
//! distinct fields, at most 1,024 bytes, the most important fault is there, and `omitted` counts the faulty fields that are not.

mod entry;
mod example;
mod fault;
mod placeholder;
mod render;
#[cfg(test)]
pub(crate) mod tests;
mod words;

use entry::Entry;
use example::ExampleInput;
use fault::Fault;
use words::question;
pub(crate) use words::{described, path_text};

use crate::bounded;
use crate::issue::{Constraint, Expected, Issue, Path};

/// The most that a hint takes as JSON text.
pub(crate) const BUDGET: usize = 1_024;
/// How many distinct fields a hint names.
const FIELDS: usize = 3;

/// Why a call has to be made again, in one word.
///
/// ```
/// assert_eq!(tool_runtime::hint::Reason::MissingFields.as_str(), "missing_fields");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// Something required is absent.
    MissingFields,
    /// Everything required is there, but not everything is acceptable.
    InvalidArguments,
    /// The tool does not exist or cannot be reached.
    ToolUnavailable,
    /// Whoever serves the tool asks for a pause.
    RateLimited,
    /// It took too long.
    Timeout,
    /// A rule against thrashing refused it.
    Throttled,
    /// The result could not be encoded.
    MalformedResponse,
}

impl Reason {
    /// The reason for which arguments with these issues are refused.
    pub(crate) fn of(issues: &[Issue]) -> Self {
        let is_missing = |issue: &Issue| matches!(issue.constraint, Constraint::Required);
        if issues.iter().any(is_missing) { Self::MissingFields } else { Self::InvalidArguments }
    }

    /// The `reason` of the wire.
    ///
    /// ```
    /// assert_eq!(tool_runtime::hint::Reason::Timeout.as_str(), "timeout");
    /// ```
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
/// use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
///
/// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
/// assert_eq!(
///     RetryHint::from_issues("switch", &issues).to_json(),
///     concat!(
///         r#"{"reason":"invalid_arguments","tool":"switch","#,
///         r#""constraints":[{"field":"$","expected":"boolean","type":"boolean"}]}"#,
///     ),
/// );
/// # Ok::<(), tool_runtime::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RetryHint {
    reason: Reason,
    tool: String,
    /// The fields that are named, the most important first.
    fields: Vec<HintedField>,
    omitted: usize,
    clarifying_question: Option<String>,
    example_input: ExampleInput,
    /// All of this as it is sent.
    json: String,
}

/// A field that a hint names.
#[derive(Clone, Debug)]
struct HintedField {
    /// Its path as the hint shows it.
    name: String,
    is_missing: bool,
    entry: Option<Entry>,
    /// Its place, and for a rename that of the field which it becomes.
    paths: Vec<Path>,
}

impl RetryHint {
    /// The hint for a call whose arguments have these issues.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert!(hint.to_json().contains("boolean"));
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn from_issues(tool: &str, issues: &[Issue]) -> Self {
        let (faults, fields) = fault::ranked(issues, FIELDS);
        let missing: Vec<_> = faults.iter().filter(|fault| fault.is_missing()).collect();
        let mut hint = Self {
            clarifying_question: question(tool, &missing),
            example_input: ExampleInput::of(&missing),
            omitted: fields - faults.iter().map(|fault| fault.paths().count()).sum::<usize>(),
            fields: faults.iter().map(HintedField::of).collect(),
            ..Self::unrendered(tool, Reason::of(issues))
        };
        hint.fit();
        hint
    }

    /// The hint of a failure in which no field is at fault: the reason alone.
    pub(crate) fn without_fields(tool: &str, reason: Reason) -> Self {
        let mut hint = Self::unrendered(tool, reason);
        hint.fit();
        hint
    }

    fn unrendered(tool: &str, reason: Reason) -> Self {
        Self {
            reason,
            tool: bounded::name(tool).into_owned(),
            fields: Vec::new(),
            omitted: 0,
            clarifying_question: None,
            example_input: ExampleInput::default(),
            json: String::new(),
        }
    }

    /// Why the call has to be made again.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.reason().as_str(), "invalid_arguments");
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// The required fields that are absent, as paths, the most important first.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.missing_fields().count(), 0);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn missing_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|field| field.is_missing).map(|field| &*field.name)
    }

    /// The fields that have a constraint, as paths, the most important first.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.constrained_fields().collect::<Vec<_>>(), ["$"]);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn constrained_fields(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|(field, _)| field)
    }

    fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.fields.iter().filter_map(|field| Some((&*field.name, field.entry.as_ref()?)))
    }

    /// How many faulty fields the hint does not name.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.omitted(), 0);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub const fn omitted(&self) -> usize {
        self.omitted
    }

    /// What to ask the user, where something must be supplied.
    ///
    /// ```
    /// # use tool_runtime::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.clarifying_question(), None);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn clarifying_question(&self) -> Option<&str> {
        self.clarifying_question.as_deref()
    }

    /// The key that an unknown field at this place should have had, where it stands for a missing one.
    pub(crate) fn renamed(&self, path: &Path) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.paths.first() == Some(path))?;
        field.paths.get(1)?.last_key()
    }

    /// Whether an unknown field stands for the missing one at this place.
    pub(crate) fn is_rename_target(&self, path: &Path) -> bool {
        self.fields.iter().any(|field| field.paths.get(1) == Some(path))
    }

    /// Where the field at this place stands among those that are named, the most important being first.
    pub(crate) fn position(&self, path: &Path) -> Option<usize> {
        self.fields.iter().position(|field| field.paths.contains(path))
    }
}

impl HintedField {
    fn of(fault: &Fault<'_>) -> Self {
        Self {
            name: path_text(&fault.issue().path),
            is_missing: fault.is_missing(),
            entry: Entry::of(fault),
            paths: fault.paths().cloned().collect(),
        }
    }
}

/// Every faulty field, the most important one first: its issues, and the missing field that it stands for.
pub(crate) fn faults(issues: &[Issue]) -> Vec<(Vec<&Issue>, Option<&Issue>)> {
    let (faults, _) = fault::ranked(issues, usize::MAX);
    faults.iter().map(|fault| (fault.issues().collect(), fault.renamed())).collect()
}

/// A value that an expectation accepts, as JSON text: the author's own, else the least that its rules allow.
pub(crate) fn example_value(expected: &Expected) -> Option<String> {
    placeholder::value(expected)
}
