//! The times until which calls must be answered: [`Deadlines`].

use std::collections::BTreeMap;

use rmcp::model::RequestId;
use tokio::time::Instant;

/// The deadline of one call. The number distinguishes calls with equal times.
pub(super) type Deadline = (Instant, u64);

#[derive(Default)]
pub(super) struct Deadlines {
    requests: BTreeMap<Deadline, RequestId>,
    count: u64,
}

impl Deadlines {
    pub(super) fn add(&mut self, at: Instant, id: RequestId) -> Deadline {
        self.count += 1;
        self.requests.insert((at, self.count), id);
        (at, self.count)
    }

    pub(super) fn remove(&mut self, deadline: Option<Deadline>) {
        deadline.map(|deadline| self.requests.remove(&deadline));
    }

    /// Returns the time of the first deadline.
    pub(super) fn first(&self) -> Option<Instant> {
        self.requests.first_key_value().map(|(&(at, _), _)| at)
    }

    /// Removes a request whose deadline has passed.
    pub(super) fn expired(&mut self, now: Instant) -> Option<RequestId> {
        let entry = self.requests.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(entry.remove())
    }
}
