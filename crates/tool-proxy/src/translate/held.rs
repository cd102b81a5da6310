//! The messages of the client that wait until the revision of the server is known: [`Held`].
//!
//! Invariant: the number of messages and of bytes is bounded.

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::frame::{Frame, Message};
use super::flow::Flow;

/// The maximum number of messages that wait.
const MOST: usize = 1_000;
/// The maximum number of bytes of all messages that wait.
const MOST_BYTES: usize = 32 * 1_024 * 1_024;

#[derive(Default)]
pub(super) struct Held {
    frames: Vec<Frame>,
    bytes: usize,
}

impl Held {
    /// Lets a message wait. A request is answered with an error if too many wait.
    pub(super) fn hold(&mut self, frame: Frame, flow: &mut Flow) {
        let bytes = self.bytes + frame.line().len();
        if self.frames.len() < MOST && bytes <= MOST_BYTES {
            self.bytes = bytes;
            self.frames.push(frame);
        } else if let Message::Request { id, .. } = frame.message() {
            flow.refuse(&id, INTERNAL, "Too many requests wait for the handshake with the server.");
        }
    }

    /// Removes the request with this id, which the client has cancelled. Returns `true` if it waited.
    pub(super) fn cancel(&mut self, id: &RequestId) -> bool {
        let is_other = |frame: &Frame| !matches!(frame.message(), Message::Request { id: own, .. } if own == *id);
        let before = self.frames.len();
        self.frames.retain(is_other);
        self.bytes = self.frames.iter().map(|frame| frame.line().len()).sum();
        self.frames.len() < before
    }

    /// Hands out the messages in their order.
    pub(super) fn release(self) -> Vec<Frame> {
        self.frames
    }
}
