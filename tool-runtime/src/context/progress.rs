//! The progress of running calls: the listeners of a session, and the gate of one call.
//!
//! In: reports of a tool, from any thread. Out: the reports for listeners, in order. Invariants: a report of a call
//! that has ended is not passed on, and a call does not end while one of its reports is being passed on; reporting
//! never waits; a call passes on a bounded number of reports.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::catch_panic::catch_panic;

/// The maximum number of reports of one call, not counting a report that reaches the total.
const MOST_REPORTS: u32 = 1_000;

/// A report that is passed on.
pub(crate) struct Report<'a> {
    pub(crate) call_id: &'a str,
    /// The position of the tool in its catalog.
    pub(crate) tool: usize,
    pub(crate) done: f64,
    pub(crate) total: Option<f64>,
    /// One line of bounded length; empty if the tool says nothing.
    pub(crate) message: &'a str,
}

type Listener = dyn Fn(&Report<'_>) + Send + Sync;

/// The listeners of one session.
#[derive(Default)]
pub(crate) struct Listeners {
    count: AtomicUsize,
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    listeners: Vec<(u64, Arc<Listener>)>,
    next: u64,
}

impl Listeners {
    pub(crate) fn add(&self, listener: Arc<Listener>) -> u64 {
        let mut list = self.list();
        list.next += 1;
        let id = list.next;
        list.listeners.push((id, listener));
        self.count.store(list.listeners.len(), Ordering::Release);
        id
    }

    pub(crate) fn remove(&self, id: u64) {
        let mut list = self.list();
        let gone = list.listeners.iter().position(|(other, _)| *other == id).map(|at| list.listeners.remove(at));
        self.count.store(list.listeners.len(), Ordering::Release);
        drop(list);
        // Dropped outside of the lock, because dropping it runs code of the host.
        drop(gone);
    }

    /// Returns `true` if there is a listener. Takes no lock.
    #[inline]
    pub(super) fn has_listeners(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }

    pub(super) fn pass_on(&self, report: &Report<'_>) {
        let listeners: Vec<_> = self.list().listeners.iter().map(|(_, listener)| Arc::clone(listener)).collect();
        for listener in listeners {
            // The tool's answer is not affected if a listener panics.
            let _ = catch_panic(|| listener(report));
        }
    }

    fn list(&self) -> MutexGuard<'_, List> {
        // No code that can panic runs under the lock.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners").field("count", &self.count).finish_non_exhaustive()
    }
}

/// The reports of one call.
#[derive(Default)]
pub(super) struct Gate {
    is_used: AtomicBool,
    has_ended: AtomicBool,
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    done: Option<f64>,
    reports: u32,
}

impl Gate {
    /// Passes a report on, unless the call has ended, the report says nothing new, or another thread is passing one on.
    pub(super) fn pass(&self, done: f64, total: Option<f64>, report: impl FnOnce()) {
        // Set before `has_ended` is read. If `end` runs at the same time and does not see this flag, the read below sees that the call has
        // ended.
        self.is_used.store(true, Ordering::SeqCst);
        let mut last = match self.last.try_lock() {
            Ok(last) => last,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let is_further = done.is_finite() && last.done.is_none_or(|before| done > before);
        let is_total = total.is_some_and(|total| done >= total);
        if self.has_ended.load(Ordering::SeqCst) || !is_further || last.reports >= MOST_REPORTS && !is_total {
            return;
        }
        last.done = Some(done);
        last.reports += 1;
        report();
    }

    /// Ends the reports of the call. Waits if a report is being passed on.
    #[inline]
    pub(super) fn end(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
        if self.is_used.load(Ordering::SeqCst) {
            drop(self.last.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}
