//! A turn that waits for the host, as it is kept: [`Pending`].

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::made::Made;
use super::turn::Turn;

/// A turn that waits.
pub(super) struct Pending {
    pub(super) turn: Turn,
    pub(super) made: Made,
    /// The places of the calls that have no answer yet, by their ids.
    pub(super) waiting: HashMap<String, VecDeque<usize>>,
    pub(super) since: Duration,
}

impl Pending {
    /// Where the next answer to a call belongs.
    pub(super) fn next(&mut self, call_id: &str) -> Option<usize> {
        let places = self.waiting.get_mut(call_id)?;
        let place = places.pop_front();
        if places.is_empty() {
            self.waiting.remove(call_id);
        }
        place
    }
}
