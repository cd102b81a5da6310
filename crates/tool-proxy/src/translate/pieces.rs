//! The bytes of one side, as lines: [`Splitter`] and [`Queue`].
//!
//! Invariant: at most `limit` bytes of a line are kept.

use tool_mcp::__private_0_1_0::Envelope;

/// The number of bytes of memory that an empty queue keeps.
const KEPT: usize = 8 * 1_024;

/// Bytes that wait for one side.
#[derive(Default)]
pub(super) struct Queue {
    bytes: Vec<u8>,
    taken: usize,
}

impl Queue {
    pub(super) fn push(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
    }

    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    pub(super) fn take(&mut self, count: usize) {
        self.taken += count;
        if self.taken == self.bytes.len() {
            self.taken = 0;
            self.bytes.clear();
            // A long line does not keep its memory.
            self.bytes.shrink_to(KEPT);
        }
    }
}

/// Cuts bytes into lines.
pub(super) struct Splitter {
    line: Vec<u8>,
    /// The line that is being skipped, because it is too long.
    skipped: Option<Envelope>,
    limit: usize,
}

/// A line, or the rest of one.
pub(super) enum Piece {
    Line(Vec<u8>),
    TooLong(Envelope),
}

impl Splitter {
    pub(super) fn new(limit: usize) -> Self {
        Self { line: Vec::new(), skipped: None, limit }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.line.is_empty() && self.skipped.is_none()
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (part, is_end) = part.strip_suffix(b"\n").map_or((part, false), |part| (part, true));
            if let Some(skipped) = &mut self.skipped {
                skipped.feed(part);
            } else if self.line.len() + part.len() > self.limit {
                let mut envelope = Envelope::default();
                envelope.feed(&std::mem::take(&mut self.line));
                envelope.feed(part);
                self.skipped = Some(envelope);
            } else {
                self.line.extend_from_slice(part);
            }
            if is_end {
                let line = std::mem::take(&mut self.line);
                pieces.push(self.skipped.take().map_or(Piece::Line(line), Piece::TooLong));
            }
        }
        pieces
    }
}
