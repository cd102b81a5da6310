//! A line that a side has sent, and the frames that follow from it: [`Received`], [`Action`], [`Output`].

use rmcp::model::RequestId;

use crate::frame::{Frame, NoMessage};
use crate::private::bounded;
use tool_mcp::__private_0_1_0::{IdSearch, Line};

/// A line that a side has sent.
pub(super) enum Received {
    Frame(Frame),
    /// Several messages in one line.
    Batch(String),
    Unusable(Unusable),
}

/// A line that cannot be used.
pub(super) struct Unusable {
    pub(super) broken: Broken,
    pub(super) reason: String,
    /// The beginning of the line; empty if the line is too long.
    beginning: Vec<u8>,
}

/// The message that a line was meant to be.
pub(super) enum Broken {
    Request(RequestId),
    Answer(RequestId),
    /// The line begins like a message that is not a request, but does not show whose answer it is.
    Unclear,
    Other,
}

impl Received {
    /// Parses a line of a stream with a limit for the bytes of a line; `None` at its end.
    pub(super) fn of(line: Line, limit: usize) -> Option<Self> {
        let broken = match line {
            Line::Whole(line) => return Some(Self::whole(line)),
            Line::TooLongRequest(id) => Broken::Request(id),
            Line::TooLong(id) => Broken::Answer(id),
            Line::TooLongOther => Broken::Other,
            Line::End => return None,
        };
        let reason = format!("The message has more than {limit} bytes.");
        Some(Self::Unusable(Unusable { broken, reason, beginning: Vec::new() }))
    }

    fn whole(line: Vec<u8>) -> Self {
        let line = match String::from_utf8(line) {
            Ok(line) => line,
            Err(error) => return Self::unreadable(error.into_bytes()),
        };
        match Frame::parse(line) {
            Ok(frame) => Self::Frame(frame),
            Err((line, NoMessage::Batch)) => Self::Batch(line),
            Err((line, NoMessage::Unreadable)) => Self::unreadable(line.into_bytes()),
        }
    }

    fn unreadable(mut line: Vec<u8>) -> Self {
        let broken = Broken::of(&line);
        line.truncate(BEGINNING);
        Self::Unusable(Unusable { broken, reason: "The message is not valid.".to_owned(), beginning: line })
    }
}

impl Broken {
    /// Finds out what a line that is not a message was meant to be.
    fn of(line: &[u8]) -> Self {
        let mut search = IdSearch::default();
        search.feed(line);
        let answered = search.response_id().map(Self::Answer);
        let unclear = || if search.is_request() || !is_begun(line) { Self::Other } else { Self::Unclear };
        answered.or_else(|| search.request_id().map(Self::Request)).unwrap_or_else(unclear)
    }
}

/// The largest number of bytes in which a message shows that it is one.
const BEGINNING: usize = 200;

/// Returns `true` for a line with the beginning of a message. Servers also print other lines.
fn is_begun(line: &[u8]) -> bool {
    let beginning = String::from_utf8_lossy(&line[..line.len().min(BEGINNING)]);
    beginning.trim_start().starts_with('{') && beginning.contains(r#""jsonrpc""#)
}

/// The largest number of bytes that the log shows of a line.
const SHOWN: usize = 60;

impl Unusable {
    /// Returns the remark about the line, with its beginning up to the parameters or the result.
    pub(super) fn remark(&self, side: &str, redacted: &[String]) -> String {
        let text = String::from_utf8_lossy(&self.beginning);
        let contents = [r#""params""#, r#""arguments""#, r#""result""#, r#""error""#, r#""content""#];
        let end = contents.iter().filter_map(|key| text.find(key)).min().unwrap_or(text.len());
        let is_shown = redacted.is_empty() && end > 0;
        let shown =
            if is_shown { format!(" It begins with {}", bounded::text(&text[..end], SHOWN)) } else { String::new() };
        format!("a line of the {side} was dropped. {}{shown}", self.reason)
    }
}

/// The frames that follow from an event, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) to_client: Vec<Frame>,
    pub(super) to_server: Vec<Frame>,
}

/// The decision about a frame.
pub(super) enum Action {
    Forward,
    Replace(Frame),
    Drop,
}

impl Action {
    /// Returns the frame that is sent.
    pub(super) fn apply(self, frame: Frame) -> Option<Frame> {
        match self {
            Self::Forward => Some(frame),
            Self::Replace(frame) => Some(frame),
            Self::Drop => None,
        }
    }
}
