//! The parts of the machine: the text, the state, the open arrays and objects, and the results.
//!
//! Invariant: a position beyond the end of the text never causes a panic, and a range is cut between two characters.

use std::borrow::Cow;

use crate::json::{Json, JsonType, Member, Span};
use crate::repair::RepairRule;
use crate::shape::Text;

#[cfg(test)]
std::thread_local! {
    /// The number of bytes inspected while looking ahead. A byte that is inspected several times counts each time.
    pub(in crate::repair) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The part of the text that has arrived.
#[derive(Clone, Copy)]
pub(in crate::repair) struct Input<'t, 'a> {
    pub(in crate::repair) text: &'t str,
    /// `true` if no more text follows.
    pub(in crate::repair) last: bool,
    /// Converts a range of the text for the tree: it is borrowed, or copied if the text will be moved in memory.
    pub(in crate::repair) keep: fn(&'t str) -> Cow<'a, str>,
}

impl<'t> Input<'t, '_> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn rest_bytes(&self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    /// Returns the end of the run of bytes from `from` on for which `is` returns `true`.
    pub(super) fn end_of(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        let length = self.rest_bytes(from).iter().take_while(|byte| is(**byte)).count();
        #[cfg(test)]
        LOOKED_AT.set(LOOKED_AT.get() + length);
        from + length
    }

    /// Returns the last boundary of a character up to a position.
    pub(super) fn boundary(&self, mut at: usize) -> usize {
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Returns `true` if the text ends inside a token that may begin here, and more text may follow.
    pub(super) fn may_become(&self, at: usize, token: &str) -> bool {
        let rest = self.rest(at);
        !self.last && rest.len() < token.len() && token.starts_with(rest)
    }

    pub(super) fn char(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }
}

/// The result of one step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::repair) enum Step {
    /// The step made progress.
    Went,
    /// The text ends here, or inside the current token.
    End,
    /// Further text cannot change the result.
    Stopped,
}

/// The state of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Before the value.
    Start,
    /// Inside the marks of a code fence before the value.
    Fence { from: usize },
    /// In prose before the value.
    Prose { from: usize },
    /// Inside an object that was escaped once too often. It is read at the end of the text.
    Escaped,
    /// Before a key, or before the end of an object.
    Key,
    /// After a key.
    Colon,
    /// Before the value of a member.
    Value,
    /// Before an item or the end of an array.
    Item,
    /// In a string.
    String,
    /// After a member or an item.
    After,
    /// After an issue: text is skipped until the next comma, closing bracket or line break.
    Lost,
    /// After the value.
    Tail,
    /// In prose after the value.
    TailProse { from: usize },
    /// Parsing has ended.
    Stopped,
}

/// An array or object that is not closed yet.
#[derive(Clone, Debug)]
pub(super) enum Frame<'a> {
    Array { start: usize, items: Vec<Json<'a>> },
    Object { start: usize, members: Vec<Member<'a>>, key: Option<(Cow<'a, str>, Span)> },
}

impl Frame<'_> {
    pub(super) const fn start(&self) -> usize {
        let (Self::Array { start, .. } | Self::Object { start, .. }) = self;
        *start
    }

    pub(super) const fn closer(&self) -> u8 {
        if matches!(self, Self::Array { .. }) { b']' } else { b'}' }
    }
}

/// The part of the value that the last step has begun or completed. A stream uses it to check the value against a
/// shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repair) enum Event {
    None,
    /// A key is complete.
    Key,
    /// An array or object was opened.
    Opened(JsonType),
    /// A string was opened.
    StringBegun,
    /// A value other than an array or object is complete.
    Scalar(JsonType),
}

/// A range of the text with its replacement in strict JSON.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) rule: RepairRule,
    pub(super) after: Text,
}

/// An issue that no edit repairs.
#[derive(Clone, Debug)]
pub(in crate::repair) struct Fault {
    pub(in crate::repair) offset: usize,
    pub(in crate::repair) message: Text,
}

/// Returns `true` for white space that JSON does not allow.
pub(super) fn is_blank(next: char) -> bool {
    matches!(next, '\u{b}' | '\u{c}' | '\u{180e}' | '\u{200b}' | '\u{feff}') || !next.is_ascii() && next.is_whitespace()
}
