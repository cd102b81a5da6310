//! Expectations that cannot mean anything: [`Misuse`], one for each mistake, and [`Misused`], all of them together.
//!
//! What always holds: they are found when the expectations are built, before any model is asked.

use std::fmt;

/// One expectation or setting that cannot mean anything.
///
/// ```
/// use tool_testkit::{Expectations, Misuse, calls};
///
/// let misused = Expectations::new().expect(calls("")).build().err();
/// assert_eq!(misused.map(|misused| misused.misuses().to_vec()), Some(vec![Misuse::Empty("the name of a function")]));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// Something that must not be empty is.
    #[error("{0} is empty; say what is expected")]
    Empty(&'static str),
    /// A path that cannot be read.
    #[error("\"{path}\" is no path to a parameter: {problem}; write it as in customer.items[2].quantity")]
    Path {
        /// The path as it was written.
        path: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A regular expression that does not compile.
    #[error("the pattern /{pattern}/ cannot be read: {problem}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What `regex` says of it.
        problem: String,
    },
    /// A tolerance that no number is within.
    #[error("approx({number}, {tolerance}) fits nothing; both must be finite, and the tolerance 0 or more")]
    Tolerance {
        /// The number that is expected.
        number: f64,
        /// How far away a value may be.
        tolerance: f64,
    },
    /// Parameters that are not an object.
    #[error("{0} is expected where the members of an object belong; write json!({{\"name\": value}})")]
    NoObject(String),
    /// A value that is nested deeper than a call can be.
    #[error("an expected value is nested deeper than the arguments of a call can be")]
    Depth,
    /// A group of calls with something in it that a group cannot judge.
    #[error(
        "calls(\"{0}\") has a range of counts, an order or a course of its own inside a group; expect it beside the group"
    )]
    InGroup(String),
    /// Counts that do not go together.
    #[error("calls(\"{0}\") has two counts; give it one, or a range by at_least and at_most")]
    TwoCounts(String),
    /// A range of counts that no count lies in.
    #[error(
        "calls(\"{name}\").at_least({least}).at_most({most}) holds for no number of calls: {least} is more than {most}"
    )]
    EmptyRange {
        /// The name of the function.
        name: String,
        /// The least number of calls.
        least: usize,
        /// The greatest number of calls.
        most: usize,
    },
    /// A count where any number of calls may be made.
    #[error(
        "calls(\"{0}\") has a count inside subset, where each may be called as often as the model likes; expect it beside the group"
    )]
    CountInSubset(String),
    /// A count together with what asks for one call.
    #[error("calls(\"{0}\") must not be made and has an order or a course of its own; expect one or the other")]
    NeverButOrdered(String),
    /// `or` with nothing before it.
    #[error("or() has nothing before it; begin with a condition")]
    NothingBeforeOr,
    /// `or` with nothing behind it.
    #[error("or() has nothing behind it; end with a condition")]
    NothingBehindOr,
    /// No expectations at all.
    #[error("nothing is expected; a test that cannot fail tests nothing")]
    NothingExpected,
    /// A scenario without a prompt.
    #[error("there is no prompt; say what the model is asked")]
    NoPrompt,
    /// An answer of the host before anything was asked.
    #[error("the host answers a call of '{0}' before anything is asked; begin with a prompt")]
    NothingToAnswer(String),
    /// `wait` with nothing behind it.
    #[error("wait() has nothing behind it; end with a prompt or with what the host answers")]
    NothingBehindWait,
    /// Time cannot pass by the clock of the session.
    #[error(
        "time has to pass, and the clock of the session has no timer; build the toolbox with .clock(SkippingClock::new())"
    )]
    NoTimer,
    /// A turn is to wait for a host that answers everything.
    #[error("defers(\"{0}\") never holds beside host(), which answers whatever waits; expect one or the other")]
    HostAnswers(String),
    /// A turn that is to end in two ways.
    #[error("the last turn is expected to end in two ways; it ends in one")]
    TwoEndings,
    /// A file that cannot be read.
    #[error("{file} cannot be read: {problem}")]
    File {
        /// The path of the file.
        file: String,
        /// What the system says.
        problem: String,
    },
    /// Zero runs.
    #[error("0 runs tell nothing; run it once at least")]
    NoRuns,
    /// A rate that is none.
    #[error("{0} is no rate; it lies between 0 and 1")]
    Rate(f64),
    /// Nothing may run at the same time.
    #[error("0 runs at the same time never end; let 1 run at least")]
    NoneAtOnce,
}

/// Every misuse of a set of expectations, in their order.
///
/// ```
/// use tool_testkit::{Expectations, text};
///
/// let misused = Expectations::new().expect(text().or().contains("sun")).build();
/// assert_eq!(misused.err().map(|error| error.to_string()).as_deref(), Some("or() has nothing before it; begin with a condition"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Misused(Vec<Misuse>);

impl Misused {
    pub(super) fn unless_none(misuses: Vec<Misuse>) -> Result<(), Self> {
        if misuses.is_empty() { Ok(()) } else { Err(Self(misuses)) }
    }

    /// Each of them; never none.
    ///
    /// ```
    /// use tool_testkit::{Expectations, Misuse};
    ///
    /// let misused = Expectations::new().build();
    /// assert!(misused.is_err_and(|misused| misused.misuses() == [Misuse::NothingExpected]));
    /// ```
    pub fn misuses(&self) -> &[Misuse] {
        &self.0
    }
}

impl fmt::Display for Misused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, misuse) in self.0.iter().enumerate() {
            write!(f, "{}{misuse}", if index > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Misused {}
