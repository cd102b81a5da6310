//! The fate of a line: [`Fate`], [`Broken`], [`Sent`].

use rmcp::model::RequestId;

use crate::private::bounded;
use tool_mcp::__private_0_1_0::Envelope;

/// The lines that follow from an event, in order, without line breaks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) to_client: Vec<String>,
    pub(super) to_server: Vec<String>,
}

/// A side of the proxy.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Client,
    Server,
}

impl Side {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// A line that cannot be used.
pub(super) enum Broken {
    Request(RequestId),
    Answer(RequestId),
    /// The line begins like a message that is not a request, but does not show whose answer it is.
    Unclear,
    Other,
}

impl Broken {
    /// Finds out what a line that is not a message was meant to be.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut envelope = Envelope::default();
        envelope.feed(line);
        let answered = envelope.answered().map(Self::Answer);
        let unclear = || if envelope.is_request() || !is_begun(line) { Self::Other } else { Self::Unclear };
        answered.or_else(|| envelope.asked().map(Self::Request)).unwrap_or_else(unclear)
    }
}

/// The largest number of bytes in which a message shows that it is one.
const BEGINNING: usize = 200;

/// Returns `true` for a line with the beginning of a message. Servers also print other lines.
fn is_begun(line: &[u8]) -> bool {
    let beginning = String::from_utf8_lossy(&line[..line.len().min(BEGINNING)]);
    beginning.trim_start().starts_with('{') && beginning.contains(r#""jsonrpc""#)
}

/// Returns a line as the log shows it: the beginning, up to the parameters or the result.
pub(super) fn beginning(line: &[u8], redacted: &[String]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(BEGINNING)]);
    let contents = [r#""params""#, r#""arguments""#, r#""result""#, r#""error""#, r#""content""#];
    let end = contents.iter().filter_map(|key| text.find(key)).min().unwrap_or(text.len());
    let is_shown = redacted.is_empty() && end > 0;
    if is_shown { format!(" It begins with {}", bounded::text(&text[..end], SHOWN)) } else { String::new() }
}

/// The largest number of bytes that the log shows of a line.
const SHOWN: usize = 60;

/// The decision about a line.
pub(super) enum Fate {
    Forward,
    Replace(String),
    Drop,
}

impl Fate {
    /// Adds the line that is sent to others.
    pub(super) fn apply(self, line: String, lines: &mut Vec<String>) {
        match self {
            Self::Forward => lines.push(line),
            Self::Replace(line) => lines.push(line),
            Self::Drop => {}
        }
    }
}
