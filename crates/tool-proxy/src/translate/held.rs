//! The lines of the client that wait until the revision of the server is known: [`Held`].
//!
//! Invariant: the number of lines and of bytes is bounded.

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::message::Message;
use super::flow::Flow;

/// The maximum number of lines that wait.
const MOST: usize = 1_000;
/// The maximum number of bytes of all lines that wait.
const MOST_BYTES: usize = 32 * 1_024 * 1_024;

#[derive(Default)]
pub(super) struct Held {
    lines: Vec<String>,
    bytes: usize,
}

impl Held {
    /// Lets a line wait. A request is answered with an error if too many lines wait.
    pub(super) fn hold(&mut self, line: &str, flow: &mut Flow) {
        if self.lines.len() < MOST && self.bytes + line.len() <= MOST_BYTES {
            self.bytes += line.len();
            self.lines.push(line.to_owned());
        } else if let Ok(Message::Request { id, .. }) = Message::of(line) {
            flow.refuse(&id, INTERNAL, "Too many requests wait for the handshake with the server.");
        }
    }

    /// Removes the request with this id, which the client has cancelled. Returns `true` if it waited.
    pub(super) fn cancel(&mut self, id: &RequestId) -> bool {
        let is_other = |line: &String| !matches!(Message::of(line), Ok(Message::Request { id: own, .. }) if own == *id);
        let before = self.lines.len();
        self.lines.retain(is_other);
        self.bytes = self.lines.iter().map(String::len).sum();
        self.lines.len() < before
    }

    /// Hands out the lines in their order.
    pub(super) fn release(self, mut each: impl FnMut(&str)) {
        for line in &self.lines {
            each(line);
        }
    }
}
