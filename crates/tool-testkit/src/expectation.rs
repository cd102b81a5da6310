//! The expectations of a test: [`Expectations`], validated by [`build`](Expectations::build).
//!
//! Invariants: all failed expectations are reported together, in the order of the source. All expectations without a count share one
//! assignment of calls.

use tool_chat::transcript::Transcript;
use tool_runtime::session::Session;
use tool_runtime::tool_schema::ToolInput;

use super::actual_call::Screen;
use super::call_groups::CallGroup;
use super::calls::CallExpectation;
use super::conversation::ConversationExpectation;
use super::conversation_data::Evidence;
use super::expectation_report::ExpectationReport;
use super::setup_error::SetupErrors;
use super::text_expectation::TextExpectation;
use super::typed_answer::{AnswerExpectation, AnyAnswers, Asking};
use super::{FailedExpectation, SetupError, check_count_and_order, unordered_calls};

/// One expectation of a test, made by a function such as [`calls`](super::calls), [`exactly`](super::exactly), [`last_answer`](super::last_answer) or
/// [`no_failures`](super::no_failures).
#[derive(Clone)]
pub struct Expectation(Kind);

#[derive(Clone)]
enum Kind {
    Calls(CallExpectation),
    Group(CallGroup),
    Text(TextExpectation),
    Answers(AnyAnswers),
    ConversationExpectation(ConversationExpectation),
}

impl<T: ToolInput> From<AnswerExpectation<T>> for Expectation {
    fn from(answers: AnswerExpectation<T>) -> Self {
        Self(Kind::Answers(answers.into()))
    }
}

impl From<CallExpectation> for Expectation {
    fn from(calls: CallExpectation) -> Self {
        Self(Kind::Calls(calls))
    }
}

impl From<CallGroup> for Expectation {
    fn from(group: CallGroup) -> Self {
        Self(Kind::Group(group))
    }
}

impl From<TextExpectation> for Expectation {
    fn from(text: TextExpectation) -> Self {
        Self(Kind::Text(text))
    }
}

impl From<ConversationExpectation> for Expectation {
    fn from(whole: ConversationExpectation) -> Self {
        Self(Kind::ConversationExpectation(whole))
    }
}

impl Expectation {
    fn errors(&self) -> Vec<SetupError> {
        match &self.0 {
            Kind::Calls(calls) => calls.errors(),
            Kind::Group(group) => group.errors(),
            Kind::Text(text) => text.errors(),
            Kind::Answers(answers) => answers.errors.clone(),
            Kind::ConversationExpectation(whole) => whole.misuse().into_iter().collect(),
        }
    }
}

/// The expectations of a test, before validation.
///
/// ```
/// use tool_testkit::{Expectations, calls, last_answer};
///
/// let misused = Expectations::new().expect(calls("")).expect(last_answer().or().contains("sun")).build().err();
/// assert_eq!(misused.map(|misused| misused.errors().len()), Some(2));
/// ```
#[derive(Clone, Default)]
pub struct Expectations(Vec<Expectation>);

/// A validated set of expectations.
#[derive(Clone)]
pub struct ExpectationSet(Vec<Expectation>);

impl Expectations {
    /// Returns an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an expectation.
    #[must_use]
    pub fn expect(mut self, expected: impl Into<Expectation>) -> Self {
        self.0.push(expected.into());
        self
    }

    /// Validates the expectations.
    ///
    /// # Errors
    ///
    /// Fails if there are mistakes in the expectations, or no expectations at all. The error lists every mistake.
    pub fn build(self) -> Result<ExpectationSet, SetupErrors> {
        self.build_beside(0)
    }

    /// Validates the expectations. `others` is the number of further expectations that the caller has.
    pub(super) fn build_beside(self, others: usize) -> Result<ExpectationSet, SetupErrors> {
        let mut errors: Vec<SetupError> = self.0.iter().flat_map(Expectation::errors).collect();
        if self.0.is_empty() && others == 0 {
            errors.push(SetupError::NothingExpected);
        }
        SetupErrors::unless_none(errors)?;
        Ok(ExpectationSet(self.0))
    }
}

impl ExpectationSet {
    /// Compares a finished conversation with the expectations. The session knows which fields are sensitive. Typed answers are read in the
    /// dialect of its toolbox, or else as `OpenAI` is asked for them.
    pub fn check(&self, transcript: &Transcript, session: &Session) -> ExpectationReport {
        self.judge_after(None, 0, transcript, (session, Asking::of_session(session)))
    }

    /// Compares a conversation with the expectations. `others` is the number of further expectations that the caller has checked, and
    /// `found` is the finding about them, if there is one.
    pub(super) fn judge_after(
        &self,
        found: Option<FailedExpectation>,
        others: usize,
        transcript: &Transcript,
        (session, asking): (&Session, Asking),
    ) -> ExpectationReport {
        let evidence = &Evidence::of(transcript);
        let made = &evidence.made;
        let screen = &Screen::of(session, made);
        let mut findings: Vec<FailedExpectation> = found.into_iter().collect();
        let mut plain = Some(self.plain());
        for Expectation(kind) in &self.0 {
            match kind {
                // All plain expectations share the calls, so they are compared together, when the first of them is reached.
                Kind::Calls(calls) if calls.is_plain() => {
                    findings.extend(
                        plain.take().into_iter().flat_map(|slots| unordered_calls::failed(&slots, made, screen)),
                    );
                }
                Kind::Calls(calls) => findings.extend(check_count_and_order::failed(calls, made, screen)),
                Kind::Group(group) => findings.extend(group.failed(made, screen)),
                Kind::Text(text) => findings.extend(text.failed(evidence.text.as_deref())),
                Kind::Answers(answers) => findings.extend(answers.failed(asking, session, evidence)),
                Kind::ConversationExpectation(whole) => findings.extend(whole.failed(evidence, screen)),
            }
        }
        let findings = findings.into_iter().map(|finding| finding.screened(screen)).collect();
        ExpectationReport::new(findings, self.0.len() + others, evidence, screen)
    }

    /// Returns `true` if an expectation is about a typed answer.
    pub(super) fn has_answers(&self) -> bool {
        self.0.iter().any(|Expectation(kind)| matches!(kind, Kind::Answers(_)))
    }

    /// Returns the expectations of calls that have no count and no condition on other calls.
    fn plain(&self) -> Vec<&CallExpectation> {
        let calls = self.0.iter().filter_map(|Expectation(kind)| match kind {
            Kind::Calls(calls) if calls.is_plain() => Some(calls),
            _ => None,
        });
        calls.collect()
    }
}
