//! The requests of one side that the other has not answered: [`Open`].
//!
//! Invariants: a request is answered once; the number of requests is bounded.

use std::collections::{HashMap, VecDeque};

use rmcp::model::RequestId;

use crate::private::hash::Seeded;

/// A table of requests. The keys of a client only meet each other.
pub(super) type Table<K, V> = HashMap<K, V, Seeded>;

/// The largest number of open requests.
pub(super) const MOST: usize = 10_000;
/// The maximum number of ended requests that are remembered, because their answers may still come.
const ENDED: usize = 1_000;

/// Open requests, with a value of the caller for each.
pub(super) struct Open<T> {
    requests: Table<RequestId, State<T>>,
    /// The requests that have ended without an answer, the oldest first.
    ended: VecDeque<RequestId>,
}

enum State<T> {
    Open(T),
    /// The one who asked has cancelled the request.
    Cancelled,
    /// The proxy has answered the request itself.
    GivenUp,
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
    GivenUp,
    /// Nobody has asked, or the request is answered already.
    Nothing,
}

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self { requests: Table::default(), ended: VecDeque::new() }
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
        self.requests.insert(id, State::Open(value));
    }

    pub(super) fn answer(&mut self, id: &RequestId) -> Answered<T> {
        let answered = match self.requests.remove(id) {
            Some(State::Open(value)) => return Answered::Open(value),
            Some(State::Cancelled) => Answered::Cancelled,
            Some(State::GivenUp) => Answered::GivenUp,
            None => return Answered::Nothing,
        };
        self.ended.retain(|ended| ended != id);
        answered
    }

    /// Returns the id of the request that counts, if there is only one. An ended request counts too, because its answer may still come.
    pub(super) fn only(&self, counts: impl Fn(&T) -> bool) -> Option<RequestId> {
        let counts = |state: &State<T>| match state {
            State::Open(value) => counts(value),
            State::Cancelled | State::GivenUp => true,
        };
        let mut found = self.requests.iter().filter(|(_, state)| counts(state));
        found
            .next()
            .filter(|(_, state)| found.next().is_none() && matches!(state, State::Open(_)))
            .map(|(id, _)| id.clone())
    }

    /// Removes a request that has not ended, and returns its value.
    pub(super) fn take(&mut self, id: &RequestId) -> Option<T> {
        self.requests.get(id).filter(|state| matches!(state, State::Open(_)))?;
        match self.requests.remove(id) {
            Some(State::Open(value)) => Some(value),
            _ => None,
        }
    }

    /// Changes the value of a request that has not ended.
    pub(super) fn change(&mut self, id: &RequestId, change: impl FnOnce(&mut T)) {
        if let Some(State::Open(value)) = self.requests.get_mut(id) {
            change(value);
        }
    }

    /// Marks a request as cancelled, and returns its value. Its answer may still come, and is forwarded then.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<T> {
        self.end_one(id, State::Cancelled)
    }

    /// Marks a request as answered by the proxy, and returns its value. Its answer may still come, and is dropped then.
    pub(super) fn give_up(&mut self, id: &RequestId) -> Option<T> {
        self.end_one(id, State::GivenUp)
    }

    /// Gives up every request that has not ended, and returns their ids.
    pub(super) fn give_up_all(&mut self) -> Vec<RequestId> {
        let open = self.requests.iter().filter(|(_, state)| matches!(state, State::Open(_)));
        let ids: Vec<RequestId> = open.map(|(id, _)| id.clone()).collect();
        for id in &ids {
            self.give_up(id);
        }
        ids
    }

    fn end_one(&mut self, id: &RequestId, ended: State<T>) -> Option<T> {
        let state = self.requests.get_mut(id).filter(|state| matches!(state, State::Open(_)))?;
        let State::Open(value) = std::mem::replace(state, ended) else { return None };
        self.ended.push_back(id.clone());
        if self.ended.len() > ENDED
            && let Some(oldest) = self.ended.pop_front()
        {
            self.requests.remove(&oldest);
        }
        Some(value)
    }

    /// Returns `true` if a request waits for its answer.
    pub(super) fn has_open(&self) -> bool {
        self.requests.len() > self.ended.len()
    }

    /// Removes and returns all requests that have not ended.
    pub(super) fn end(&mut self) -> Vec<(RequestId, T)> {
        self.ended.clear();
        let requests = std::mem::take(&mut self.requests);
        let open = requests.into_iter().map(|(id, state)| match state {
            State::Open(value) => Some((id, value)),
            State::Cancelled | State::GivenUp => None,
        });
        open.flatten().collect()
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
        assert_eq!((open.give_up(&id(2)), open.give_up(&id(2)), open.cancel(&id(2))), (Some("b"), None, None));
        assert_eq!(
            (open.has_open(), open.answer(&id(2)), open.answer(&id(2))),
            (false, Answered::GivenUp, Answered::Nothing)
        );
        open.add(id(3), "c");
        open.cancel(&id(3));
        open.add(id(4), "d");
        assert_eq!(open.end(), [(id(4), "d")]);
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut open = Open::default();
        for number in 0..100_000 {
            open.add(id(number), ());
            assert_eq!(open.cancel(&id(number)), Some(()));
        }
        assert_eq!((open.requests.len(), open.ended.len()), (ENDED, ENDED));
        (0..MOST - ENDED).for_each(|number| open.add(id(number), ()));
        assert_eq!(open.refusal(&RequestId::String("a".into())), Some(Refused::TooMany));
    }
}
