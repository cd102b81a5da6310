//! Statistics as data: [`Statistics`] of a session, [`ToolStatistics`] of a tool, [`HintStatistics`] of a field.
//!
//! Invariant: the names of invalid fields, which are truncated and limited in number, are the only content from arguments.

mod counters;
mod minute;
mod serialize;
mod summary;

use std::time::Duration;

pub(super) use counters::{Counters, FIELDS, FieldHints, NAMED};
pub(super) use minute::Minute;
pub use summary::StatisticsSummary;

/// The number of bytes of JSON per token: a rule of thumb for English text and common tokenizers.
const BYTES_PER_TOKEN: u64 = 4;

/// The statistics of a session.
///
/// ```
/// # use std::sync::Arc;
/// # use tool_runtime::{clock::SimulatedClock, Arguments};
/// # use tool_runtime::tool_schema::shape::{Ref, Shape};
/// # use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
/// # let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
/// # let add = policy.add_tool("add", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
/// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
/// let arguments = Arguments::from(r#"{"a": 1, "b": 2}"#);
/// throttle.admit(add, &arguments, None)?.report(&arguments, CallEnd::Succeeded { result: "3", repairs: 0 });
///
/// let statistics = throttle.statistics();
/// assert_eq!(statistics.total_calls_last_60s, 1);
/// assert_eq!(statistics.most_called_tools(3), [("add", 1)]);
/// assert!(statistics.tools_with_failures().is_empty());
/// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of calls in the last sixty seconds, including throttled calls and unknown names. The time of each call is rounded down to
    /// a whole second.
    pub total_calls_last_60s: u64,
    /// The number of calls of unknown names.
    pub unknown_names: u64,
    /// The tools that were called, in the order of registration.
    pub tools: Vec<ToolStatistics>,
}

impl Statistics {
    /// Returns the tools with failures, in the order of registration.
    pub fn tools_with_failures(&self) -> Vec<&str> {
        self.tools.iter().filter(|tool| tool.failures > 0).map(|tool| &*tool.name).collect()
    }

    /// Returns at most `most` tools with their numbers of calls, most frequently called first. Tools with equal numbers are in the order of
    /// registration.
    pub fn most_called_tools(&self, most: usize) -> Vec<(&str, u64)> {
        let mut tools: Vec<_> = self.tools.iter().map(|tool| (&*tool.name, tool.calls)).collect();
        tools.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
        tools.truncate(most);
        tools
    }
}

/// The statistics of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolStatistics {
    /// The name of the tool.
    pub name: String,
    /// The number of admitted calls.
    pub calls: u64,
    /// The number of failed calls, including calls with rejected arguments.
    pub failures: u64,
    /// The number of calls whose arguments were rejected.
    pub rejected: u64,
    /// The number of denied or cancelled calls. A deferred call is not counted before the host has answered it.
    pub undecided: u64,
    /// The number of successful calls that had to be repaired.
    pub repaired: u64,
    /// The number of calls that the throttle rejected.
    pub throttled: u64,
    /// The number of tries. A call together with its corrections is one try.
    pub tries: u64,
    /// The number of tries whose first call had acceptable arguments.
    pub first_tries: u64,
    /// The sum of the times from admission to answer. It is as precise as the clock of the session, which by default ticks every few
    /// milliseconds.
    pub time: Duration,
    /// The total number of bytes of the arguments, as sent.
    pub argument_bytes: u64,
    /// The total number of bytes of the encoded results.
    pub result_bytes: u64,
    /// The statistics of each field that an answer named as invalid, in the order in which the fields first occurred.
    pub hints: Vec<HintStatistics>,
}

impl ToolStatistics {
    /// Returns the fraction of tries that needed no correction, or `None` before the first try.
    #[allow(clippy::cast_precision_loss)] // Precise enough for a rate.
    pub fn first_try_rate(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.first_tries as f64 / self.tries as f64)
    }

    /// Estimates the tokens of the arguments: a quarter of their bytes.
    pub const fn argument_tokens(&self) -> u64 {
        self.argument_bytes.div_ceil(BYTES_PER_TOKEN)
    }

    /// Estimates the tokens of the results: a quarter of their bytes.
    pub const fn result_tokens(&self) -> u64 {
        self.result_bytes.div_ceil(BYTES_PER_TOKEN)
    }

    pub(super) fn from_counters(name: &str, counters: &Counters) -> Self {
        Self {
            name: name.to_owned(),
            calls: counters.calls,
            failures: counters.failures,
            rejected: counters.rejected,
            undecided: counters.undecided,
            repaired: counters.repaired,
            throttled: counters.throttled,
            tries: counters.tries,
            first_tries: counters.first_tries,
            time: Duration::from_nanos(counters.time),
            argument_bytes: counters.argument_bytes,
            result_bytes: counters.result_bytes,
            hints: counters.hints.iter().map(HintStatistics::from_hints).collect(),
        }
    }
}

/// The hints for one field, and how often they helped.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HintStatistics {
    /// The path of the field, without array indices. Only the first fifteen fields are counted separately; all others are counted together
    /// as `…`.
    pub field: String,
    /// The number of answers that named the field as invalid.
    pub given: u64,
    /// The number of these answers after which the field was correct in the next call.
    pub followed: u64,
}

impl HintStatistics {
    /// Returns the fraction of answers after which the field was correct in the next call.
    #[allow(clippy::cast_precision_loss)] // Precise enough for a rate.
    pub fn field_correction_rate(&self) -> Option<f64> {
        (self.given > 0).then(|| self.followed as f64 / self.given as f64)
    }

    fn from_hints(hinted: &FieldHints) -> Self {
        Self { field: hinted.field.clone(), given: hinted.given, followed: hinted.followed }
    }
}
