//! The state of arguments that arrive in pieces: [`PartialArguments`].
//!
//! Invariant: the state depends on the text, and not on where it was cut.

/// The state of the arguments of a call so far. Only braces and quotes are read; a text that is not valid JSON is for the session to judge.
#[derive(Clone, Copy, Default)]
pub(super) struct PartialArguments {
    state: State,
    /// `true` if there is something between the outer braces.
    has_content: bool,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Blank,
    /// Within an object.
    Object {
        depth: usize,
        /// The quote that ends the string, within a string.
        quote: Option<u8>,
        is_escaped: bool,
    },
    /// One complete object, and perhaps white space.
    Complete,
    /// A text that does not begin with an object, or an object with a text after it.
    Other,
}

impl PartialArguments {
    /// Returns `true` if there is only white space.
    pub(super) const fn is_blank(self) -> bool {
        matches!(self.state, State::Blank)
    }

    pub(super) const fn is_complete(self) -> bool {
        matches!(self.state, State::Complete)
    }

    /// Returns `true` for an object without content, if it is complete.
    pub(super) const fn is_empty(self) -> bool {
        !self.has_content
    }

    /// Adds a text up to the end of the object. Returns the number of bytes that were added.
    pub(super) fn push(&mut self, text: &str) -> usize {
        for (at, byte) in text.bytes().enumerate() {
            let is_space = byte.is_ascii_whitespace();
            match &mut self.state {
                State::Blank if is_space => {}
                State::Blank if byte == b'{' => self.state = State::Object { depth: 1, quote: None, is_escaped: false },
                State::Object { depth, quote, is_escaped } => {
                    self.has_content |= !is_space && (byte != b'}' || *depth > 1 || quote.is_some());
                    match (*quote, byte) {
                        _ if std::mem::take(is_escaped) => {}
                        (Some(_), b'\\') => *is_escaped = true,
                        (Some(end), _) if byte == end => *quote = None,
                        (None, b'"' | b'\'') => *quote = Some(byte),
                        (None, b'{') => *depth += 1,
                        (None, b'}') if *depth > 1 => *depth -= 1,
                        (None, b'}') => {
                            self.state = State::Complete;
                            return at + 1;
                        }
                        _ => {}
                    }
                }
                State::Blank | State::Complete => self.state = State::Other,
                State::Other => return text.len(),
            }
        }
        text.len()
    }
}
