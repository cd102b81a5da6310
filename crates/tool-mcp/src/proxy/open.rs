//! The requests of one side that the other has not answered: [`Open`].
//!
//! Invariants: a request is answered once; the number of requests is bounded.

use std::collections::{HashMap, VecDeque};

use rmcp::model::RequestId;

/// The largest number of open requests.
pub(super) const MOST: usize = 10_000;
/// The number of cancelled requests that are remembered. Their answers may still come.
const CANCELLED: usize = 1_000;

/// Open requests, with a value of the caller for each.
pub(super) struct Open<T> {
    /// The value is `None` for a cancelled request.
    requests: HashMap<RequestId, Option<T>>,
    /// The cancelled requests, the oldest first.
    cancelled: VecDeque<RequestId>,
}

/// The reason why a request is refused.
#[derive(Debug, PartialEq)]
pub(super) enum Refused {
    Repeated,
    TooMany,
}

/// The request that an answer belongs to.
#[derive(Debug, PartialEq)]
pub(super) enum Answered<T> {
    Open(T),
    Cancelled,
    /// Nobody has asked, or the request is answered already.
    Nothing,
}

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self { requests: HashMap::new(), cancelled: VecDeque::new() }
    }
}

impl<T> Open<T> {
    /// Returns the reason why a request with this id would be refused.
    pub(super) fn refusal(&self, id: &RequestId) -> Option<Refused> {
        if self.requests.contains_key(id) {
            return Some(Refused::Repeated);
        }
        (self.requests.len() >= MOST).then_some(Refused::TooMany)
    }

    /// Adds a request that is [not refused](Self::refusal).
    pub(super) fn add(&mut self, id: RequestId, value: T) {
        self.requests.insert(id, Some(value));
    }

    pub(super) fn answer(&mut self, id: &RequestId) -> Answered<T> {
        match self.requests.remove(id) {
            Some(Some(value)) => Answered::Open(value),
            Some(None) => {
                self.cancelled.retain(|cancelled| cancelled != id);
                Answered::Cancelled
            }
            None => Answered::Nothing,
        }
    }

    /// Marks a request as cancelled, and returns its value.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<T> {
        let value = self.requests.get_mut(id)?.take()?;
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > CANCELLED
            && let Some(oldest) = self.cancelled.pop_front()
        {
            self.requests.remove(&oldest);
        }
        Some(value)
    }

    /// Returns `true` if a request waits for its answer.
    pub(super) fn has_open(&self) -> bool {
        self.requests.len() > self.cancelled.len()
    }

    /// Removes and returns all requests that are not cancelled.
    pub(super) fn end(&mut self) -> Vec<(RequestId, T)> {
        self.cancelled.clear();
        let requests = std::mem::take(&mut self.requests);
        requests.into_iter().filter_map(|(id, value)| Some((id, value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> RequestId {
        RequestId::Number(i64::try_from(number).unwrap_or_default())
    }

    #[test]
    fn a_request_is_answered_once() {
        let mut open = Open::default();
        assert_eq!(open.answer(&id(1)), Answered::Nothing);
        open.add(id(1), "a");
        assert_eq!(open.refusal(&id(1)), Some(Refused::Repeated));
        assert_eq!(open.refusal(&RequestId::String("1".into())), None);
        assert_eq!(open.answer(&id(1)), Answered::Open("a"));
        assert_eq!(open.answer(&id(1)), Answered::Nothing);
    }

    #[test]
    fn a_cancelled_request_waits_for_its_answer() {
        let mut open = Open::default();
        open.add(id(1), "a");
        open.add(id(2), "b");
        assert_eq!((open.cancel(&id(1)), open.cancel(&id(1)), open.cancel(&id(3))), (Some("a"), None, None));
        assert_eq!(open.refusal(&id(1)), Some(Refused::Repeated));
        assert_eq!(open.answer(&id(1)), Answered::Cancelled);
        assert_eq!((open.refusal(&id(1)), open.answer(&id(1))), (None, Answered::Nothing));
        assert_eq!(open.end(), [(id(2), "b")]);
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut open = Open::default();
        for number in 0..100_000 {
            open.add(id(number), ());
            assert_eq!(open.cancel(&id(number)), Some(()));
        }
        assert_eq!((open.requests.len(), open.cancelled.len()), (CANCELLED, CANCELLED));
        (0..MOST - CANCELLED).for_each(|number| open.add(id(number), ()));
        assert_eq!(open.refusal(&RequestId::String("a".into())), Some(Refused::TooMany));
    }
}
