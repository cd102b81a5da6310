//! A turn that waits for the host: [`Pending`].

use std::collections::{HashMap, VecDeque};

use crate::run::WaitingCall;

/// A turn that waits for the host.
pub(super) struct Pending {
    pub(super) turn: usize,
    pub(super) step: usize,
    /// The indices of the unanswered calls, by their ids.
    waiting: HashMap<String, VecDeque<usize>>,
}

impl Pending {
    pub(super) fn new(turn: usize, step: usize, calls: &[WaitingCall<'_>]) -> Self {
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for waits in calls {
            waiting.entry(waits.call.outcome.call_id().to_owned()).or_default().push_back(waits.index);
        }
        Self { turn, step, waiting }
    }

    /// Returns the index of the next unanswered call with this id.
    pub(super) fn next(&mut self, call_id: &str) -> Option<usize> {
        let places = self.waiting.get_mut(call_id)?;
        let place = places.pop_front();
        if places.is_empty() {
            self.waiting.remove(call_id);
        }
        place
    }
}
