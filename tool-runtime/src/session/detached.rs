//! Calls whose tool runs in another session, perhaps in another process.
//!
//! In: a call that the hooks and the throttle have admitted, and later its outcome. Out: the call as a deferred call, and later its outcome
//! for the model. Invariants: a detached call waits like a deferred call, so the saved session contains it. The session that detached a
//! call counts its outcome and inspects its result. The session that ran the call does neither.

use super::attempt::{Attempt, CallStorage, End};
use super::completion::CompletionError;
use super::start_log::is_repeatable;
use super::starts::Detached;
use super::view::SessionView;
use super::waiting::Which;
use super::{Outcome, Session};
use crate::hook::HostArguments;
use crate::throttle::Refusal;
use crate::toolbox::Entry;

impl Session {
    pub(crate) fn detach_calls(&self) -> bool {
        self.0.first.shared.starts.detach()
    }

    pub(crate) fn run_for_another(&self) -> bool {
        self.0.first.shared.starts.run_elsewhere()
    }

    pub(crate) fn take_detached(&self) -> Vec<Detached> {
        self.0.first.shared.starts.take()
    }

    /// Returns the description of a deferred call that the host has approved, as a detached call.
    pub(crate) fn detached_of_deferred(&self, call_id: &str) -> Option<Detached> {
        let current = self.current();
        let waiting = current.shared.deferred.get(Which::Id(call_id)).ok()?;
        let entry = current.entry_of(&waiting);
        Some(Detached {
            call_id: call_id.to_owned(),
            tool: waiting.name.to_string(),
            is_repeatable: entry.is_some_and(|entry| is_repeatable(entry.tool.spec().settings.annotations)),
            runs_alone: entry.is_some_and(|entry| entry.tool.spec().settings.sequential),
        })
    }

    /// Runs a deferred call. If the value of a host parameter is missing, the call ends, because nobody can add the value here.
    pub(crate) async fn run_deferred(&self, call_id: &str, values: HostArguments) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let mut supplied = waiting.supplied.clone();
        supplied.extend(values);
        let trace = current.trace(call_id, &waiting.name, &waiting.arguments);
        Ok(trace.around(current.run_approved(&waiting, supplied)).await)
    }

    /// Ends a deferred call that the shared health of its tool refuses.
    pub(crate) fn refuse_deferred(&self, call_id: &str, refusal: Refusal) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let storage = CallStorage::default();
        Ok(current.settle(&mut Attempt::of(&waiting, &storage), Err(End::Throttled(refusal))))
    }

    /// Ends a deferred call with its outcome from another session.
    pub(crate) fn put_back(&self, call_id: &str, outcome: Outcome) -> Result<Outcome, CompletionError> {
        let failure = match outcome.result() {
            Ok(payload) => return self.complete(call_id, payload),
            Err(failure) => failure,
        };
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let storage = CallStorage::default();
        let mut call = Attempt::of(&waiting, &storage);
        call.ticket = current.pass_waiting(&waiting);
        let mut outcome = current.settle(&mut call, Err(End::Denied(failure)));
        if let Some(entry) = current.entry_of(&waiting) {
            current.inspect(entry, &waiting.arguments, &mut outcome);
        }
        Ok(outcome)
    }
}

impl SessionView {
    /// Defers a call so that another session runs it.
    pub(super) fn hand_over<'a>(&self, entry: &Entry, call: &mut Attempt<'a>) -> End<'a> {
        self.shared.starts.add(Detached {
            call_id: call.call_id.to_owned(),
            tool: entry.name.to_string(),
            is_repeatable: is_repeatable(entry.tool.spec().settings.annotations),
            runs_alone: entry.tool.spec().settings.sequential,
        });
        self.defer(entry, call)
    }
}
