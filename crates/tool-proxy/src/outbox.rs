//! The frames that wait to be written to one side: [`Outbox`].
//!
//! Each side has a writer of its own, so that a side that does not read only stops the side that writes to it.
//!
//! Invariant: readers wait for [`room`](Outbox::room), so the memory is bounded by what one line can cause.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

use crate::frame::Frame;
use crate::sync::locked;

/// The number of waiting bytes from which on nothing more is read for this side.
const FULL: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    /// Notified when a frame is added, or the outbox is closed.
    filled: Notify,
    /// Notified when there is room again.
    drained: Notify,
}

#[derive(Default)]
struct State {
    ready: VecDeque<Frame>,
    /// Frames that are not written until they are taken and pushed again.
    kept: Vec<Frame>,
    /// The bytes of all frames.
    bytes: usize,
    is_closed: bool,
}

impl Outbox {
    pub(super) fn push(&self, frame: Frame) {
        let mut state = locked(&self.state);
        if !state.is_closed {
            state.bytes += frame.line().len();
            state.ready.push_back(frame);
        }
        drop(state);
        self.filled.notify_one();
    }

    /// Keeps a frame for the next side that reads.
    pub(super) fn keep(&self, frame: Frame) {
        let mut state = locked(&self.state);
        state.bytes += frame.line().len();
        state.kept.push(frame);
    }

    /// Returns the kept frames.
    pub(super) fn take_kept(&self) -> Vec<Frame> {
        self.drain(|state| {
            let kept = std::mem::take(&mut state.kept);
            state.bytes -= kept.iter().map(|frame| frame.line().len()).sum::<usize>();
            kept
        })
    }

    /// Makes room.
    fn drain<T>(&self, take: impl FnOnce(&mut State) -> T) -> T {
        let taken = take(&mut locked(&self.state));
        self.drained.notify_waiters();
        taken
    }

    /// Accepts no further frames. [`write`](Self::write) ends after those that wait.
    pub(super) fn close(&self) {
        locked(&self.state).is_closed = true;
        self.filled.notify_one();
    }

    pub(super) fn is_closed(&self) -> bool {
        locked(&self.state).is_closed
    }

    /// Drops all frames that are not written.
    pub(super) fn clear(&self) {
        self.drain(|state| *state = State { is_closed: state.is_closed, ..State::default() });
    }

    /// Waits until more frames may be added.
    pub(super) async fn room(&self) {
        while locked(&self.state).bytes >= FULL {
            self.drained.notified().await;
        }
    }

    /// Waits for the next frame; `None` after the last one, once the outbox is closed.
    pub(super) async fn next(&self) -> Option<Frame> {
        loop {
            {
                let mut state = locked(&self.state);
                let next = state.ready.pop_front();
                if next.is_some() || state.is_closed {
                    return next;
                }
            }
            self.filled.notified().await;
        }
    }

    /// Makes room after a frame of so many bytes was written. Returns `true` if no further frame is ready.
    pub(super) fn written(&self, bytes: usize) -> bool {
        self.drain(|state| {
            // The outbox may have been cleared.
            state.bytes = state.bytes.saturating_sub(bytes);
            state.ready.is_empty()
        })
    }

    /// Writes all frames as lines until the outbox is closed, and then closes the writer. Fails if the receiver does not accept them.
    pub(super) async fn write(&self, mut writer: impl AsyncWrite + Unpin) -> io::Result<()> {
        while let Some(frame) = self.next().await {
            let mut line = frame.into_line();
            let bytes = line.len();
            line.push('\n');
            writer.write_all(line.as_bytes()).await?;
            if self.written(bytes) {
                writer.flush().await?;
            }
        }
        writer.shutdown().await
    }
}
