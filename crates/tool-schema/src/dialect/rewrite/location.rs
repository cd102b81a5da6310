//! The location of the schema that is being written: [`Location`], in words for people and as a JSON pointer.
//!
//! Both are one text each, which grows and shrinks with the steps, because a step for each property must cost nothing.

use super::super::note::push_token;

/// The longest step in words, in characters.
const LONGEST: usize = 64;

/// A location in the document.
#[derive(Default)]
pub(super) struct Location {
    words: String,
    pointer: String,
    steps: usize,
}

/// The location before a step.
pub(super) struct Before {
    words: usize,
    pointer: usize,
}

impl Location {
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

    /// Replaces the pointer, where a definition is written in the place of a reference, and returns the old one.
    pub(super) fn replace_pointer(&mut self, pointer: String) -> String {
        std::mem::replace(&mut self.pointer, pointer)
    }

    /// Goes a step further: to a part in words, and by the tokens of a pointer.
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

    /// Goes back by a step.
    pub(super) fn leave(&mut self, before: &Before) {
        self.words.truncate(before.words);
        self.pointer.truncate(before.pointer);
        self.steps -= 1;
    }

    /// Follows tokens that people need not see, and returns the length of the pointer before, for `shorten`.
    pub(super) fn follow(&mut self, tokens: &[&str]) -> usize {
        let before = self.pointer.len();
        for token in tokens {
            push_token(&mut self.pointer, token);
        }
        before
    }

    /// Shortens the pointer again.
    pub(super) fn shorten(&mut self, length: usize) {
        self.pointer.truncate(length);
    }
}
