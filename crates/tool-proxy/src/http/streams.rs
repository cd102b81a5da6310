//! The streams of events of a connection, [`Streams`], and the body of an answer that reads one of them, [`Reader`].
//!
//! Some events are kept after they were sent, so that a client can resume a stream. Invariant: the memory is bounded. Beyond [`KEPT`], events that
//! were sent are dropped. Beyond [`FULL`], the oldest events of streams that nobody reads are dropped, and [`Streams::room`] waits for readers.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hyper::body::{self, Body, Bytes};
use tokio::sync::Notify;
use tokio::time::{Instant, Interval, interval_at};

use crate::frame::Frame;
use crate::sync::locked;

/// The number of bytes up to which events are kept after they were sent.
const KEPT: usize = 256 << 10;
/// The number of kept bytes from which on nothing more is read from the server.
const FULL: usize = 4 << 20;
/// The number of bytes that an event needs besides its text.
const OVERHEAD: usize = 64;
/// The maximum number of streams that have ended and are kept.
const ENDED: usize = 100;

/// The number of the stream that belongs to no request.
pub(super) const STANDALONE: u64 = 0;

/// The streams of a connection.
#[derive(Default)]
pub(crate) struct Streams {
    state: Mutex<StreamTable>,
    /// Notified when events were sent or dropped.
    drained: Notify,
}

/// The streams by number.
#[derive(Default)]
struct StreamTable {
    streams: BTreeMap<u64, Stream>,
    /// The number of the newest stream.
    newest: u64,
    readers: u64,
    bytes: usize,
    is_ended: bool,
    /// The numbers of streams that have ended, the oldest first. Some are removed already.
    ended: VecDeque<u64>,
}

/// A stream.
#[derive(Default)]
struct Stream {
    events: VecDeque<Frame>,
    /// The number of the first kept event.
    first: u64,
    /// The number of the first event that was not sent, at least `first`.
    unsent: u64,
    /// The number of the current reader.
    reader: Option<u64>,
    waker: Option<Waker>,
    is_ended: bool,
}

impl Stream {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn next(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    fn next_unsent(&self) -> Option<&Frame> {
        self.events.get(usize::try_from(self.unsent - self.first).ok()?)
    }

    fn drop_first(&mut self) -> usize {
        let Some(event) = self.events.pop_front() else { return 0 };
        self.first += 1;
        self.unsent = self.unsent.max(self.first);
        event.line().len() + OVERHEAD
    }
}

impl StreamTable {
    /// Returns a stream. That for messages which belong to no request begins when it is used.
    fn stream(&mut self, number: u64) -> Option<&mut Stream> {
        if number == STANDALONE && !self.is_ended {
            self.streams.entry(STANDALONE).or_default();
        }
        self.streams.get_mut(&number)
    }

    /// Drops events until the bytes are within the limits, or all others have to be sent. Returns `true` if unsent events were dropped.
    fn shrink(&mut self) -> bool {
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
        let Some(stream) = self.stream(number).filter(|stream| !stream.is_ended) else { return };
        let bytes = frame.line().len() + OVERHEAD;
        stream.events.push_back(frame);
        stream.wake();
        self.bytes += bytes;
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

    /// Returns the stream for a message that belongs to no request: the standalone one, or the newest that is read if only others are.
    pub(super) fn elsewhere(&self) -> u64 {
        let state = self.state();
        let is_read = |stream: &Stream| stream.reader.is_some() && !stream.is_ended;
        if state.streams.get(&STANDALONE).is_some_and(is_read) {
            return STANDALONE;
        }
        let newest = state.streams.iter().rev().find(|(_, stream)| is_read(stream));
        newest.map_or(STANDALONE, |(number, _)| *number)
    }

    pub(super) fn has_readers(&self) -> bool {
        self.state().streams.values().any(|stream| stream.reader.is_some())
    }

    pub(super) fn has_ended(&self) -> bool {
        self.state().is_ended
    }

    fn has_room(&self) -> bool {
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

    fn state(&self) -> MutexGuard<'_, StreamTable> {
        locked(&self.state)
    }
}

/// The time after which a client gets a comment if there is no event, so that a connection that was lost is noticed.
const QUIET: Duration = Duration::from_secs(15);
/// The field with the pause, in milliseconds, before a client should try to resume a stream.
const RETRY: &str = "retry: 1000\n";

/// The beginning of the answer to a request.
pub(super) enum Beginning {
    /// The answer, which nothing precedes.
    Answer(Frame),
    /// A message that precedes the answer.
    Message,
    /// The server has ended without an answer.
    Nothing,
}

/// A place in the stream, for the client that reads it from there on. It is the body of an answer.
pub(super) struct Reader {
    streams: Arc<Streams>,
    pub(super) stream: u64,
    number: u64,
    is_resumable: bool,
    /// A first event without a message, with which the client can resume the stream.
    is_primed: bool,
    quiet: Interval,
    /// Dropped with the reader.
    request: Option<Box<dyn Any + Send + Sync>>,
}

impl Reader {
    /// Begins to read a stream from the event with a number, or from the first event that was not sent. A previous reader of the stream ends.
    /// Returns `None` if there is no such stream.
    pub(super) fn new(streams: &Arc<Streams>, stream: u64, from: Option<u64>) -> Option<Self> {
        let mut state = streams.state();
        state.readers += 1;
        let number = state.readers;
        let found = state.stream(stream)?;
        found.wake();
        found.reader = Some(number);
        found.unsent = from.map_or(found.unsent, |from| from.clamp(found.first, found.next()));
        drop(state);
        Some(Self {
            streams: Arc::clone(streams),
            stream,
            number,
            is_resumable: false,
            is_primed: false,
            quiet: interval_at(Instant::now() + QUIET, QUIET),
            request: None,
        })
    }

    /// Gives each event an id, with which the client can resume the stream.
    pub(super) fn resumable(mut self) -> Self {
        self.is_resumable = true;
        self
    }

    /// Begins with an event that has an id and no message.
    pub(super) fn primed(mut self) -> Self {
        self.is_primed = true;
        self.resumable()
    }

    /// Drops a value together with the reader.
    pub(super) fn with(mut self, request: impl Any + Send + Sync) -> Self {
        self.request = Some(Box::new(request));
        self
    }

    /// Waits for the beginning of the answer. Events stay in the stream, except for an answer that nothing precedes.
    pub(super) async fn beginning(&mut self) -> Beginning {
        std::future::poll_fn(|cx| {
            let mut state = self.streams.state();
            let Some(stream) = state.streams.get_mut(&self.stream) else { return Poll::Ready(Beginning::Nothing) };
            match (stream.events.len(), stream.is_ended) {
                (0, true) => Poll::Ready(Beginning::Nothing),
                (1, true) => Poll::Ready(Beginning::Answer(stream.events[0].clone())),
                (1.., _) => Poll::Ready(Beginning::Message),
                (0, false) => {
                    stream.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    fn frame(&self, number: Option<u64>, text: &str) -> Bytes {
        let mut frame = String::with_capacity(text.len() + 64);
        if self.is_resumable {
            // Event 0 has no message, so the first message is event 1.
            let event = number.map_or(0, |number| number + 1);
            frame.extend(["id: ", &self.stream.to_string(), "-", &event.to_string(), "\n"]);
        }
        frame.extend([if number.is_none() { RETRY } else { "" }, "data: ", text, "\n\n"]);
        // A carriage return between two tokens of JSON would end the line of the event.
        if text.contains('\r') { frame.replace('\r', " ").into() } else { frame.into() }
    }
}

impl Body for Reader {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<body::Frame<Bytes>, Infallible>>> {
        if std::mem::take(&mut self.is_primed) {
            return Poll::Ready(Some(Ok(body::Frame::data(self.frame(None, "")))));
        }
        let streams = Arc::clone(&self.streams);
        let mut state = streams.state();
        let Some(stream) = state.streams.get_mut(&self.stream).filter(|stream| stream.reader == Some(self.number))
        else {
            return Poll::Ready(None);
        };
        if let Some(event) = stream.next_unsent() {
            let frame = self.frame(Some(stream.unsent), event.line());
            stream.unsent += 1;
            let is_ended = stream.is_ended;
            state.shrink();
            drop(state);
            streams.drained.notify_waiters();
            if !is_ended {
                self.quiet.reset();
            }
            return Poll::Ready(Some(Ok(body::Frame::data(frame))));
        }
        if stream.is_ended {
            return Poll::Ready(None);
        }
        stream.waker = Some(cx.waker().clone());
        drop(state);
        if self.quiet.poll_tick(cx).is_ready() {
            // Time without a poll causes no further comments.
            self.quiet.reset();
            return Poll::Ready(Some(Ok(body::Frame::data(Bytes::from_static(b":\n\n")))));
        }
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.streams.state();
        if let Some(stream) = state.streams.get_mut(&self.stream)
            && stream.reader == Some(self.number)
        {
            stream.reader = None;
            stream.waker = None;
        }
        state.shrink();
        drop(state);
        self.streams.drained.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    fn line(text: &str) -> Frame {
        text.to_owned().into()
    }

    async fn frame(reader: &mut Reader) -> Option<String> {
        let bytes = reader.frame().await?.ok()?.into_data().ok()?;
        String::from_utf8(bytes.into()).ok()
    }

    #[tokio::test]
    async fn a_stream_can_be_resumed_after_any_event() {
        let streams = Arc::new(Streams::default());
        let number = streams.add();
        let mut first = Reader::new(&streams, number, None).unwrap().primed();
        streams.push(number, line("{\r}"));
        assert_eq!(frame(&mut first).await.unwrap(), "id: 1-0\nretry: 1000\ndata: \n\n");
        assert_eq!(frame(&mut first).await.unwrap(), "id: 1-1\ndata: { }\n\n");
        drop(first);
        streams.finish(number, line("[2]"));
        for (from, expected) in [(0, "id: 1-1\ndata: { }\n\n"), (1, "id: 1-2\ndata: [2]\n\n")] {
            let mut reader = Reader::new(&streams, number, Some(from)).unwrap().resumable();
            assert_eq!(frame(&mut reader).await.unwrap(), expected);
        }
        let mut all = Reader::new(&streams, number, Some(u64::MAX)).unwrap();
        assert_eq!(frame(&mut all).await, None);
        assert!(Reader::new(&streams, 7, Some(0)).is_none());
    }

    #[tokio::test]
    async fn a_new_reader_replaces_the_previous_one() {
        let streams = Arc::new(Streams::default());
        let mut first = Reader::new(&streams, STANDALONE, None).unwrap();
        let mut second = Reader::new(&streams, STANDALONE, None).unwrap();
        streams.push(STANDALONE, line("{}"));
        assert_eq!(frame(&mut first).await, None);
        drop(first);
        assert!(streams.has_readers());
        assert_eq!(frame(&mut second).await.unwrap(), "data: {}\n\n");
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_gets_comments() {
        let streams = Arc::new(Streams::default());
        let mut reader = Reader::new(&streams, STANDALONE, None).unwrap();
        let begun = Instant::now();
        assert_eq!(frame(&mut reader).await.unwrap(), ":\n\n");
        assert_eq!(frame(&mut reader).await.unwrap(), ":\n\n");
        assert_eq!(begun.elapsed(), QUIET * 2);
    }

    #[tokio::test]
    async fn the_memory_is_bounded_whether_or_not_somebody_reads() {
        let streams = Arc::new(Streams::default());
        let long = || line(&"x".repeat(100 << 10));
        let unread = streams.add();
        let lost = (0..100).filter(|_| streams.push(unread, long())).count();
        assert!(lost > 50 && streams.state().bytes <= FULL, "{lost}");
        streams.remove(unread);
        assert_eq!(streams.state().bytes, 0);

        let number = streams.add();
        let mut reader = Reader::new(&streams, number, None).unwrap();
        while streams.has_room() {
            assert!(!streams.push(number, long()), "nothing is lost that a client reads");
        }
        assert!(streams.state().bytes <= FULL + long().line().len() + OVERHEAD);
        let ((), read) = tokio::join!(streams.room(), frame(&mut reader));
        assert!(read.is_some());
        let is_sent = || {
            let state = streams.state();
            state.streams[&number].unsent == state.streams[&number].next()
        };
        while !is_sent() {
            frame(&mut reader).await;
        }
        streams.push(number, long());
        assert!(streams.state().bytes <= KEPT + long().line().len() + OVERHEAD, "what was sent is not kept for long");
    }

    #[tokio::test]
    async fn only_so_many_ended_streams_are_kept() {
        let streams = Streams::default();
        for _ in 0..1_000 {
            let number = streams.add();
            streams.finish(number, line("{}"));
        }
        assert_eq!(streams.state().streams.len(), ENDED);
    }
}
