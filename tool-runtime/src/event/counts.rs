//! Counts of events by kind: [`EventCounter`].
//!
//! Invariants: no text from a model or a tool is kept, so the size of the counts is bounded; counting a call without issues takes no lock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::{EventKind, Observer, ToolEvent};
use crate::failure::Failure;

/// Counts the events of a session, or of all sessions of a toolbox.
///
/// ```
/// use std::sync::Arc;
/// use tool_runtime::event::EventCounter;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: f64,
///     /// Second summand.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// let counts = Arc::new(EventCounter::default());
/// let session = Toolbox::builder().tool(AddTool).observer(Arc::clone(&counts)).build()?.session();
/// for (name, arguments) in [("add", r#"{"a": 1, "b": "2"}"#), ("add", r#"{"a": 1, "c": []}"#), ("sum", "{}")] {
///     let _ = pollster::block_on(session.call("call_1", name, arguments));
/// }
/// let counted = counts.snapshot();
/// assert_eq!((counted.calls, counted.executed, counted.rejected, counted.unknown_names), (3, 1, 2, 1));
/// assert_eq!(counted.repairs["text"], 1);
/// assert_eq!(counted.error_codes["REQUIRED_FIELD"], 1);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Default)]
pub struct EventCounter {
    calls: AtomicU64,
    executed: AtomicU64,
    counts: Mutex<EventCountsSnapshot>,
}

/// A snapshot of the counts, which can be serialized.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EventCountsSnapshot {
    /// The number of calls received.
    pub calls: u64,
    /// The number of results returned by tools.
    pub executed: u64,
    /// The number of calls answered with a failure.
    pub rejected: u64,
    /// The number of calls that were rejected because their name is unknown.
    pub unknown_names: u64,
    /// The number of failures, keyed by `error_type`.
    pub error_types: BTreeMap<&'static str, u64>,
    /// The number of issues of arguments, keyed by `error_code`, including the codes of custom rules.
    pub error_codes: BTreeMap<&'static str, u64>,
    /// The number of rejections with a hint, keyed by the reason of the hint.
    pub hints: BTreeMap<&'static str, u64>,
    /// The number of rejections with an escalation, because the same location was rejected before.
    pub escalated: u64,
    /// The number of repairs, keyed by rule.
    pub repairs: BTreeMap<&'static str, u64>,
    /// The number of calls rejected by the throttle, keyed by rule.
    pub throttled: BTreeMap<&'static str, u64>,
    /// The number of times that a container was expanded.
    pub expanded: u64,
    /// The number of times that a container collapsed.
    pub collapsed: u64,
    /// The number of searches for tools.
    pub searches: u64,
    /// The number of calls that were deferred to the host.
    pub deferred: u64,
    /// The number of times that the session called a tool again after a temporary error.
    pub retried: u64,
    /// The number of warnings about answers.
    pub warnings: u64,
}

impl EventCounter {
    /// Returns the counts so far.
    pub fn snapshot(&self) -> EventCountsSnapshot {
        let mut counted = self.lock().clone();
        counted.calls = self.calls.load(Ordering::Relaxed);
        counted.executed = self.executed.load(Ordering::Relaxed);
        counted
    }

    fn lock(&self) -> MutexGuard<'_, EventCountsSnapshot> {
        // Only counters are updated under the lock.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for EventCounter {
    fn event(&self, event: &ToolEvent<'_>) {
        match event.kind {
            EventKind::Progressed { .. } | EventKind::HealthUnknown { .. } | EventKind::Loaded { .. } => {}
            EventKind::Received { .. } => count(&self.calls),
            EventKind::Executed { .. } => count(&self.executed),
            EventKind::Repaired { repair } => add(&mut self.lock().repairs, repair.rule.name()),
            EventKind::Expanded { .. } => self.lock().expanded += 1,
            EventKind::Collapsed { .. } => self.lock().collapsed += 1,
            EventKind::Found { .. } => self.lock().searches += 1,
            EventKind::Throttled { rule, .. } => add(&mut self.lock().throttled, rule.as_str()),
            EventKind::Deferred { .. } => self.lock().deferred += 1,
            EventKind::Retried { .. } => self.lock().retried += 1,
            EventKind::Warned { .. } => self.lock().warnings += 1,
            EventKind::Rejected { failure, .. } => self.lock().fail(failure),
        }
    }
}

impl EventCountsSnapshot {
    fn fail(&mut self, failure: &Failure) {
        self.rejected += 1;
        self.unknown_names += u64::from(failure.error_type() == "unknown_tool");
        add(&mut self.error_types, failure.error_type());
        if let Some(reason) = failure.hint_reason() {
            add(&mut self.hints, reason.as_str());
        }
        self.escalated += u64::from(failure.escalation().is_some());
        for issue in failure.issues() {
            add(&mut self.error_codes, issue.constraint.code());
        }
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn add(counts: &mut BTreeMap<&'static str, u64>, key: &'static str) {
    *counts.entry(key).or_default() += 1;
}
