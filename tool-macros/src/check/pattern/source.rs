//! The text of a pattern while it is read, and the error about it.

/// Why a pattern is refused, with the text to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub(crate) message: String,
}

impl PatternError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// "`\A` is not an escape of ECMA-262: write `^`"
    pub(super) fn instead(fault: &str, reason: &str, replacement: &str) -> Self {
        Self::new(format!("`{fault}` {reason}: write `{replacement}`"))
    }
}

/// The part of a pattern that has not been read yet.
pub(super) struct Source<'p> {
    pub(super) rest: &'p str,
}

impl<'p> Source<'p> {
    pub(super) const fn new(pattern: &'p str) -> Self {
        Self { rest: pattern }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    pub(super) fn take(&mut self, expected: &str) -> bool {
        let behind = self.rest.strip_prefix(expected);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    /// What stands before `end`, if it is `sound`; both are taken.
    pub(super) fn take_before(&mut self, end: &str, sound: impl Fn(&str) -> bool) -> Option<&'p str> {
        let (between, rest) = self.rest.split_once(end).filter(|(between, _)| sound(between))?;
        self.rest = rest;
        Some(between)
    }
}

/// One character that stands for itself, outside a class or in one.
pub(super) fn push_literal(pattern: &mut String, character: char) {
    if regex_syntax::is_meta_character(character) {
        pattern.push('\\');
    }
    pattern.push(character);
}
