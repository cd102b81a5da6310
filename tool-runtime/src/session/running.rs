//! The calls that run at this moment, so that they can be cancelled by their id.
//!
//! In: calls that could not be answered at once. Out: their signals. What always holds: a call is in the table exactly as long as its
//! [`Registration`] lives, and calls that share an id are all there.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::context::{CallContext, Cancellation};

#[derive(Default)]
pub(super) struct Running(Mutex<HashMap<String, Vec<Cancellation>>>);

impl Running {
    pub(super) fn register<'a>(&'a self, cx: &'a CallContext) -> Registration<'a> {
        self.calls().entry(cx.call_id().to_owned()).or_default().push(cx.cancellation().clone());
        Registration { running: self, cx, answered: false }
    }

    pub(super) fn cancel(&self, call_id: &str) -> bool {
        // The calls are taken out before any is woken: it may be answered, and leave the table, on this very thread.
        let cancelled = self.calls().remove(call_id).unwrap_or_default();
        for call in &cancelled {
            call.give();
        }
        !cancelled.is_empty()
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, Vec<Cancellation>>> {
        // Nothing that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call's place in the table.
pub(super) struct Registration<'a> {
    running: &'a Running,
    cx: &'a CallContext,
    answered: bool,
}

impl Registration<'_> {
    /// The tool has answered; what it left behind need not stop.
    pub(super) const fn answered(&mut self) {
        self.answered = true;
    }
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        let cancellation = self.cx.cancellation();
        let mut calls = self.running.calls();
        if let Some(same_id) = calls.get_mut(self.cx.call_id()) {
            same_id.retain(|other| !other.is(cancellation));
            if same_id.is_empty() {
                calls.remove(self.cx.call_id());
            }
        }
        drop(calls);
        if !self.answered {
            cancellation.give();
        }
    }
}
