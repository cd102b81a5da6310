//! The health of one tool as many conversations share it: [`ToolHealth`], a state machine without a clock or a lock.
//!
//! The rules, their texts and their pauses are those of the throttle of a session. In contrast to a session, every call counts towards the
//! rate, and only failures that are not the issue of the call count as failures.
//!
//! Invariants: after each pause, one call at a time runs as the probe. A probe that never reports blocks other calls for no longer than the
//! preceding pause. Every pause ends by itself, even if the clock jumps. The size of the state is bounded.

#[cfg(test)]
mod tests;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::decide::AdmissionRequest;
use super::failures::{EndTime, Failed, LONGEST_REQUEST, marked};
use super::limits::{CountingMode, RateLimit, SessionLimits, StreakLimits};
use super::messages::ThrottledCall;
use super::outcome::text_of;
use super::overrides::LimitOverrides;
use super::pause_and_probe::Probes;
use super::policy::ThrottlePolicy;
use super::rates::nanoseconds;
use super::recent_call::CallIdentity;
use super::state::{State, ToolState};
use crate::failure::{Failure, FailureKind, Row};
use crate::shape::{Ref, Shape};

/// The number of the only tool in the state.
pub(super) const TOOL: usize = 0;

/// The rules for the shared health of a tool.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::throttle::{HealthRules, RateLimit};
///
/// let mut rules = HealthRules::default();
/// rules.rate = Some(RateLimit { calls: 100, window: Duration::from_secs(60) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HealthRules {
    /// The rule for consecutive failures, whether their errors are equal or different. By default, the tool is paused after three.
    pub consecutive_failures: Option<StreakLimits>,
    /// The rule for equal errors since the last success. By default, the tool is paused after three.
    pub same_error: Option<StreakLimits>,
    /// The maximum rate of all calls of the tool. By default, there is none.
    pub rate: Option<RateLimit>,
    /// The time for which an error is remembered. By default, one minute.
    pub history: Duration,
    /// If `true`, an error with which a tool rejects a call (`tool_error`) counts as a failure. By default, it does not count, because a
    /// conversation that sends unsuitable arguments would pause the tool for all conversations.
    pub counts_tool_errors: bool,
}

impl Default for HealthRules {
    fn default() -> Self {
        let (streak, history) = (Some(StreakLimits::DEFAULT), SessionLimits::NONE.history);
        Self { consecutive_failures: streak, same_error: streak, rate: None, history, counts_tool_errors: false }
    }
}

impl HealthRules {
    /// Returns the policy of a session with one tool.
    fn policy(&self, tool: &str) -> ThrottlePolicy {
        let limits = SessionLimits {
            counting: CountingMode::Everything,
            consecutive_failures: self.consecutive_failures,
            same_error: self.same_error,
            same_tool_rate: self.rate,
            history: self.history,
            ..SessionLimits::NONE
        };
        let mut policy = ThrottlePolicy::with_limits(limits);
        policy.add_tool(tool.to_owned(), Ref::Static(Shape::ANY), &LimitOverrides::NONE);
        policy
    }
}

/// The failures, the pause and the rate of one tool, for all conversations that call it.
///
/// The owner of this value calls [`admit`](Self::admit) before each call and [`report_end`](Self::report_end) after it, one after the other. The
/// time is the time of day, and may come from different machines.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::Failure;
/// use tool_runtime::throttle::{HealthRules, HealthEnd, ToolHealth};
///
/// let (mut health, rules, now) = (ToolHealth::default(), HealthRules::default(), Duration::from_secs(1_800_000_000));
/// let end = HealthEnd::from_failure(Some(&Failure::unavailable("search", None)));
/// for _ in 0..3 {
///     let permit = health.admit(&rules, "search", now)?;
///     health.report_end(&rules, permit, &end, now);
/// }
/// let rejection = health.admit(&rules, "search", now).unwrap_err();
/// assert_eq!(rejection.message, "Tool 'search' has failed 3 times in a row. It is paused to prevent thrashing.");
///
/// let later = now + Duration::from_secs(30);
/// let probe = health.admit(&rules, "search", later)?;
/// assert!(health.admit(&rules, "search", later).is_err()); // one probe at a time
/// health.report_end(&rules, probe, &HealthEnd::Succeeded, later);
/// assert!(health.admit(&rules, "search", later).is_ok());
/// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
/// ```
#[derive(Debug, Default)]
pub struct ToolHealth {
    pub(super) state: State,
    /// The number of pauses so far.
    pub(super) pauses: u64,
    /// The remaining time of the pause when it was last set. A clock that jumps back cannot make the pause longer.
    pub(super) left: Duration,
}

/// The permission to run a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use = "a permit whose call does not report its end may delay the next probe"]
pub struct HealthPermit {
    /// The number of the probe, if the call is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) probe: Option<u64>,
}

impl HealthPermit {
    /// Returns `true` if the call is the one call that runs after a pause.
    pub const fn is_probe(self) -> bool {
        self.probe.is_some()
    }
}

/// The end of a call, as the shared health sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum HealthEnd {
    /// The tool returned a result.
    Succeeded,
    /// The tool failed, and not because of the call.
    Failed {
        /// A hash of the error as the model reads it. Therefore, it depends on no secret.
        error: String,
        /// The delay that the tool requested.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        retry_after: Duration,
    },
    /// The tool rejected the call with an error of its own. It counts as a failure only if the
    /// [rules](HealthRules::counts_tool_errors) say so.
    ToolError {
        /// A hash of the error as the model reads it.
        error: String,
    },
    /// The end says nothing about the health of the tool.
    Neutral,
}

impl HealthEnd {
    /// Returns the end of a call with this failure, or with a result if there is no failure.
    pub fn from_failure(failure: Option<&Failure>) -> Self {
        let Some(failure) = failure else { return Self::Succeeded };
        let hash = |text: &str| format!("{:016x}", text_of(text));
        let text = match failure.row() {
            Row::ToolRejected { message, .. } => return Self::ToolError { error: hash(message) },
            Row::Outage { message, .. } => message,
            _ if matches!(failure.kind(), FailureKind::MalformedResult | FailureKind::Internal) => failure.error_type(),
            _ => return Self::Neutral,
        };
        Self::Failed { error: hash(text), retry_after: failure.retry_after().unwrap_or_default() }
    }

    /// Returns the failure that this end counts as; `None` if it counts as none.
    fn failed(&self, rules: &HealthRules) -> Option<Failed> {
        let (error, retry_after) = match self {
            Self::Failed { error, retry_after } => (error, *retry_after),
            Self::ToolError { error } if rules.counts_tool_errors => (error, Duration::ZERO),
            _ => return None,
        };
        Some(Failed { error: marked(text_of(error), false), issues: None, retry_after, quoted: 0 })
    }
}

impl ToolHealth {
    /// Decides whether a call may run at this time. `tool` is the name for the text of the rejection.
    ///
    /// # Errors
    ///
    /// Fails if the tool is paused or its rate is exceeded. The error contains the rule, its message, and the time after which the call may
    /// be repeated.
    pub fn admit(&mut self, rules: &HealthRules, tool: &str, now: Duration) -> Result<HealthPermit, ThrottledCall> {
        self.correct(now);
        let policy = rules.policy(tool);
        self.state.fit(&policy);
        let Some(subject) = policy.subject(TOOL) else { return Ok(HealthPermit::default()) };
        let (limits, now) = (policy.limits_for(subject), nanoseconds(now));
        let request =
            AdmissionRequest { tool: TOOL, subject, limits, batch: None, now, identity: CallIdentity::default() };
        let admitted = self.state.admit(&policy, &request).map_err(|rejection| *rejection)?;
        Ok(HealthPermit { probe: admitted.probes.tool() })
    }

    /// Counts the end of an admitted call.
    pub fn report_end(&mut self, rules: &HealthRules, permit: HealthPermit, end: &HealthEnd, now: Duration) {
        self.correct(now);
        let probes = Probes { number: permit.probe.unwrap_or_default(), of_tool: permit.is_probe(), of_call: false };
        let tool = self.state.tool(TOOL);
        let failed = end.failed(rules);
        if failed.is_none() && *end != HealthEnd::Succeeded {
            return tool.release(probes);
        }
        let (policy, moment) = (rules.policy(""), EndTime { batch: None, ended: nanoseconds(now), news: 0 });
        let Some(subject) = policy.subject(TOOL) else { return };
        let was_paused = tool.pause.is_some();
        let was_probe = tool.pause.as_ref().is_some_and(|pause| pause.is_probe(probes.tool()));
        tool.judge(policy.limits_for(subject), policy.limits(), failed, true, probes, moment);
        let has_begun = tool.pause.is_some() && (!was_paused || was_probe);
        self.pauses = self.pauses.saturating_add(u64::from(has_begun));
        self.left =
            self.state.tool(TOOL).pause.as_ref().map_or(Duration::ZERO, |pause| pause.until.saturating_sub(now));
    }

    /// Returns the number of pauses so far.
    pub const fn pause_count(&self) -> u64 {
        self.pauses
    }

    /// Returns the number of probes so far. There may be more probes than pauses if a probe ends without a meaningful outcome or never
    /// reports.
    pub const fn probe_count(&self) -> u64 {
        self.state.probes
    }

    /// Returns `true` if the tool is paused or waits for the outcome of a probe.
    pub fn is_paused(&self) -> bool {
        self.state.tools.iter().flatten().any(|tool| tool.pause.is_some())
    }

    /// Returns `true` if a call may run now, whatever the time is.
    pub fn admits_at_any_time(&self, rules: &HealthRules) -> bool {
        rules.rate.is_none() && self.is_untroubled()
    }

    /// Returns `true` if this end of a call changes nothing, whatever the time is.
    pub fn ignores(&self, rules: &HealthRules, end: &HealthEnd) -> bool {
        end.failed(rules).is_none() && self.is_untroubled()
    }

    /// Returns `true` if the tool is not paused and no failure counts.
    fn is_untroubled(&self) -> bool {
        let has_failed = |tool: &ToolState| tool.failures.in_a_row > 0 || !tool.failures.errors.is_empty();
        !self.state.tools.iter().flatten().any(|tool| tool.pause.is_some() || has_failed(tool))
    }

    /// Limits stored times, in case the clock has jumped back.
    fn correct(&mut self, now: Duration) {
        let left = self.left;
        let Some(Some(tool)) = self.state.tools.get_mut(TOOL) else { return };
        if let Some(pause) = &mut tool.pause {
            pause.limit(now, left);
        }
        tool.failures.until = tool.failures.until.min(now.saturating_add(LONGEST_REQUEST));
        tool.failures.errors.iter_mut().for_each(|seen| seen.last = seen.last.min(now));
        tool.window.limit(nanoseconds(now));
    }
}
