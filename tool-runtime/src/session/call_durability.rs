//! The mode in which the calls of a session are made durable: [`CallDurability`].

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Outcome;
use crate::throttle::SharedHealth;

/// The start or the end of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RecordedMoment<'a> {
    /// The tool with this advertised name is about to run. It is repeatable if it is `idempotent` or `read_only`.
    Starts { call_id: &'a str, tool: &'a str, is_repeatable: bool },
    /// A call of a batch has an outcome. `index` is the index of the call in its batch.
    Ends { index: usize, outcome: &'a Outcome },
}

/// A function that records a moment. If it returns `false` for a start, the tool does not run.
pub(super) type CallRecorder = dyn Fn(RecordedMoment<'_>) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

enum CallMode {
    /// A function of the host records the start of each tool, and the end of each call of a batch.
    Recorded(Arc<CallRecorder>),
    /// The tools run in other sessions. The list contains the admitted calls that the host has not fetched yet.
    Detached(Mutex<Vec<DetachedCall>>),
    /// The session runs calls that were detached from another session, and leaves the inspection of results to the other session.
    Elsewhere,
}

/// A call whose tool runs in another session.
#[derive(Clone, Debug)]
pub struct DetachedCall {
    /// The id of the call.
    pub call_id: String,
    /// The advertised name of the tool.
    pub tool: String,
    /// `true` if a second run does no harm, because the tool is `idempotent` or `read_only`.
    pub is_repeatable: bool,
    /// `true` if no other call of the batch may run at the same time.
    pub runs_alone: bool,
}

/// The mode of a session, if the host has chosen one, and the shared health of its tools.
#[derive(Default)]
pub(super) struct CallDurability {
    mode: OnceLock<CallMode>,
    health: OnceLock<Arc<dyn SharedHealth>>,
    /// `true` if one of them is set, so that a call takes all stages.
    is_set: AtomicBool,
}

impl CallDurability {
    /// Returns `true` if calls take all stages, because the session has a mode or a shared health.
    #[inline]
    pub(super) fn take_all_stages(&self) -> bool {
        self.is_set.load(Ordering::Acquire)
    }

    /// Returns the shared health of the tools. Where calls are detached, the host asks it.
    pub(super) fn health(&self) -> Option<&dyn SharedHealth> {
        if matches!(self.mode.get(), Some(CallMode::Detached(_) | CallMode::Elsewhere)) {
            return None;
        }
        Some(&**self.health.get()?)
    }

    /// Sets the shared health of the tools. Only the first call has an effect.
    pub(super) fn share(&self, health: Arc<dyn SharedHealth>) {
        let _ = self.health.set(health);
        self.is_set.store(true, Ordering::Release);
    }

    fn set(&self, mode: CallMode) -> bool {
        let is_new = self.mode.set(mode).is_ok();
        self.is_set.store(true, Ordering::Release);
        is_new
    }

    pub(super) fn recorder(&self) -> Option<&CallRecorder> {
        if let Some(CallMode::Recorded(recorder)) = self.mode.get() { Some(&**recorder) } else { None }
    }

    /// Sets the recorder. Returns `false` if the session already has a mode.
    pub(super) fn record_with(&self, recorder: Arc<CallRecorder>) -> bool {
        self.set(CallMode::Recorded(recorder))
    }

    /// Detaches calls from now on. Returns `false` if the session already has a mode.
    pub(super) fn detach(&self) -> bool {
        self.set(CallMode::Detached(Mutex::default()))
    }

    /// Leaves the inspection of results to another session from now on. Returns `false` if the session already has a mode.
    pub(super) fn run_elsewhere(&self) -> bool {
        self.set(CallMode::Elsewhere)
    }

    #[inline]
    pub(super) fn are_detached(&self) -> bool {
        matches!(self.mode.get(), Some(CallMode::Detached(_)))
    }

    pub(super) fn are_elsewhere(&self) -> bool {
        matches!(self.mode.get(), Some(CallMode::Elsewhere))
    }

    pub(super) fn add(&self, call: DetachedCall) {
        if let Some(CallMode::Detached(calls)) = self.mode.get() {
            calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
    }

    /// Removes and returns the detached calls.
    pub(super) fn take(&self) -> Vec<DetachedCall> {
        let Some(CallMode::Detached(calls)) = self.mode.get() else { return Vec::new() };
        std::mem::take(&mut *calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
