//! The state of a turn that waits for the host: [`Pending`].

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::made::Made;
use super::turn::Turn;

/// A turn that waits for the host.
pub(super) struct Pending {
    pub(super) turn: Turn,
    pub(super) made: Made,
    /// The indices of the unanswered calls, by their ids.
    pub(super) waiting: HashMap<String, VecDeque<usize>>,
    pub(super) since: Duration,
}

impl Pending {
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
