//! The bounded view of a refusal that a model corrects its call by: [`RetryHint`] (WIRE §2).
//!
//! In come the issues of one call, nothing else; out goes what a mechanical fixer needs for the next attempt: which fields are missing and
//! what may stand in their place, and for up to three faulty fields everything that is known of them. What always holds: at most three
//! distinct fields, at most 1,024 bytes, the most important fault is there, and `omitted` counts the faulty fields that are not.

mod entry;
mod example;
mod fault;
mod placeholder;
mod question;
mod render;
#[cfg(test)]
mod tests;
mod words;

use entry::Entry;
use example::ExampleInput;
use fault::Fault;
use question::Question;
#[doc(hidden)]
pub use words::{EXPECTED, path_text, push_described};

use crate::bounded;
use crate::issue::{Constraint, Expected, Issue, Path};

/// The most that a hint takes as JSON text.
pub(crate) const BUDGET: usize = 1_024;
/// How many distinct fields a hint names.
const FIELDS: usize = 3;

/// Why a call has to be made again, in one word.
///
/// ```
/// assert_eq!(tool_schema::hint::Reason::MissingFields.as_str(), "missing_fields");
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
    #[doc(hidden)]
    pub fn of(issues: &[Issue]) -> Self {
        let is_missing = |issue: &Issue| matches!(issue.constraint, Constraint::Required);
        if issues.iter().any(is_missing) { Self::MissingFields } else { Self::InvalidArguments }
    }

    /// The `reason` of the wire.
    ///
    /// ```
    /// assert_eq!(tool_schema::hint::Reason::Timeout.as_str(), "timeout");
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
/// use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
///
/// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
/// assert_eq!(
///     RetryHint::from_issues("switch", &issues).to_json(),
///     concat!(
///         r#"{"reason":"invalid_arguments","tool":"switch","#,
///         r#""constraints":[{"field":"$","expected":"boolean","type":"boolean"}]}"#,
///     ),
/// );
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RetryHint {
    reason: Reason,
    tool: String,
    /// The fields that are named, the most important first.
    fields: Vec<HintedField>,
    omitted: usize,
    question: Option<Question>,
    example_input: ExampleInput,
    /// All of this as it is sent.
    json: String,
}

/// A field that a hint names, and the words for it.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct HintedField {
    /// Its path as an answer shows it.
    #[doc(hidden)]
    pub name: String,
    /// What would be accepted there; empty where nobody can say.
    #[doc(hidden)]
    pub expected: String,
    /// Which of the issues these are the words of.
    issue: usize,
    is_missing: bool,
    entry: Option<Entry>,
    path: Path,
    /// For a rename, the place of the field that it becomes.
    renamed: Option<Path>,
}

impl RetryHint {
    /// The hint for a call whose arguments have these issues.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert!(hint.to_json().contains("boolean"));
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn from_issues(tool: &str, issues: &[Issue]) -> Self {
        let mut hint = Self::whole(tool, issues);
        hint.fit();
        hint
    }

    /// Everything that could be said, whatever room it takes.
    fn whole(tool: &str, issues: &[Issue]) -> Self {
        let (faults, all) = fault::ranked(issues, FIELDS);
        let fields: Vec<_> = faults.iter().map(HintedField::of).collect();
        let missing: Vec<_> = faults.iter().zip(&fields).filter(|(_, field)| field.is_missing).collect();
        Self {
            question: Question::of(tool, missing.iter().map(|(fault, field)| (fault.issue(), &*field.name))),
            example_input: ExampleInput::of(missing.iter().map(|(fault, _)| fault.issue())),
            omitted: all - fields.iter().map(HintedField::places).sum::<usize>(),
            fields,
            ..Self::unrendered(tool, Reason::of(issues))
        }
    }

    /// The hint of a failure in which no field is at fault: the reason alone.
    #[doc(hidden)]
    pub fn without_fields(tool: &str, reason: Reason) -> Self {
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
            question: None,
            example_input: ExampleInput::default(),
            json: String::new(),
        }
    }

    /// Why the call has to be made again.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.reason().as_str(), "invalid_arguments");
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// The required fields that are absent, as paths, the most important first.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.missing_fields().count(), 0);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn missing_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|field| field.is_missing).map(|field| &*field.name)
    }

    /// The fields that have a constraint, as paths, the most important first.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.constrained_fields().collect::<Vec<_>>(), ["$"]);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
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
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.omitted(), 0);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub const fn omitted(&self) -> usize {
        self.omitted
    }

    /// What to ask the user, where something must be supplied.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.clarifying_question(), None);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn clarifying_question(&self) -> Option<&str> {
        self.question.as_ref().map(Question::as_str)
    }

    /// The field at this place where it is named, and where it stands among those, the most important being first.
    #[doc(hidden)]
    pub fn field(&self, path: &Path) -> Option<(usize, &HintedField)> {
        let is_there = |field: &HintedField| field.path == *path || field.renamed.as_ref() == Some(path);
        self.fields.iter().enumerate().find(|(_, field)| is_there(field))
    }
}

impl HintedField {
    fn of(fault: &Fault<'_>) -> Self {
        let issue = fault.issue();
        let mut words = String::with_capacity(EXPECTED);
        let facts = issue.expected.describe(&mut words);
        let expected = bounded::owned_sentence(words, EXPECTED);
        Self {
            name: path_text(issue),
            entry: Entry::of(fault, &expected, facts),
            expected,
            issue: fault.index(),
            is_missing: fault.is_missing(),
            path: issue.path.clone(),
            renamed: fault.renamed().map(|missing| missing.path.clone()),
        }
    }

    /// How many faulty places it speaks of.
    const fn places(&self) -> usize {
        1 + self.renamed.is_some() as usize
    }

    /// Whether its words are those of this issue.
    #[doc(hidden)]
    pub const fn speaks_of(&self, issue: usize) -> bool {
        self.issue == issue
    }

    /// The key that it should have had, where it is an unknown field that stands for a missing one.
    #[doc(hidden)]
    pub fn renamed(&self) -> Option<&str> {
        self.renamed.as_ref()?.last_key()
    }

    /// Whether it stands for the missing field at this place.
    #[doc(hidden)]
    pub fn becomes(&self, path: &Path) -> bool {
        self.renamed.as_ref() == Some(path)
    }
}

/// Every faulty field, the most important one first: its issues, and the missing field that it stands for.
#[doc(hidden)]
pub fn faults(issues: &[Issue]) -> Vec<(Vec<&Issue>, Option<&Issue>)> {
    let (faults, _) = fault::ranked(issues, usize::MAX);
    faults.iter().map(|fault| (fault.issues().collect(), fault.renamed())).collect()
}

/// A value that an expectation accepts, as JSON text: the author's own, else the least that its rules allow.
#[doc(hidden)]
pub fn example_value(expected: &Expected) -> Option<String> {
    placeholder::value(expected)
}
