//! Limits for the size of an answer: [`Limits`]. [`Bounded`] applies them, and finds the end of each event of a stream.
//!
//! Invariant: [`Bounded`] never buffers more than the maximum size of one event.

use genai::adapter::AdapterKind;
use tool_chat::model::ModelError;

use super::convert_error;

/// The maximum sizes, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The maximum size of one event of a stream, and of an answer that is not a stream.
    pub(super) event: usize,
    /// The maximum size of all events of a stream together.
    pub(super) stream: usize,
}

impl Limits {
    pub(super) const DEFAULT: Self = Self { event: 4 << 20, stream: 64 << 20 };
}

/// The way in which the events of an answer are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// One JSON document without events.
    Whole,
    /// Server-sent events, separated by empty lines.
    EmptyLines,
    /// One JSON document per line.
    Lines,
    /// Events with length prefixes, which only genai parses.
    Binary,
}

impl Framing {
    pub(super) fn of_streams(kind: AdapterKind) -> Self {
        match kind {
            AdapterKind::Cohere | AdapterKind::Ollama | AdapterKind::OllamaCloud => Self::Lines,
            kind if kind.to_string().starts_with("Bedrock") => Self::Binary,
            _ => Self::EmptyLines,
        }
    }
}

/// A buffer that passes on the bytes of an answer in whole events.
pub(super) struct Bounded {
    framing: Framing,
    limits: Limits,
    /// The number of bytes that have arrived so far.
    total: usize,
    /// The beginning of an incomplete event.
    held: Vec<u8>,
    /// `true` while the current line is empty.
    is_empty_line: bool,
    last: u8,
}

impl Bounded {
    pub(super) fn new(framing: Framing, limits: Limits) -> Self {
        Self { framing, limits, total: 0, held: Vec::new(), is_empty_line: true, last: 0 }
    }

    /// Adds bytes that have arrived. Returns the bytes of all events that are now complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<u8>, ModelError> {
        self.total = self.total.saturating_add(bytes.len());
        let most = if self.framing == Framing::Whole { self.limits.event } else { self.limits.stream };
        if self.total > most {
            return Err(convert_error::too_long("the answer", most));
        }
        if matches!(self.framing, Framing::Whole | Framing::Binary) {
            return Ok(bytes.to_vec());
        }
        // `begin` is the index in `bytes` at which the current event begins; `held` is the length of its buffered beginning.
        let (mut begin, mut held) = (0, self.held.len());
        for (at, &byte) in bytes.iter().enumerate() {
            if held + at - begin >= self.limits.event {
                return Err(convert_error::too_long("an event of the stream", self.limits.event));
            }
            if self.is_end(byte) {
                (begin, held) = (at + 1, 0);
            }
        }
        let (whole, rest) = bytes.split_at(begin);
        if whole.is_empty() {
            self.held.extend_from_slice(rest);
            return Ok(Vec::new());
        }
        let mut ready = std::mem::replace(&mut self.held, rest.to_vec());
        ready.extend_from_slice(whole);
        Ok(ready)
    }

    /// Returns the bytes that are still buffered when the answer has ended.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Returns `true` if an event ends with this byte. A line ends with `\n`, `\r` or `\r\n`.
    fn is_end(&mut self, byte: u8) -> bool {
        let last = std::mem::replace(&mut self.last, byte);
        match byte {
            // This is the second byte of `\r\n`, and the line has already ended.
            b'\n' if last == b'\r' => self.framing == Framing::Lines,
            b'\n' => std::mem::replace(&mut self.is_empty_line, true) || self.framing == Framing::Lines,
            b'\r' if self.framing == Framing::EmptyLines => std::mem::replace(&mut self.is_empty_line, true),
            _ => {
                self.is_empty_line = false;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounded, Framing, Limits};

    const SMALL: Limits = Limits { event: 8, stream: 40 };

    /// Returns the bytes that are passed on after each piece, and the rest at the end.
    fn given(framing: Framing, pieces: &[&str]) -> Result<Vec<String>, String> {
        let mut events = Bounded::new(framing, SMALL);
        let text = |bytes| String::from_utf8(bytes).expect("ASCII");
        let mut given = Vec::new();
        for piece in pieces {
            given.push(text(events.take(piece.as_bytes()).map_err(|error| error.message)?));
        }
        given.push(text(events.rest()));
        Ok(given)
    }

    #[test]
    fn events_are_passed_on_as_a_whole() {
        let expected = |texts: &[&str]| Ok(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(given(Framing::EmptyLines, &["a\n", "b\n\nc", "\n\n"]), expected(&["", "a\nb\n\n", "c\n\n", ""]));
        assert_eq!(given(Framing::EmptyLines, &["a\r\n\r", "\nb\r\rc"]), expected(&["a\r\n\r", "\nb\r\r", "c"]));
        assert_eq!(given(Framing::Lines, &["{}\n{", "}\r\n"]), expected(&["{}\n", "{}\r\n", ""]));
        assert_eq!(given(Framing::Binary, &["0123456789"]), expected(&["0123456789", ""]));
    }

    #[test]
    fn events_and_streams_have_a_maximum_length() {
        let long = Err("an event of the stream is longer than 8 bytes".to_owned());
        assert_eq!(given(Framing::EmptyLines, &["12345678\n\n"]), long);
        // The limit also applies to an event of several lines, and to an event that arrives byte by byte.
        assert_eq!(given(Framing::EmptyLines, &["a\nb\nc\nd\ne\n"]), long);
        assert_eq!(given(Framing::EmptyLines, &["a"; 9]), long);
        assert_eq!(given(Framing::Lines, &["123456789"]), long);
        assert!(given(Framing::EmptyLines, &["123456\n\n"]).is_ok());
        assert_eq!(given(Framing::EmptyLines, &["a\n\n"; 14]), Err("the answer is longer than 40 bytes".to_owned()));
        assert_eq!(given(Framing::Whole, &["12345", "6789"]), Err("the answer is longer than 8 bytes".to_owned()));
        assert_eq!(given(Framing::Binary, &["a"; 41]), Err("the answer is longer than 40 bytes".to_owned()));
    }
}
