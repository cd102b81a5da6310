//! The streams of events of a connection: [`Streams`]. A `Reader` reads one of them.
//!
//! Some events are kept after they were sent, so that a client can resume a stream. Invariant: the memory is bounded. Beyond [`KEPT`], events that
//! were sent are dropped. Beyond [`FULL`], the oldest events of streams that nobody reads are dropped, and [`Streams::room`] waits for readers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use tokio::sync::Notify;

use super::super::frame::Frame;

/// The number of bytes up to which events are kept after they were sent.
pub(super) const KEPT: usize = 256 << 10;
/// The number of kept bytes from which on nothing more is read from the server.
pub(super) const FULL: usize = 4 << 20;
/// The number of bytes that an event needs besides its text.
pub(super) const OVERHEAD: usize = 64;
/// The maximum number of streams that have ended and are kept.
pub(super) const ENDED: usize = 100;

/// The number of the stream that belongs to no request.
pub(super) const STANDALONE: u64 = 0;

/// The streams of a connection.
#[derive(Default)]
pub(crate) struct Streams {
    state: Mutex<State>,
    /// Notified when events were sent or dropped.
    pub(super) drained: Notify,
}

/// The streams by number.
#[derive(Default)]
pub(super) struct State {
    pub(super) streams: BTreeMap<u64, Stream>,
    /// The number of the newest stream.
    pub(super) newest: u64,
    pub(super) readers: u64,
    pub(super) bytes: usize,
    pub(super) is_ended: bool,
    /// The numbers of streams that have ended, the oldest first. Some are removed already.
    ended: VecDeque<u64>,
}

/// A stream.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) events: VecDeque<Frame>,
    /// The number of the first kept event.
    pub(super) first: u64,
    /// The number of the first event that was not sent.
    pub(super) unsent: u64,
    /// The number of the current reader.
    pub(super) reader: Option<u64>,
    pub(super) waker: Option<Waker>,
    pub(super) is_ended: bool,
}

impl Stream {
    pub(super) fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    pub(super) fn next(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    pub(super) fn event(&self, number: u64) -> Option<&Frame> {
        self.events.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn drop_first(&mut self) -> usize {
        let Some(event) = self.events.pop_front() else { return 0 };
        self.first += 1;
        self.unsent = self.unsent.max(self.first);
        event.line().len() + OVERHEAD
    }
}

impl State {
    /// Drops events until the bytes are within the limits, or all others have to be sent. Returns `true` if unsent events were dropped.
    pub(super) fn shrink(&mut self) -> bool {
        if self.bytes < KEPT {
            return false;
        }
        for stream in self.streams.values_mut() {
            while self.bytes >= KEPT && stream.first < stream.unsent {
                self.bytes -= stream.drop_first();
            }
        }
        let mut has_lost = false;
        for stream in self.streams.values_mut().filter(|stream| stream.reader.is_none()) {
            while self.bytes >= FULL && !stream.events.is_empty() {
                self.bytes -= stream.drop_first();
                has_lost = true;
            }
        }
        has_lost
    }

    fn push(&mut self, number: u64, frame: Frame) {
        let Some(stream) = self.streams.get_mut(&number).filter(|stream| !stream.is_ended) else { return };
        self.bytes += frame.line().len() + OVERHEAD;
        stream.events.push_back(frame);
        stream.wake();
    }

    fn end(&mut self, number: u64) {
        let Some(stream) = self.streams.get_mut(&number).filter(|stream| !stream.is_ended) else { return };
        stream.is_ended = true;
        stream.wake();
        self.ended.push_back(number);
        if self.ended.len() > ENDED
            && let Some(oldest) = self.ended.pop_front()
        {
            if self.streams.get(&oldest).is_some_and(|stream| stream.reader.is_some()) {
                self.ended.push_back(oldest);
            } else {
                self.remove(oldest);
            }
        }
    }

    fn remove(&mut self, number: u64) {
        if let Some(mut stream) = self.streams.remove(&number) {
            stream.wake();
            self.bytes -= stream.events.iter().map(|event| event.line().len() + OVERHEAD).sum::<usize>();
        }
    }
}

impl Streams {
    /// Adds a stream and returns its number.
    pub(super) fn add(&self) -> u64 {
        let mut state = self.state();
        state.newest += 1;
        let (newest, is_ended) = (state.newest, state.is_ended);
        state.streams.insert(newest, Stream { is_ended, ..Stream::default() });
        newest
    }

    /// Adds a message to a stream. Returns `true` if older messages had to be dropped, because nobody read them.
    pub(super) fn push(&self, number: u64, frame: Frame) -> bool {
        let mut state = self.state();
        if number == STANDALONE && !state.is_ended {
            state.streams.entry(STANDALONE).or_default();
        }
        state.push(number, frame);
        state.shrink()
    }

    /// Adds the last message to a stream. The stream is kept for clients that resume it.
    pub(super) fn finish(&self, number: u64, frame: Frame) -> bool {
        let mut state = self.state();
        state.push(number, frame);
        state.end(number);
        state.shrink()
    }

    /// Ends a stream.
    pub(super) fn end(&self, number: u64) {
        self.state().end(number);
    }

    pub(super) fn remove(&self, number: u64) {
        self.state().remove(number);
        self.drained.notify_waiters();
    }

    /// Ends all streams.
    pub(super) fn end_all(&self) {
        let mut state = self.state();
        state.is_ended = true;
        for stream in state.streams.values_mut() {
            stream.is_ended = true;
            stream.wake();
        }
        drop(state);
        self.drained.notify_waiters();
    }

    /// Returns `true` if a client reads the stream.
    pub(super) fn is_read(&self, number: u64) -> bool {
        self.state().streams.get(&number).is_some_and(|stream| stream.reader.is_some())
    }

    /// Returns the newest stream of a request that a client reads and that has not ended.
    pub(super) fn newest_read(&self) -> Option<u64> {
        let state = self.state();
        let mut streams = state.streams.iter().rev();
        let found =
            streams.find(|(number, stream)| **number != STANDALONE && stream.reader.is_some() && !stream.is_ended);
        found.map(|(number, _)| *number)
    }

    pub(super) fn has_readers(&self) -> bool {
        self.state().streams.values().any(|stream| stream.reader.is_some())
    }

    pub(super) fn has_room(&self) -> bool {
        let state = self.state();
        state.bytes < FULL || state.is_ended
    }

    /// Waits until more messages may be added.
    pub(super) async fn room(&self) {
        loop {
            let drained = self.drained.notified();
            if self.has_room() {
                return;
            }
            drained.await;
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // No code under the lock can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
