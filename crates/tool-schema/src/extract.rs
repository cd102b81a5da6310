//! Extracts a typed value from the text of a model's answer: [`extract`].
//!
//! The answer may contain prose, code fences or broken JSON. Invariant: a text that is valid as a whole is never changed, and a text that
//! was cut off is never a value.

use std::error::Error;
use std::fmt;

use crate::check::check_lossless;
use crate::decode::decode_value;
use crate::feedback::{annotated_arguments, annotated_invalid_json};
use crate::hint::RetryHint;
use crate::input::{Arguments, ToolInput};
use crate::issue::{Issue, ValidationError};
use crate::json::{Json, SyntaxError};
use crate::repair::{Repair, RepairedArguments, mend_value};
use crate::shape::{Ref, RepairPolicy, Shape};

/// A value extracted from a text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Extracted<T> {
    /// The value.
    pub value: T,
    /// The repairs that were applied to the text and to the value, in order; none if the whole text is valid JSON for the type.
    pub repairs: Vec<Repair>,
}

/// Extracts a typed value from the text of a model's answer.
///
/// The text may be JSON, JSON in a code fence, JSON with prose around it, or broken JSON that has only one possible meaning. The text is
/// repaired with [`RepairPolicy::Lossless`]: no part of the value is lost, and every repair is listed.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, extract};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Invoice {
///     /// The person or company that is billed.
///     customer: String,
///     /// Amount in cents.
///     #[tool(range(min = 1))]
///     cents: u32,
/// }
///
/// let answer = "Here is the invoice:\n```json\n{'customer': 'Ada', \"cents\": \"1250\",}\n```";
/// let invoice = extract::<Invoice>(answer)?;
/// assert_eq!((&*invoice.value.customer, invoice.value.cents), ("Ada", 1250));
/// assert_eq!(invoice.repairs.last().map(ToString::to_string).as_deref(), Some(r#"Read cents "1250" as 1250."#));
/// # Ok::<(), tool_schema::ExtractError>(())
/// ```
///
/// # Errors
///
/// Returns an [`ExtractError`] with every issue if the text contains several JSON values or none, if the value was cut off or is ambiguous,
/// if the value does not match the type or its rules, or if serde would drop a part of it: an unknown key that resembles an absent one, or an
/// object without any known key.
pub fn extract<T: ToolInput>(text: &str) -> Result<Extracted<T>, ExtractError> {
    // As the arguments of a call, an empty text stands for an empty object; here, it is a missing answer.
    if text.trim().is_empty()
        && let Err(error) = Json::parse(text)
    {
        return Err(ExtractError::of_text(T::SHAPE, text, Issue::syntax(&error).into(), Vec::new()));
    }
    let arguments = Arguments::from(text);
    let rejected = match decode_answer::<T>(text) {
        Ok(value) => return Ok(Extracted { value, repairs: Vec::new() }),
        Err(error) => error,
    };
    let error = |issues| ValidationError::new(issues).unwrap_or_else(|| rejected.clone());
    match mend_value("", &Ref::Static(T::SHAPE), &arguments, RepairPolicy::Lossless) {
        RepairedArguments::Clean(value) => Err(ExtractError::of_value(T::SHAPE, &value, rejected, Vec::new())),
        RepairedArguments::Repaired { arguments: value, repairs, .. } => match decode_answer(&value.to_text()) {
            Ok(value) => Ok(Extracted { value, repairs }),
            Err(error) => Err(ExtractError::of_value(T::SHAPE, &value, error, repairs)),
        },
        RepairedArguments::Rejected { arguments: value, repairs, issues, .. } => {
            Err(ExtractError::of_value(T::SHAPE, &value, error(issues), repairs))
        }
        RepairedArguments::Incomplete { repairs, issues, .. }
        | RepairedArguments::Unreadable { repairs, issues, .. } => {
            Err(ExtractError::of_text(T::SHAPE, text, error(issues), repairs))
        }
    }
}

/// Decodes an answer. serde ignores unknown keys, so a value in a wrapper, an error in place of the value, or a misspelt key of an optional
/// field would become a value that lacks what was written. Such an answer is rejected.
pub(crate) fn decode_answer<T: ToolInput>(text: &str) -> Result<T, ValidationError> {
    let value = decode_value(text)?;
    let json = Json::parse(text).map_err(|error| Issue::syntax(&error))?;
    ValidationError::about(T::SHAPE, &json, check_lossless(T::SHAPE, &json)).map_or(Ok(value), Err)
}

/// The reason why the text of an answer was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadAnswerReason {
    /// The output limit of the model cut off the answer.
    OutputLimit,
    /// The text contains the markup of a call that was not made.
    CallInText {
        /// The position of the markup, in bytes.
        offset: usize,
    },
}

impl UnreadAnswerReason {
    pub(crate) const fn guidance(self) -> &'static str {
        match self {
            Self::OutputLimit => {
                "Your answer reached its output limit, so it was not read. Answer again with less text, as JSON that matches the schema of the \
                 answer. A longer answer would be cut off again."
            }
            Self::CallInText { .. } => {
                "Your answer contains a tool call as text, so nothing was run. Make tool calls only in the way that the API provides for them. To \
                 answer, write JSON that matches the schema of the answer, without such markup."
            }
        }
    }
}

/// An answer from which no value could be extracted.
///
/// Its `Display` text is one bounded sentence; [`annotated_answer`](Self::annotated_answer) returns a text from which a model can correct its answer.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, extract};
///
/// #[derive(Debug, Deserialize, PartialEq, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Invoice {
///     /// The person or company that is billed.
///     customer: String,
///     /// Amount in cents.
///     #[tool(range(min = 1))]
///     cents: u32,
/// }
///
/// let error = extract::<Invoice>(r#"{"cents": 0}"#).unwrap_err();
/// assert_eq!(error.to_string(), "2 issues: customer is required; cents must be at least 1");
/// assert_eq!(error.issues().len(), 2);
/// assert_eq!(
///     error.annotated_answer(),
///     r#"{
///   "cents": 0, // ❌ integer from 1
///   "customer": undefined // ❌ required: string — The person or company that is billed
/// }"#
/// );
/// ```
#[derive(Clone)]
pub struct ExtractError(Box<Rejected>);

#[derive(Clone)]
struct Rejected {
    error: ValidationError,
    repairs: Vec<Repair>,
    annotated_answer: String,
    /// The reason why the text was not read, if it was not.
    unread: Option<UnreadAnswerReason>,
}

impl ExtractError {
    pub(crate) fn of_value(shape: &Shape, value: &Json<'_>, error: ValidationError, repairs: Vec<Repair>) -> Self {
        let annotated_answer = annotated_arguments(shape, value, error.issues());
        Self(Box::new(Rejected { error, repairs, annotated_answer, unread: None }))
    }

    pub(crate) fn of_text(shape: &Shape, text: &str, error: ValidationError, repairs: Vec<Repair>) -> Self {
        let annotated_answer = annotated_invalid_json(shape, text, error.issues());
        Self(Box::new(Rejected { error, repairs, annotated_answer, unread: None }))
    }

    pub(crate) fn unread(shape: &Shape, text: &str, why: UnreadAnswerReason) -> Self {
        let error = match why {
            UnreadAnswerReason::OutputLimit => SyntaxError::Incomplete { offset: text.len() },
            UnreadAnswerReason::CallInText { offset } => {
                SyntaxError::Syntax { offset, expected: "one JSON value without markup" }
            }
        };
        let mut unread = Self::of_text(shape, text, Issue::syntax(&error).into(), Vec::new());
        unread.0.unread = Some(why);
        unread
    }

    pub(crate) fn why_unread(&self) -> Option<UnreadAnswerReason> {
        self.0.unread
    }

    /// Returns every issue, in declaration order; never empty.
    pub fn issues(&self) -> &[Issue] {
        self.0.error.issues()
    }

    /// Returns the repairs of the parts of the answer that could be parsed.
    pub fn repairs(&self) -> &[Repair] {
        &self.0.repairs
    }

    /// Returns the answer with every issue marked at its location, in at most 4,096 bytes. It shows the part of the value that could be
    /// parsed, or an excerpt of a text that is not valid JSON. Values of sensitive fields are hidden.
    pub fn annotated_answer(&self) -> &str {
        &self.0.annotated_answer
    }

    /// Returns the hint for the next attempt, at most 1,024 bytes of JSON. `name` is the name of the value in the hint.
    pub fn hint(&self, name: &str) -> RetryHint {
        RetryHint::from_issues(name, self.issues())
    }
}

impl fmt::Debug for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractError").field("issues", &self.issues()).finish_non_exhaustive()
    }
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.write_about(f, "the contents of the answer")
    }
}

impl Error for ExtractError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.error.source()
    }
}
