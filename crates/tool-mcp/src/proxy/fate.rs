//! The fate of a line: [`Fate`], [`Broken`], [`Sent`].

use rmcp::model::RequestId;

use crate::client::envelope::Envelope;

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
    Other,
}

impl Broken {
    /// Finds out what a line that is not a message was meant to be.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut envelope = Envelope::default();
        envelope.feed(line);
        let answered = envelope.answered().map(Self::Answer);
        answered.or_else(|| envelope.asked().map(Self::Request)).unwrap_or(Self::Other)
    }
}

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
