//! The location of the schema that is being written: [`Location`], in words for people and as a JSON pointer.
//!
//! Every property of a schema is a step, so a step must be cheap: it is appended to two texts, one for each form, and cut off again.

use crate::json::pointer::push_token;

/// The maximum length of a step in the words, in characters.
const LONGEST: usize = 64;

/// The initial capacity in bytes, which is enough for most locations.
const USUAL: usize = 64;

/// A location in the document.
pub(super) struct Location {
    words: String,
    pointer: String,
    steps: usize,
}

/// The lengths of both texts before a step.
pub(super) struct Before {
    words: usize,
    pointer: usize,
}

impl Location {
    /// Creates the location of the arguments as a whole.
    pub(super) fn root() -> Self {
        Self { words: String::with_capacity(USUAL), pointer: String::with_capacity(USUAL), steps: 0 }
    }

    /// Creates the location of a definition.
    pub(super) fn of_definition(name: &str, pointer: &str) -> Self {
        Self { words: name.to_owned(), pointer: pointer.to_owned(), steps: 1 }
    }

    /// Returns `true` for the arguments as a whole.
    pub(super) const fn is_root(&self) -> bool {
        self.steps == 0
    }

    /// Returns the location for people.
    pub(super) fn words(&self) -> &str {
        if self.is_root() { "the arguments" } else { &self.words }
    }

    /// Returns the JSON pointer (RFC 6901).
    pub(super) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Replaces the pointer while a definition is written in place of a reference; returns the old pointer.
    pub(super) fn replace_pointer(&mut self, pointer: String) -> String {
        std::mem::replace(&mut self.pointer, pointer)
    }

    /// Appends a step: `step` to the words, and `tokens` to the pointer.
    pub(super) fn enter(&mut self, step: &str, tokens: &[&str]) -> Before {
        let before = Before { words: self.words.len(), pointer: self.pointer.len() };
        if !self.is_root() {
            self.words.push('.');
        }
        let end = step.char_indices().nth(LONGEST).map_or(step.len(), |(end, _)| end);
        self.words.push_str(&step[..end]);
        self.steps += 1;
        self.follow(tokens);
        before
    }

    /// Removes the last step.
    pub(super) fn leave(&mut self, before: &Before) {
        self.words.truncate(before.words);
        self.pointer.truncate(before.pointer);
        self.steps -= 1;
    }

    /// Appends tokens to the pointer only, because people need not see them; returns the previous length of the pointer, for `shorten`.
    pub(super) fn follow(&mut self, tokens: &[&str]) -> usize {
        let before = self.pointer.len();
        for token in tokens {
            push_token(&mut self.pointer, token);
        }
        before
    }

    /// Shortens the pointer to a previous length.
    pub(super) fn shorten(&mut self, length: usize) {
        self.pointer.truncate(length);
    }
}
