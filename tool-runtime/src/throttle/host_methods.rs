//! The methods of a throttle for hosts: for statistics, for a new run, and for resetting it.

use super::Throttle;
use super::state::{State, ToolState};
use super::statistics::{Statistics, ToolStatistics};

impl Throttle {
    /// Starts a new run with a full budget of failures.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, Arguments};
    /// # use tool_runtime::tool_schema::shape::{Ref, Shape};
    /// # use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
    /// let mut limits = SessionLimits::default();
    /// limits.run_budget = Some(1);
    /// let mut policy = ThrottlePolicy::with_limits(limits);
    /// let load = policy.add_tool("load", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
    /// let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// throttle.admit(load, &"{}".into(), None)?.report(&"{}".into(), CallEnd::Failed { error: "No." });
    /// assert!(throttle.admit(load, &"{}".into(), None).is_err());
    /// throttle.begin_run();
    /// assert!(throttle.admit(load, &"{}".into(), None).is_ok());
    /// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
    /// ```
    pub fn begin_run(&self) {
        self.state().run.begin();
    }

    /// Returns the statistics of all calls so far.
    pub fn statistics(&self) -> Statistics {
        let now = self.clock.now();
        let state = self.state();
        let called = state.tools.iter().enumerate().filter_map(|(tool, state)| Some((tool, state.as_ref()?)));
        let tools = called.filter_map(|(tool, state)| {
            Some(ToolStatistics::from_counters(self.policy.name_of_tool(tool)?, &state.counters))
        });
        Statistics {
            total_calls_last_60s: state.minute.total(now),
            unknown_names: state.unknown_names,
            tools: tools.collect(),
        }
    }

    /// Forgets the pauses, the counts and the statistics of one tool.
    pub fn reset_tool(&self, tool: usize) {
        let mut state = self.state();
        if let Some(state) = state.tools.get_mut(tool) {
            *state = None;
        }
        state.repeats.forget(tool);
    }

    /// Closes the breaker of a tool: ends its pauses and forgets its failures. Its statistics and its rate window remain.
    pub fn close_breaker(&self, tool: usize) {
        let mut state = self.state();
        if let Some(Some(tool)) = state.tools.get_mut(tool) {
            let kept = (std::mem::take(&mut tool.counters), std::mem::take(&mut tool.window));
            **tool = ToolState::default();
            (tool.counters, tool.window) = kept;
        }
        state.repeats.forget(tool);
    }

    /// Forgets everything.
    pub fn reset(&self) {
        *self.state() = State::default();
    }
}
