//! Mistakes in expectations and scenarios: [`SetupError`] is one mistake, and [`SetupErrors`] contains all mistakes in one set.
//!
//! Invariant: mistakes are found when the expectations are built, before a model is called.

use std::fmt;

/// One mistake in an expectation or in a setting.
///
/// ```
/// use tool_testkit::{Expectations, SetupError, calls};
///
/// let misused = Expectations::new().expect(calls("")).build().err();
/// assert_eq!(misused.map(|misused| misused.errors().to_vec()), Some(vec![SetupError::Empty("the name of a function")]));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// An empty text or list, or a zero, where it is not allowed.
    #[error("{0} is empty; say what is expected")]
    Empty(&'static str),
    /// A path that cannot be parsed.
    #[error("\"{path}\" is not a path to a parameter: {reason}; write a path such as customer.items[2].quantity")]
    Path {
        /// The path as written in the test.
        path: String,
        /// The mistake in the path.
        reason: &'static str,
    },
    /// A regular expression that does not compile.
    #[error("the pattern /{pattern}/ is not a valid regular expression: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The error of `regex`.
        reason: String,
    },
    /// An expected number that is not finite, or a tolerance that is negative or not finite.
    #[error("approx({number}, {tolerance}) matches no number; both must be finite, and the tolerance 0 or more")]
    Tolerance {
        /// The number that is expected.
        number: f64,
        /// The tolerance.
        tolerance: f64,
    },
    /// Parameters that are not an object.
    #[error("{0} is not an object; write the members as json!({{\"name\": value}})")]
    NoObject(String),
    /// A value that is nested more deeply than the arguments of a call can be.
    #[error("an expected value is nested deeper than the arguments of a call can be")]
    Depth,
    /// A member of a group with a condition that a group cannot check.
    #[error(
        "calls(\"{0}\") is inside a group, where only times(n) is supported; write at_least, at_most, never, before, after, corrected_within and succeeds_on_retry outside of the group"
    )]
    InGroup(String),
    /// Two counts that cannot be combined.
    #[error("calls(\"{0}\") has two counts; keep one of them, or set a range with at_least and at_most")]
    TwoCounts(String),
    /// Two numbers of rejected answers that cannot be combined.
    #[error("typed_answer() has two numbers of rejected answers; keep corrections or corrected_within")]
    TwoCorrections,
    /// A range of counts that contains no number.
    #[error(
        "calls(\"{name}\").at_least({least}).at_most({most}) matches no number of calls: {least} is more than {most}"
    )]
    EmptyRange {
        /// The name of the function.
        name: String,
        /// The minimum number of calls.
        least: usize,
        /// The maximum number of calls.
        most: usize,
    },
    /// A count inside `only_calls`, where any number of calls is allowed.
    #[error(
        "calls(\"{0}\") has a count inside only_calls, which allows any number of these calls; write the count outside of the group"
    )]
    CountInOnlyCalls(String),
    /// A group that applies to all calls of the conversation, inside a group other than `any_of`.
    #[error("{0} applies to all calls of the conversation, so any_of is the only group that can contain it")]
    AllCalls(&'static str),
    /// `from_the_start` on `only_calls`.
    #[error(
        "from_the_start() cannot follow only_calls(…), because no call is needed there; use calls_in_order or calls_in_any_order"
    )]
    OnlyCallsFromTheStart,
    /// Groups that are nested too deeply.
    #[error("groups are nested more than {0} levels deep; use fewer levels")]
    GroupDepth(usize),
    /// A count of 0 together with an order, `corrected_within` or `succeeds_on_retry`.
    #[error(
        "calls(\"{0}\") has never(), but must also come before, after or in reaction to other calls; remove one of the two"
    )]
    NeverButOrdered(String),
    /// `or` without a condition before it.
    #[error("or() has nothing before it; begin with a condition")]
    NothingBeforeOr,
    /// `or` without a condition after it.
    #[error("or() has nothing after it; end with a condition")]
    NothingAfterOr,
    /// An empty set of expectations.
    #[error("nothing is expected; a test that cannot fail tests nothing")]
    NothingExpected,
    /// A scenario without a prompt.
    #[error("there is no prompt; say what the model is asked")]
    NoPrompt,
    /// A reply of the host before the first prompt.
    #[error("the host answers a call of '{0}' before the first prompt; begin with a prompt")]
    NothingToAnswer(String),
    /// `wait` as the last step.
    #[error("wait() has nothing after it; end with a prompt or an answer of the host")]
    NothingAfterWait,
    /// A wait, although the clock of the session has no timer.
    #[error(
        "this step waits for time to pass, and the clock of the session has no timer; build the toolbox with .clock(TestClock::new())"
    )]
    NoTimer,
    /// An expectation that the last turn ends with a deferred call, although the host answers every deferred call.
    #[error("defers(\"{0}\") can never be met with host(), which answers every deferred call; use one or the other")]
    HostAnswers(String),
    /// An expectation about a typed answer, although the last prompt asks for a text.
    #[error(
        "typed_answer() needs a prompt for a typed answer at the end; use typed_prompt::<T>(…) instead of prompt(…)"
    )]
    NoTypedPrompt,
    /// Two different expected ends of the last turn.
    #[error("the last turn is expected to end in two different ways; expect one of them")]
    TwoEndings,
    /// A file that cannot be read.
    #[error("{file} cannot be read: {reason}")]
    File {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        reason: String,
    },
    /// A scenario with 0 runs.
    #[error("0 runs prove nothing; run the scenario at least once")]
    NoRuns,
    /// A pass rate that is not between 0 and 1.
    #[error("{0} is not a rate: a rate is between 0 and 1")]
    Rate(f64),
    /// A concurrency limit of 0.
    #[error("with 0 runs at the same time, nothing would run; allow at least 1")]
    NoConcurrency,
}

/// All mistakes in a set of expectations, in the order of the expectations.
///
/// ```
/// use tool_testkit::{Expectations, last_answer};
///
/// let misused = Expectations::new().expect(last_answer().or().contains("sun")).build();
/// assert_eq!(misused.err().map(|error| error.to_string()).as_deref(), Some("or() has nothing before it; begin with a condition"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SetupErrors(Vec<SetupError>);

impl SetupErrors {
    pub(super) fn unless_none(errors: Vec<SetupError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

    /// Returns the mistakes. There is at least one.
    pub fn errors(&self) -> &[SetupError] {
        &self.0
    }
}

impl fmt::Display for SetupErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, misuse) in self.0.iter().enumerate() {
            write!(f, "{}{misuse}", if index > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupErrors {}
