//! The lines that wait to be written to one side: [`Outbox`].
//!
//! Each side has a writer of its own, so that a side that does not read only stops the side that writes to it.
//!
//! Invariant: readers wait for [`room`](Outbox::room), so the memory is bounded by what one line can cause.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

/// The number of waiting bytes from which on nothing more is read for this side.
const FULL: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Outbox {
    waiting: Mutex<Waiting>,
    /// Notified when a line is added, or the outbox is closed.
    filled: Notify,
    /// Notified when there is room again.
    drained: Notify,
}

#[derive(Default)]
struct Waiting {
    lines: VecDeque<String>,
    bytes: usize,
    is_closed: bool,
}

impl Outbox {
    pub(super) fn push(&self, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let mut waiting = self.waiting();
        if !waiting.is_closed {
            waiting.bytes += lines.iter().map(String::len).sum::<usize>();
            waiting.lines.extend(lines);
        }
        drop(waiting);
        self.filled.notify_one();
    }

    /// Accepts no further lines. [`write`](Self::write) ends after those that wait.
    pub(super) fn close(&self) {
        self.waiting().is_closed = true;
        self.filled.notify_one();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.waiting().is_closed
    }

    /// Drops all lines that are not written.
    pub(super) fn clear(&self) {
        let mut waiting = self.waiting();
        waiting.lines.clear();
        waiting.bytes = 0;
        drop(waiting);
        self.drained.notify_waiters();
    }

    /// Waits until more lines may be added.
    pub(super) async fn room(&self) {
        while self.waiting().bytes >= FULL {
            self.drained.notified().await;
        }
    }

    /// Writes all lines until the outbox is closed, and then closes the writer. Fails if the receiver does not accept them.
    pub(super) async fn write(&self, mut writer: impl AsyncWrite + Unpin) -> io::Result<()> {
        loop {
            let next = {
                let mut waiting = self.waiting();
                let next = waiting.lines.pop_front();
                if next.is_none() && waiting.is_closed {
                    break;
                }
                next
            };
            match next {
                Some(mut line) => {
                    let bytes = line.len();
                    line.push('\n');
                    writer.write_all(line.as_bytes()).await?;
                    let is_last = {
                        let mut waiting = self.waiting();
                        waiting.bytes -= bytes;
                        waiting.lines.is_empty()
                    };
                    self.drained.notify_waiters();
                    if is_last {
                        writer.flush().await?;
                    }
                }
                None => self.filled.notified().await,
            }
        }
        writer.shutdown().await
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No code under the lock can panic.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
