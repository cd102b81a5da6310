//! Expectations about the typed answer to the last prompt: [`AnswerExpectation`], created by [`typed_answer`].
//!
//! The texts of the transcript are read again, in the form in which the conversation asked for them. Invariant: an answer of a type with
//! sensitive fields is never shown.

use std::any::type_name;
use std::sync::Arc;

use tool_chat::conversation::Conversation;
use tool_runtime::session::Session;
use tool_runtime::tool_schema::issue::Path;
use tool_runtime::tool_schema::{AnswerForm, Dialect, ExtractError, ToolInput};

use super::conversation_data::Evidence;
use super::text_expectation::shown;
use super::{FailedExpectation, SetupError, path_parser};
use crate::private::issue::REDACTED;
use crate::private::shape::has_secrets;

/// An expectation about the typed answer to the last prompt, and about the answers that were rejected before.
///
/// ```
/// use serde::Deserialize;
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{ToolInput, Toolbox};
/// use tool_testkit::{Scenario, typed_answer};
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
/// let toolbox = Toolbox::builder().build()?;
/// let model = ScriptedModel::new().text(r#"{"customer": "Ada", "cents": 0}"#).text(r#"{"customer": "Ada", "cents": 1250}"#);
/// let scenario = || Scenario::new({
///     let (toolbox, model) = (toolbox.clone(), model.clone());
///     move || Conversation::new(toolbox.session(), model.clone())
/// });
/// let right = typed_answer::<Invoice>().rejected("cents").corrections(1).satisfies(|invoice| invoice.cents == 1250);
/// pollster::block_on(scenario().typed_prompt::<Invoice>("What did Ada buy?").expect(right).assert());
///
/// # let model = ScriptedModel::new().text(r#"{"customer": "Ada", "cents": 1250}"#);
/// # let scenario = || Scenario::new({
/// #     let (toolbox, model) = (toolbox.clone(), model.clone());
/// #     move || Conversation::new(toolbox.session(), model.clone())
/// # });
/// let wrong = typed_answer::<Invoice>().satisfies(|invoice| invoice.customer == "Bob");
/// let error = pollster::block_on(scenario().typed_prompt::<Invoice>("And Bob?").expect(wrong).run()).err().ok_or("it is Ada")?;
/// assert!(error.to_string().contains(r#"that the test accepts, but it was "{\"customer\": \"Ada\", \"cents\": 1250}"."#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnswerExpectation<T> {
    fits: Vec<Fits<T>>,
    rejected: Vec<Path>,
    corrections: Option<Corrections>,
    errors: Vec<SetupError>,
}

type Fits<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

/// The expected number of rejected answers.
#[derive(Clone, Copy)]
enum Corrections {
    Exactly(usize),
    AtMost(usize),
}

/// Expects that the last prompt is answered with a value of this type. Send the prompt with
/// [`Scenario::typed_prompt`](crate::Scenario::typed_prompt).
pub fn typed_answer<T: ToolInput>() -> AnswerExpectation<T> {
    AnswerExpectation { fits: Vec::new(), rejected: Vec::new(), corrections: None, errors: Vec::new() }
}

impl<T: ToolInput> AnswerExpectation<T> {
    /// Requires that the value satisfies the condition.
    #[must_use]
    pub fn satisfies(mut self, fits: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        self.fits.push(Arc::new(fits));
        self
    }

    /// Requires that an answer was rejected with an issue at this path, for example `items[0].price`. If the type is not a struct, its value
    /// is below `value`, because the model sees it there.
    #[must_use]
    pub fn rejected(mut self, path: &str) -> Self {
        match path_parser::read(path) {
            Ok(path) => self.rejected.push(path),
            Err(misuse) => self.errors.push(misuse),
        }
        self
    }

    /// Requires this number of rejected answers. `0` means that the first answer was accepted.
    #[must_use]
    pub fn corrections(self, count: usize) -> Self {
        self.counted(Corrections::Exactly(count))
    }

    /// Requires at most this number of rejected answers.
    #[must_use]
    pub fn corrected_within(self, most: usize) -> Self {
        self.counted(Corrections::AtMost(most))
    }

    fn counted(mut self, corrections: Corrections) -> Self {
        if self.corrections.replace(corrections).is_some() {
            self.errors.push(SetupError::TwoCorrections);
        }
        self
    }

    fn failed(&self, form: &AnswerForm<T>, evidence: &Evidence) -> Vec<FailedExpectation> {
        let name = type_name::<T>();
        let read: Vec<_> = evidence.answers.iter().map(|said| form.read(&said.text)).collect();
        let Some((last, said)) = read.last().zip(evidence.answers.last()) else {
            return vec![FailedExpectation::new(format!("Expected an answer of the type {name}, but there was none."))];
        };
        let mut findings = Vec::new();
        match last {
            _ if said.is_rejected => {
                findings.push(FailedExpectation::new(format!(
                    "Expected an answer of the type {name}, but the last one was rejected."
                )));
            }
            Err(error) => {
                findings.push(FailedExpectation::new(format!("Expected an answer of the type {name}, but {error}.")));
            }
            Ok(read) if !self.fits.iter().all(|fits| fits(&read.value)) => {
                let text = if has_secrets(T::SHAPE) { REDACTED.to_owned() } else { shown(&said.text) };
                let sentence =
                    format!("Expected an answer of the type {name} that the test accepts, but it was {text}.");
                findings.push(FailedExpectation::new(sentence));
            }
            Ok(_) => {}
        }
        let is_rejected = |index: &usize| evidence.answers[*index].is_rejected || read[*index].is_err();
        let rejected = (0..read.len()).filter(is_rejected).count();
        findings.extend(self.corrections.and_then(|expected| expected.finding(rejected)));
        findings.extend(self.rejected.iter().filter_map(|path| missing(path, rejected, &read)));
        findings
    }
}

impl Corrections {
    fn finding(self, count: usize) -> Option<FailedExpectation> {
        let answers = |count: usize| {
            if count == 1 { "1 rejected answer".to_owned() } else { format!("{count} rejected answers") }
        };
        let expected = match self {
            Self::Exactly(expected) if expected != count => answers(expected),
            Self::AtMost(most) if count > most => format!("at most {}", answers(most)),
            _ => return None,
        };
        let were = if count == 1 { "was" } else { "were" };
        Some(FailedExpectation::new(format!("Expected {expected}, but there {were} {count}.")))
    }
}

/// Returns a finding if no answer was rejected because of this path.
fn missing<V>(path: &Path, rejected: usize, read: &[Result<V, ExtractError>]) -> Option<FailedExpectation> {
    let errors = read.iter().filter_map(|read| read.as_ref().err());
    let mut paths: Vec<String> = Vec::new();
    for issue in errors.flat_map(ExtractError::issues) {
        if issue.path.pointer() == path.pointer() {
            return None;
        }
        let found = format!("'{}'", issue.path);
        if !paths.contains(&found) {
            paths.push(found);
        }
    }
    let but = match (rejected, paths.len()) {
        (0, _) => "no answer was rejected".to_owned(),
        (_, 0) => "the rejected answers were not read".to_owned(),
        _ => format!("the issues were at {}", paths.join(", ")),
    };
    Some(FailedExpectation::new(format!("Expected an answer to be rejected because of '{path}', but {but}.")))
}

/// The way in which a conversation asks for typed answers.
#[derive(Clone, Copy)]
pub(super) struct Asking {
    pub(super) dialect: Dialect,
    /// `true` if the model is asked in the form of the provider.
    pub(super) is_native: bool,
}

impl Asking {
    pub(super) fn of(conversation: &Conversation) -> Self {
        let (dialect, is_native) = tool_chat::__private_0_1_0::answer_dialect(conversation);
        Self { dialect, is_native }
    }

    pub(super) fn of_session(session: &Session) -> Self {
        Self { dialect: session.dialect().unwrap_or(Dialect::OPENAI), is_native: true }
    }
}

type Compare = dyn Fn(Asking, &Session, &Evidence) -> Vec<FailedExpectation> + Send + Sync;

/// An expectation about answers of any type.
#[derive(Clone)]
pub(super) struct AnyAnswers {
    compare: Arc<Compare>,
    pub(super) errors: Vec<SetupError>,
}

impl AnyAnswers {
    pub(super) fn failed(&self, asking: Asking, session: &Session, evidence: &Evidence) -> Vec<FailedExpectation> {
        (self.compare)(asking, session, evidence)
    }
}

impl<T: ToolInput> From<AnswerExpectation<T>> for AnyAnswers {
    fn from(mut answers: AnswerExpectation<T>) -> Self {
        let errors = std::mem::take(&mut answers.errors);
        let compare = move |asking: Asking, session: &Session, evidence: &Evidence| {
            let tools = session.definitions_in(asking.dialect);
            let form = if asking.is_native { AnswerForm::new } else { AnswerForm::via_tool };
            match form(asking.dialect, &tools) {
                Ok(form) => answers.failed(&form, evidence),
                Err(error) => {
                    vec![FailedExpectation::new(format!(
                        "An answer of the type {} is not possible: {error}.",
                        type_name::<T>()
                    ))]
                }
            }
        };
        Self { compare: Arc::new(compare), errors }
    }
}
