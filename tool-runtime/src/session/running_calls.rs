//! The table of running and waiting calls, through which they are cancelled by their id.
//!
//! In: calls that could not be answered at once. Out: their cancellation signals. Invariants: a call is in the table exactly as long as its
//! [`Registration`] lives. If calls share an id, all of them are in the table. Adding and removing a call takes constant time, even if many
//! calls share an id.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::context::{CallContext, Cancellation};

#[derive(Default)]
pub(super) struct Running(Mutex<Table>);

#[derive(Default)]
struct Table {
    calls: HashMap<String, BTreeMap<u64, Cancellation>>,
    /// The number of calls that were added so far. It distinguishes calls with the same id.
    entered: u64,
}

impl Running {
    pub(super) fn register<'a>(&'a self, cx: &'a CallContext) -> Registration<'a> {
        let ticket = self.enter(cx.call_id(), cx.cancellation());
        Registration { running: self, cx, ticket, answered: false }
    }

    /// Adds a call to the table, until [`leave`](Self::leave) is called with the returned ticket.
    pub(super) fn enter(&self, call_id: &str, cancellation: &Cancellation) -> u64 {
        let mut table = self.table();
        table.entered += 1;
        let ticket = table.entered;
        table.calls.entry(call_id.to_owned()).or_default().insert(ticket, cancellation.clone());
        ticket
    }

    pub(super) fn leave(&self, call_id: &str, ticket: u64) {
        let mut table = self.table();
        if let Some(same_id) = table.calls.get_mut(call_id) {
            same_id.remove(&ticket);
            if same_id.is_empty() {
                table.calls.remove(call_id);
            }
        }
    }

    pub(super) fn cancel(&self, call_id: &str) -> bool {
        // All calls are removed before any of them is woken, because a woken call may be answered and leave the table on this thread.
        let cancelled = self.table().calls.remove(call_id).unwrap_or_default();
        for call in cancelled.values() {
            call.give();
        }
        !cancelled.is_empty()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The entry of a call in the table. The entry is removed when this value is dropped.
pub(super) struct Registration<'a> {
    running: &'a Running,
    cx: &'a CallContext,
    ticket: u64,
    answered: bool,
}

impl Registration<'_> {
    /// Marks the call as answered, so that dropping the registration does not cancel work that the tool left running.
    pub(super) const fn answered(&mut self) {
        self.answered = true;
    }
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        self.running.leave(self.cx.call_id(), self.ticket);
        if !self.answered {
            self.cx.cancellation().give();
        }
    }
}
