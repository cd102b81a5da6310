//! Everything that a test expects: [`Expectations`], checked for sense by [`build`](Expectations::build).
//!
//! In: expectations of any kind, in one style. Out: [`ExpectationSet`], which judges conversations. What always holds: all that fails is told
//! together, in the order in which it was expected; calls without a count are assigned once, over all expectations.

use tool_chat::transcript::Transcript;
use tool_runtime::session::Session;

use super::calls::Calls;
use super::evidence::Evidence;
use super::group::Group;
use super::made::Screen;
use super::misuse::Misused;
use super::report::Report;
use super::said::TextExpectation;
use super::whole::Whole;
use super::{Finding, Misuse, counted, unordered};

/// One thing that a test expects: what [`calls`](super::calls), [`exactly`](super::exactly), [`text`](super::text),
/// [`no_failures`](super::no_failures) and their like give.
///
/// ```
/// use tool_testkit::{Expectation, calls, no_failures, text};
///
/// let expected: [Expectation; 3] = [calls("search").into(), text().contains("found").into(), no_failures().into()];
/// assert_eq!(expected.len(), 3);
/// ```
#[derive(Clone)]
pub struct Expectation(Kind);

#[derive(Clone)]
enum Kind {
    Calls(Calls),
    Group(Group),
    Text(TextExpectation),
    Whole(Whole),
}

impl From<Calls> for Expectation {
    fn from(calls: Calls) -> Self {
        Self(Kind::Calls(calls))
    }
}

impl From<Group> for Expectation {
    fn from(group: Group) -> Self {
        Self(Kind::Group(group))
    }
}

impl From<TextExpectation> for Expectation {
    fn from(text: TextExpectation) -> Self {
        Self(Kind::Text(text))
    }
}

impl From<Whole> for Expectation {
    fn from(whole: Whole) -> Self {
        Self(Kind::Whole(whole))
    }
}

impl Expectation {
    fn misuses(&self) -> Vec<Misuse> {
        match &self.0 {
            Kind::Calls(calls) => calls.misuses(),
            Kind::Group(group) => group.misuses(),
            Kind::Text(text) => text.misuses(),
            Kind::Whole(whole) => whole.misuse().into_iter().collect(),
        }
    }
}

/// Everything that a test expects.
///
/// ```
/// use tool_testkit::{Expectations, calls, text};
///
/// let expected = Expectations::new().expect(calls("get_weather").times(2)).expect(text().all(["Paris", "London"])).build()?;
/// # Ok::<(), tool_testkit::Misused>(())
/// ```
#[derive(Clone, Default)]
pub struct Expectations(Vec<Expectation>);

/// Expectations that make sense.
///
/// ```
/// use tool_testkit::{Expectations, ExpectationSet, Misused, no_failures};
///
/// let expected: Result<ExpectationSet, Misused> = Expectations::new().expect(no_failures()).build();
/// assert!(expected.is_ok());
/// ```
#[derive(Clone)]
pub struct ExpectationSet(Vec<Expectation>);

impl Expectations {
    /// Nothing yet.
    ///
    /// ```
    /// assert!(tool_testkit::Expectations::new().build().is_err());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Expects one thing more.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("search")).build().is_ok());
    /// ```
    #[must_use]
    pub fn expect(mut self, expected: impl Into<Expectation>) -> Self {
        self.0.push(expected.into());
        self
    }

    /// Looks whether it all makes sense.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// let misused = Expectations::new().expect(calls("")).expect(calls("add").at("a[", 1)).build().err();
    /// assert_eq!(misused.map(|misused| misused.misuses().len()), Some(2));
    /// ```
    ///
    /// # Errors
    ///
    /// Every expectation that cannot mean anything, and no expectations at all.
    pub fn build(self) -> Result<ExpectationSet, Misused> {
        self.build_beside(0)
    }

    /// The same where so many things are expected besides.
    pub(super) fn build_beside(self, others: usize) -> Result<ExpectationSet, Misused> {
        let mut misuses: Vec<Misuse> = self.0.iter().flat_map(Expectation::misuses).collect();
        if self.0.is_empty() && others == 0 {
            misuses.push(Misuse::NothingExpected);
        }
        Misused::unless_none(misuses)?;
        Ok(ExpectationSet(self.0))
    }
}

impl ExpectationSet {
    /// Judges a conversation that is over. The session says which fields are sensitive.
    ///
    /// ```
    /// use tool_chat::transcript::Transcript;
    /// use tool_runtime::Toolbox;
    /// use tool_testkit::{Expectations, calls};
    ///
    /// let session = Toolbox::builder().build()?.session();
    /// let report = Expectations::new().expect(calls("get_weather")).build()?.judge(&Transcript::new(), &session);
    /// assert_eq!(
    ///     report.findings()[0].sentence(),
    ///     "Expected function 'get_weather' to be called, but no function calls were made.",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(&self, transcript: &Transcript, session: &Session) -> Report {
        self.judge_after(None, 0, transcript, session)
    }

    /// The same, where so many things were expected besides and something may have been found already.
    pub(super) fn judge_after(
        &self,
        found: Option<Finding>,
        others: usize,
        transcript: &Transcript,
        session: &Session,
    ) -> Report {
        let evidence = &Evidence::of(transcript);
        let made = &evidence.made;
        let screen = &Screen::of(session, made);
        let mut findings: Vec<Finding> = found.into_iter().collect();
        let mut plain = Some(self.plain());
        for Expectation(kind) in &self.0 {
            match kind {
                // All of them share the calls, so they are judged together, where the first of them stands.
                Kind::Calls(calls) if calls.is_plain() => {
                    findings.extend(plain.take().into_iter().flat_map(|slots| unordered::judge(&slots, made, screen)));
                }
                Kind::Calls(calls) => findings.extend(counted::judge(calls, made, screen)),
                Kind::Group(group) => findings.extend(group.judge(made, screen)),
                Kind::Text(text) => findings.extend(text.judge(evidence.text.as_deref())),
                Kind::Whole(whole) => findings.extend(whole.judge(evidence, screen)),
            }
        }
        let findings = findings.into_iter().map(|finding| finding.screened(screen)).collect();
        Report::new(findings, self.0.len() + others, evidence, screen)
    }

    /// The calls that want one of their own.
    fn plain(&self) -> Vec<&Calls> {
        let calls = self.0.iter().filter_map(|Expectation(kind)| match kind {
            Kind::Calls(calls) if calls.is_plain() => Some(calls),
            _ => None,
        });
        calls.collect()
    }
}
