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

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use fault::Fault;
use question::Question;
#[doc(hidden)]
pub use words::{EXPECTED, path_text, push_described, push_path};

use crate::bounded;
use crate::issue::{Constraint, Expected, Facts, Issue, Path};
use crate::json::Writer;

/// The most that a hint takes as JSON text.
pub(crate) const BUDGET: usize = 1_024;
/// How many distinct fields a hint names.
const FIELDS: usize = 3;
/// The bytes that the names and expectations of the fields usually take together.
const WORDS: usize = 320;

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
    /// The fields that are named, the most important first.
    fields: Vec<HintedField>,
    /// The names and expectations of the fields, one after the other.
    words: String,
    omitted: usize,
    question: Option<Question>,
    /// All of this as it is sent.
    json: String,
}

/// A field that a hint names, and the words for it.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct HintedField {
    /// The ranges of its path and its expectation in the words of the hint.
    name: Range<usize>,
    expected: Range<usize>,
    /// Which of the issues these are the words of.
    issue: usize,
    is_missing: bool,
    has_entry: bool,
    /// For a rename, which of the issues is that of the field that it becomes.
    renamed: Option<usize>,
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
        Draft::new(tool, issues, &mut Default::default()).fit()
    }

    /// The hint of a failure in which no field is at fault: the reason alone.
    #[doc(hidden)]
    pub fn without_fields(tool: &str, reason: Reason) -> Self {
        let mut hint = Self::unrendered(reason);
        hint.json = hint.rendered(&bounded::name(tool), None::<fn(Writer<'_>)>, None);
        hint
    }

    const fn unrendered(reason: Reason) -> Self {
        Self { reason, fields: Vec::new(), words: String::new(), omitted: 0, question: None, json: String::new() }
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
        self.fields.iter().filter(|field| field.is_missing).map(|field| self.name(field))
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
        self.fields.iter().filter(|field| field.has_entry).map(|field| self.name(field))
    }

    /// Returns what the constrained fields accept: the path of each field and the words for its values, the most important first.
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert_eq!(hint.constraints().collect::<Vec<_>>(), [("$", "boolean")]);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn constraints(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().filter(|field| field.has_entry).map(|field| (self.name(field), self.expected(field)))
    }

    /// Returns the example that the hint shows: the missing fields alone, each with a value that is accepted (WIRE §2). It is the first part that
    /// is left out of a hint that would be too long.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{RetryHint, ToolInput, decode::decode};
    ///
    /// #[derive(Debug, Deserialize, ToolInput)]
    /// struct Dim {
    ///     /// How bright, in percent.
    ///     #[tool(range(max = 100), example = 40)]
    ///     level: u8,
    /// }
    ///
    /// let Err(error) = decode::<Dim>(&"{}".into()) else { return };
    /// let hint = RetryHint::from_issues("dim", error.issues());
    /// assert_eq!(hint.example_input(), Some(serde_json::json!({"level": 40})));
    /// ```
    pub fn example_input(&self) -> Option<Value> {
        let Value::Object(mut members) = serde_json::from_str(&self.json).ok()? else { return None };
        members.remove("example_input")
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

    /// Returns the field that an issue of these issues is about, and its position: the most important field is the first. The issues are those
    /// that the hint was made of.
    #[doc(hidden)]
    pub fn field(&self, issues: &[Issue], index: usize) -> Option<(usize, &HintedField)> {
        let path = &issues[index].path;
        let is_there = |field: &HintedField| issues[field.issue].path.is(path) || field.becomes(issues, path);
        let position = self.fields.iter().position(|field| field.speaks_of(index));
        let position = position.or_else(|| self.fields.iter().position(is_there))?;
        Some((position, &self.fields[position]))
    }

    /// Returns the path of a field as an answer shows it.
    #[doc(hidden)]
    pub fn name(&self, field: &HintedField) -> &str {
        &self.words[field.name.clone()]
    }

    /// Returns what would be accepted in a field; empty where nobody can say.
    #[doc(hidden)]
    pub fn expected(&self, field: &HintedField) -> &str {
        &self.words[field.expected.clone()]
    }
}

impl HintedField {
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
    pub fn renamed<'i>(&self, issues: &'i [Issue]) -> Option<&'i str> {
        issues[self.renamed?].path.last_key()
    }

    /// Checks that it stands for the missing field at this path.
    #[doc(hidden)]
    pub fn becomes(&self, issues: &[Issue], path: &Path) -> bool {
        self.renamed.is_some_and(|missing| issues[missing].path.is(path))
    }
}

/// A hint in the making, with the faults that it names and the facts about them.
struct Draft<'i> {
    hint: RetryHint,
    tool: Cow<'i, str>,
    faults: Vec<Fault<'i>>,
    /// The facts about each of the faults; kept by the caller, because they are too large to be moved.
    facts: &'i mut [Facts; FIELDS],
}

impl<'i> Draft<'i> {
    /// Everything that could be said, whatever room it takes.
    fn new(tool: &'i str, issues: &'i [Issue], facts: &'i mut [Facts; FIELDS]) -> Self {
        let (faults, all) = fault::ranked(issues, FIELDS);
        let mut hint = RetryHint::unrendered(Reason::of(issues));
        (hint.fields, hint.words) = (Vec::with_capacity(FIELDS), String::with_capacity(WORDS));
        hint.omitted = all;
        for (fault, facts) in faults.iter().zip(&mut *facts) {
            let field = HintedField::of(fault, &mut hint.words, facts);
            hint.omitted -= field.places();
            hint.fields.push(field);
        }
        let missing = faults.iter().zip(&hint.fields).filter(|(_, field)| field.is_missing);
        hint.question = Question::of(tool, missing.map(|(fault, field)| (fault.issue(), hint.name(field))));
        Self { hint, tool: bounded::name(tool), faults, facts }
    }
}

impl HintedField {
    /// Writes the words for a fault, and fills in the facts that they are made of.
    fn of(fault: &Fault<'_>, words: &mut String, facts: &mut Facts) -> Self {
        let issue = fault.issue();
        let start = words.len();
        push_path(words, issue);
        let end = words.len();
        issue.expected.describe(words, facts);
        bounded::sentence_from(words, end, EXPECTED);
        Self {
            name: start..end,
            expected: end..words.len(),
            issue: fault.index(),
            is_missing: fault.is_missing(),
            has_entry: entry::has_members(issue, facts),
            renamed: fault.renamed_index(),
        }
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
