//! The requests of one side that the other has not answered: [`RequestTable`].
//!
//! Invariants: a request is answered once; the number of requests is bounded; the bytes and the deadline of a request end with it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use rmcp::model::RequestId;
use tokio::time::Instant;

use crate::frame::Frame;
use crate::own_messages::{INVALID_REQUEST, error};
use crate::private::fast_hash::RandomHashState;

/// A table of requests. The keys of a client only meet each other.
pub(super) type Table<K, V> = HashMap<K, V, RandomHashState>;

/// The largest number of open requests.
const MOST: usize = 10_000;
/// The maximum number of ended requests that are remembered, because their answers may still come.
const ENDED: usize = 1_000;

/// Open requests, with a value of the caller for each.
pub(super) struct RequestTable<T> {
    open: Table<RequestId, Open<T>>,
    /// The requests that have ended without an answer, which may still come: `true` for a request that the one who asked has cancelled, and `false` for one
    /// that the proxy has answered itself.
    ended: Table<RequestId, bool>,
    /// The ids of these requests, the oldest first.
    ended_ids: VecDeque<RequestId>,
    /// The requests with a deadline. The number distinguishes those with equal times.
    deadlines: BTreeMap<Deadline, RequestId>,
    count: u64,
    bytes: usize,
}

type Deadline = (Instant, u64);

struct Open<T> {
    value: T,
    bytes: usize,
    deadline: Option<Deadline>,
}

/// The reason why a request is rejected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rejected {
    Repeated,
    TooMany,
}

impl Rejected {
    /// Returns the answer to the request.
    pub(super) fn answer(self, id: &RequestId) -> Frame {
        let text = match self {
            Self::Repeated => "A request with this id is not answered yet.",
            Self::TooMany => "Too many requests are not answered yet.",
        };
        error(id, INVALID_REQUEST, text)
    }
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

impl<T> Default for RequestTable<T> {
    fn default() -> Self {
        Self {
            open: Table::default(),
            ended: Table::default(),
            ended_ids: VecDeque::new(),
            deadlines: BTreeMap::new(),
            count: 0,
            bytes: 0,
        }
    }
}

impl<T> RequestTable<T> {
    /// Returns the reason why a request with this id would be rejected.
    pub(super) fn rejection(&self, id: &RequestId) -> Option<Rejected> {
        if self.has(id) {
            return Some(Rejected::Repeated);
        }
        (self.open.len() + self.ended.len() >= MOST).then_some(Rejected::TooMany)
    }

    /// Returns `true` if the answer to a request with this id may still come.
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.open.contains_key(id) || self.ended.contains_key(id)
    }

    /// Returns an id for a request of the proxy. Whoever has sent the open requests may use any id, so those are left out.
    pub(super) fn own_id(&self, requests: &mut u64) -> RequestId {
        loop {
            *requests += 1;
            let id = RequestId::String(format!("toolbox-proxy-{requests}").into());
            if !self.has(&id) {
                return id;
            }
        }
    }

    /// Adds a request that is [not rejected](Self::rejection).
    pub(super) fn add(&mut self, id: RequestId, value: T) {
        self.add_until(id, value, 0, None);
    }

    /// Adds a request for which a number of bytes is kept, and which must be answered until a time.
    pub(super) fn add_until(&mut self, id: RequestId, value: T, bytes: usize, until: Option<Instant>) {
        let deadline = until.map(|until| {
            self.count += 1;
            self.deadlines.insert((until, self.count), id.clone());
            (until, self.count)
        });
        self.bytes += bytes;
        self.open.insert(id, Open { value, bytes, deadline });
    }

    /// Returns the bytes that are kept for all open requests.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the first deadline.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadlines.first_key_value().map(|(&(at, _), _)| at)
    }

    /// Removes a deadline that has passed, and returns its request.
    pub(super) fn expired(&mut self, now: Instant) -> Option<RequestId> {
        let first = self.deadlines.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }

    /// Ends a request with its answer.
    pub(super) fn answer(&mut self, id: &RequestId) -> Answered<T> {
        self.answer_if(id, |_| true)
    }

    /// Ends a request with its answer, if the request has been sent.
    pub(super) fn answer_if(&mut self, id: &RequestId, is_sent: impl FnOnce(&T) -> bool) -> Answered<T> {
        if self.get(id).is_some_and(|value| !is_sent(value)) {
            return Answered::Nothing;
        }
        if let Some(value) = self.take(id) {
            return Answered::Open(value);
        }
        let Some(is_cancelled) = self.ended.remove(id) else { return Answered::Nothing };
        self.ended_ids.retain(|ended| ended != id);
        if is_cancelled { Answered::Cancelled } else { Answered::GivenUp }
    }

    /// Returns the value of a request that has not ended.
    pub(super) fn get(&self, id: &RequestId) -> Option<&T> {
        self.open.get(id).map(|open| &open.value)
    }

    /// Returns the id of the request that counts, if there is only one. An ended request counts too, because its answer may still come.
    pub(super) fn only(&self, counts: impl Fn(&T) -> bool) -> Option<RequestId> {
        let mut found = self.open.iter().filter(|(_, open)| counts(&open.value));
        let (id, _) = found.next()?;
        (found.next().is_none() && self.ended.is_empty()).then(|| id.clone())
    }

    /// Removes a request that has not ended, and returns its value. No answer follows.
    pub(super) fn take(&mut self, id: &RequestId) -> Option<T> {
        let Open { value, bytes, deadline } = self.open.remove(id)?;
        self.bytes -= bytes;
        deadline.map(|deadline| self.deadlines.remove(&deadline));
        Some(value)
    }

    /// Marks a request as cancelled, and returns its value. Its answer may still come, and is forwarded then.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<T> {
        self.end_one(id, true)
    }

    /// Marks a request as answered by the proxy, and returns its value. Its answer may still come, and is dropped then.
    pub(super) fn give_up(&mut self, id: &RequestId) -> Option<T> {
        self.end_one(id, false)
    }

    /// Gives up every request that has not ended, and returns their ids.
    pub(super) fn give_up_all(&mut self) -> Vec<RequestId> {
        let ids: Vec<RequestId> = self.open.keys().cloned().collect();
        for id in &ids {
            self.give_up(id);
        }
        ids
    }

    fn end_one(&mut self, id: &RequestId, is_cancelled: bool) -> Option<T> {
        let value = self.take(id)?;
        self.ended.insert(id.clone(), is_cancelled);
        self.ended_ids.push_back(id.clone());
        if self.ended_ids.len() > ENDED
            && let Some(oldest) = self.ended_ids.pop_front()
        {
            self.ended.remove(&oldest);
        }
        Some(value)
    }

    /// Returns `true` if a request waits for its answer.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Removes and returns all requests that have not ended.
    pub(super) fn end(&mut self) -> Vec<(RequestId, T)> {
        std::mem::take(self).open.into_iter().map(|(id, open)| (id, open.value)).collect()
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
        let mut open = RequestTable::default();
        assert_eq!(open.answer(&id(1)), Answered::Nothing);
        open.add(id(1), "a");
        assert_eq!(open.rejection(&id(1)), Some(Rejected::Repeated));
        assert_eq!(open.rejection(&RequestId::String("1".into())), None);
        assert_eq!(open.answer(&id(1)), Answered::Open("a"));
        assert_eq!(open.answer(&id(1)), Answered::Nothing);
    }

    #[test]
    fn a_cancelled_request_waits_for_its_answer() {
        let mut open = RequestTable::default();
        open.add(id(1), "a");
        open.add(id(2), "b");
        assert_eq!((open.cancel(&id(1)), open.cancel(&id(1)), open.cancel(&id(3))), (Some("a"), None, None));
        assert_eq!(open.rejection(&id(1)), Some(Rejected::Repeated));
        assert_eq!(open.answer(&id(1)), Answered::Cancelled);
        assert_eq!((open.rejection(&id(1)), open.answer(&id(1))), (None, Answered::Nothing));
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
        let mut open = RequestTable::default();
        for number in 0..100_000 {
            open.add(id(number), ());
            assert_eq!(open.cancel(&id(number)), Some(()));
        }
        assert_eq!((open.ended.len(), open.ended_ids.len()), (ENDED, ENDED));
        (0..MOST - ENDED).for_each(|number| open.add(id(number), ()));
        assert_eq!(open.rejection(&RequestId::String("a".into())), Some(Rejected::TooMany));
    }

    #[test]
    fn the_bytes_and_the_deadline_of_a_request_end_with_it() {
        let (mut open, now) = (RequestTable::default(), Instant::now());
        for number in 0..5 {
            open.add_until(id(number), number, 10, Some(now));
        }
        assert_eq!(
            (open.answer(&id(0)), open.cancel(&id(1)), open.give_up(&id(2))),
            (Answered::Open(0), Some(1), Some(2))
        );
        assert_eq!((open.take(&id(3)), open.bytes(), open.deadline()), (Some(3), 10, Some(now)));
        assert_eq!((open.expired(now), open.expired(now), open.get(&id(4))), (Some(id(4)), None, Some(&4)));
        assert_eq!((open.answer(&id(4)), open.bytes()), (Answered::Open(4), 0));
    }
}
