//! A turn that waits for the host: [`Pending`].

use std::collections::HashMap;

use super::ResumeError;
use crate::run::WaitingCall;

/// A turn that waits for the host.
pub(super) struct Pending {
    pub(super) turn: usize,
    pub(super) step: usize,
    /// The indices of the waiting calls in the step, keyed by id; `None` if several calls have the id, as in a run of an earlier version.
    waiting: HashMap<String, Option<usize>>,
}

impl Pending {
    pub(super) fn new(turn: usize, step: usize, calls: &[WaitingCall<'_>]) -> Self {
        let mut waiting: HashMap<String, Option<usize>> = HashMap::new();
        for waits in calls {
            let index = waiting.entry(waits.call.outcome.call_id().to_owned());
            index.and_modify(|index| *index = None).or_insert(Some(waits.index));
        }
        Self { turn, step, waiting }
    }

    /// Removes the call with this id, and returns its index in the step.
    pub(super) fn take(&mut self, call_id: String) -> Result<usize, ResumeError> {
        match self.waiting.get(&call_id) {
            Some(Some(index)) => {
                let index = *index;
                self.waiting.remove(&call_id);
                Ok(index)
            }
            Some(None) => Err(ResumeError::Ambiguous { call_id }),
            None => Err(ResumeError::NotDeferred { call_id }),
        }
    }
}
