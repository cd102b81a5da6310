//! The unparsed rest of a pattern, and the error for a rejected pattern.

/// The reason why a pattern is rejected, with the text to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub(crate) message: String,
}

impl PatternError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// Creates an error such as "`\A` is not an escape of ECMA-262: write `^`".
    pub(super) fn instead(fault: &str, reason: &str, replacement: &str) -> Self {
        Self::new(format!("`{fault}` {reason}: write `{replacement}`"))
    }
}

/// The part of a pattern that is not parsed yet.
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

    /// Consumes the text before `end`, and `end` itself, if `sound` accepts the text. Returns the text without `end`.
    pub(super) fn take_before(&mut self, end: &str, sound: impl Fn(&str) -> bool) -> Option<&'p str> {
        let (between, rest) = self.rest.split_once(end).filter(|(between, _)| sound(between))?;
        self.rest = rest;
        Some(between)
    }
}

/// Appends one character as a literal, inside or outside a class.
pub(super) fn push_literal(pattern: &mut String, character: char) {
    if regex_syntax::is_meta_character(character) {
        pattern.push('\\');
    }
    pattern.push(character);
}
