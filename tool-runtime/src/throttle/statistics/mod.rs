//! Statistics as data: [`Statistics`] of a session, [`ToolStatistics`] of a tool, [`HintStatistics`] of a field.
//!
//! In: what was counted. Out: a copy that a host can read, print or send. What always holds: nothing in it came from arguments but the
//! names of faulty fields, which are cut and few.

mod counters;
mod minute;
mod serialize;
mod summary;

use std::time::Duration;

pub(super) use counters::Counters;
#[cfg(test)]
pub(super) use counters::FIELDS;
pub(super) use minute::Minute;
pub use summary::StatisticsSummary;

/// Bytes of JSON for each token, as a rule of thumb for English text and the usual tokenisers.
const BYTES_PER_TOKEN: u64 = 4;

/// What the calls of a session came to.
///
/// ```
/// # use std::sync::Arc;
/// # use tool_runtime::{clock::SimulatedClock, Arguments};
/// # use tool_runtime::tool_schema::shape::{Ref, Shape};
/// # use tool_runtime::throttle::{Exit, Limits, Overrides, ThrottlePolicy, Throttle};
/// # let mut policy = ThrottlePolicy::new(Limits::default());
/// # let add = policy.tool("add", Ref::Static(Shape::ANY), &Overrides::NONE);
/// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
/// let arguments = Arguments::from(r#"{"a": 1, "b": 2}"#);
/// throttle.admit(add, &arguments, None)?.report(&arguments, Exit::Succeeded { result: "3", repairs: 0 });
///
/// let statistics = throttle.statistics();
/// assert_eq!(statistics.total_calls_last_60s, 1);
/// assert_eq!(statistics.most_called_tools(3), [("add", 1)]);
/// assert!(statistics.tools_with_failures().is_empty());
/// # Ok::<(), tool_runtime::throttle::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Calls of any name in the last sixty seconds, those included that were throttled; counted by whole seconds.
    pub total_calls_last_60s: u64,
    /// Calls of names that no tool has.
    pub unknown_names: u64,
    /// Every tool that was called, in the order of registration.
    pub tools: Vec<ToolStatistics>,
}

impl Statistics {
    /// The tools that have failed, in the order of registration.
    ///
    /// ```
    /// # use tool_runtime::throttle::Statistics;
    /// assert!(Statistics::default().tools_with_failures().is_empty());
    /// ```
    pub fn tools_with_failures(&self) -> Vec<&str> {
        self.tools.iter().filter(|tool| tool.failures > 0).map(|tool| &*tool.name).collect()
    }

    /// The tools that were called most, with how often; those that were called as often in the order of registration.
    ///
    /// ```
    /// # use tool_runtime::throttle::Statistics;
    /// assert!(Statistics::default().most_called_tools(5).is_empty());
    /// ```
    pub fn most_called_tools(&self, most: usize) -> Vec<(&str, u64)> {
        let mut tools: Vec<_> = self.tools.iter().map(|tool| (&*tool.name, tool.calls)).collect();
        tools.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
        tools.truncate(most);
        tools
    }
}

/// What the calls of one tool came to.
///
/// ```
/// use tool_runtime::throttle::ToolStatistics;
///
/// let tool = ToolStatistics::default();
/// assert_eq!((tool.calls, tool.first_try_rate()), (0, None));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolStatistics {
    /// The tool.
    pub name: String,
    /// Calls that were let through.
    pub calls: u64,
    /// Of them, those that failed: arguments refused, or no result.
    pub failures: u64,
    /// Of the failures, those whose arguments were refused.
    pub refused: u64,
    /// Calls that were denied or cancelled; one that waits for the host is counted when it is answered.
    pub undecided: u64,
    /// Successes that had to be repaired first.
    pub repaired: u64,
    /// Calls that the throttle refused.
    pub throttled: u64,
    /// What the model set out to do: a call and its corrections are one try.
    pub tries: u64,
    /// Tries whose first call had acceptable arguments.
    pub first_tries: u64,
    /// From being let through to the answer, together; as exact as the session's clock, which by default ticks every few milliseconds.
    pub time: Duration,
    /// Bytes of the arguments, as they were sent.
    pub argument_bytes: u64,
    /// Bytes of the results, as they were encoded.
    pub result_bytes: u64,
    /// Each field that answers named, in the order in which they first did.
    pub hints: Vec<HintStatistics>,
}

impl ToolStatistics {
    /// The part of the tries that needed no correction; `None` before the first.
    ///
    /// ```
    /// # use tool_runtime::throttle::ToolStatistics;
    /// assert_eq!(ToolStatistics::default().first_try_rate(), None);
    /// ```
    #[allow(clippy::cast_precision_loss)] // A rate for people.
    pub fn first_try_rate(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.first_tries as f64 / self.tries as f64)
    }

    /// About how many tokens the arguments were: a quarter of their bytes.
    ///
    /// ```
    /// # use tool_runtime::throttle::ToolStatistics;
    /// assert_eq!(ToolStatistics::default().argument_tokens(), 0);
    /// ```
    pub const fn argument_tokens(&self) -> u64 {
        self.argument_bytes.div_ceil(BYTES_PER_TOKEN)
    }

    /// About how many tokens the results were: a quarter of their bytes.
    ///
    /// ```
    /// # use tool_runtime::throttle::ToolStatistics;
    /// assert_eq!(ToolStatistics::default().result_tokens(), 0);
    /// ```
    pub const fn result_tokens(&self) -> u64 {
        self.result_bytes.div_ceil(BYTES_PER_TOKEN)
    }

    pub(super) fn of(name: &str, counters: &Counters) -> Self {
        Self {
            name: name.to_owned(),
            calls: counters.calls,
            failures: counters.failures,
            refused: counters.refused,
            undecided: counters.undecided,
            repaired: counters.repaired,
            throttled: counters.throttled,
            tries: counters.tries,
            first_tries: counters.first_tries,
            time: Duration::from_nanos(counters.time),
            argument_bytes: counters.argument_bytes,
            result_bytes: counters.result_bytes,
            hints: counters.hints.iter().map(HintStatistics::of).collect(),
        }
    }
}

/// What became of the hints for one field.
///
/// ```
/// use tool_runtime::throttle::HintStatistics;
///
/// assert_eq!(HintStatistics::default().success_rate(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HintStatistics {
    /// The field: its path without the places in arrays. After fifteen fields, `…` stands for all others.
    pub field: String,
    /// How many answers named it.
    pub given: u64,
    /// How many times the next call had it right.
    pub followed: u64,
}

impl HintStatistics {
    /// The part of the answers after which the next call had it right.
    ///
    /// ```
    /// # use tool_runtime::throttle::HintStatistics;
    /// assert_eq!(HintStatistics::default().success_rate(), None);
    /// ```
    #[allow(clippy::cast_precision_loss)] // A rate for people.
    pub fn success_rate(&self) -> Option<f64> {
        (self.given > 0).then(|| self.followed as f64 / self.given as f64)
    }

    fn of(hinted: &counters::Hinted) -> Self {
        Self { field: hinted.field.clone(), given: hinted.given, followed: hinted.followed }
    }
}
