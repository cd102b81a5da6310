//! What is watched while a tool runs: its time limit, its attempts, as the tool and the toolbox together say.
//!
//! In: what the tool says of itself, what the toolbox says for all. Out: a [`Watch`], or nothing, which is what a call of a tool without
//! limits looks at and no more. What always holds: a tool's own word is not overruled, only an `idempotent` tool has more than one
//! attempt, and nothing is watched that the clock would never tell.

use std::time::Duration;

use super::{Catalog, Problem, ToolboxBuilder};
use crate::clock::Clock;
use crate::tool::{Retry, ToolSpec};

/// What is watched while a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    pub(crate) time_limit: Option<Duration>,
    pub(crate) retry: Option<Retry>,
}

/// What a toolbox says for all of its tools.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLimits {
    pub(super) time_limit: Option<Duration>,
    pub(super) retry: Option<Retry>,
}

impl ToolboxBuilder {
    /// How long a call of a tool may take, for all that do not say so themselves (`#[tool(timeout_ms = 5_000)]`). It needs a clock with
    /// a timer.
    ///
    /// It holds where something is waited for: an async tool, a blocking one, the pause before a further attempt. A sync tool runs to its
    /// end. A call that is late is answered with `timeout` and its future is dropped; a blocking tool goes on unheard.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::{Toolbox, clock::SimulatedClock};
    ///
    /// let limited = || Toolbox::builder().time_limit(Duration::from_secs(30));
    /// assert!(limited().clock(SimulatedClock::new()).build().is_ok());
    /// assert!(limited().build().is_err()); // the limit would never be heard
    /// ```
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.run_limits.time_limit = Some(limit);
        self
    }

    /// How often the runtime itself calls an `idempotent` tool that cannot answer at the moment, for all that do not say so themselves
    /// (`#[tool(idempotent, retry(attempts = 3))]`). It needs a clock with a timer; without this, nothing is called again.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, clock::SimulatedClock, tool::Retry};
    ///
    /// let builder = Toolbox::builder().clock(SimulatedClock::new()).retry(Retry { attempts: 4, ..Retry::DEFAULT });
    /// assert!(builder.build().is_ok());
    /// ```
    pub fn retry(mut self, retry: Retry) -> Self {
        self.run_limits.retry = Some(retry);
        self
    }

    /// How many calls of a batch run at the same time; 0 is read as 1, and without this all of them do.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().max_concurrency(8).build().is_ok());
    /// ```
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.settings.max_concurrency = Some(calls.max(1));
        self
    }
}

impl Watch {
    fn of(spec: &ToolSpec, all: RunLimits) -> Option<Self> {
        let is_idempotent = spec.annotations.idempotent == Some(true);
        let retry = spec.retry.or(all.retry).filter(|retry| is_idempotent && retry.attempts > 1);
        let time_limit = spec.time_limit.or(all.time_limit);
        (time_limit.is_some() || retry.is_some()).then_some(Self { time_limit, retry })
    }
}

impl RunLimits {
    /// Says for each tool what is watched, and notes what cannot be.
    pub(super) fn apply(self, catalog: &mut Catalog, clock: &dyn Clock, problems: &mut Vec<Problem>) {
        let has_timer = clock.has_timer();
        let mut untimed = |whose: &str, limit: Option<Duration>, retry: Option<Retry>| {
            let retry = retry.filter(|retry| retry.attempts > 1);
            for what in [limit.map(|_| "a time limit"), retry.map(|_| "a pause between attempts")] {
                if let (false, Some(what)) = (has_timer, what) {
                    problems.push(Problem::NoTimer { whose: whose.to_owned(), what });
                }
            }
        };
        untimed("the toolbox", self.time_limit, self.retry);
        for entry in &catalog.tools {
            let ToolSpec { time_limit, retry, .. } = entry.tool.spec();
            untimed(&format!("`{}`", entry.name), *time_limit, *retry);
        }
        for entry in &mut catalog.tools {
            let spec = entry.tool.spec();
            if spec.retry.is_some_and(|retry| retry.attempts > 1) && spec.annotations.idempotent != Some(true) {
                problems.push(Problem::RetryHasEffects { tool: entry.name.to_string() });
            }
            entry.watch = Watch::of(spec, self);
            catalog.has_sequential |= spec.sequential;
        }
    }
}
