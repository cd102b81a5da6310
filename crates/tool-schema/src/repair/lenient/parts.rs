//! What the machine is made of: the text, where in it the machine is, what is open, and what it has found.
//!
//! In: a text, and whether more will come. Out: stretches of it that are there. What always holds: a look beyond the end of the text finds
//! nothing, and a cut falls between two characters.

use std::borrow::Cow;

use crate::json::{Json, JsonType, Member, Span};
use crate::repair::RepairRule;
use crate::shape::Text;

#[cfg(test)]
std::thread_local! {
    /// How many bytes were looked at in rows, however often.
    pub(in crate::repair) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The text so far.
#[derive(Clone, Copy)]
pub(in crate::repair) struct Input<'t, 'a> {
    pub(in crate::repair) text: &'t str,
    /// Whether no more will come.
    pub(in crate::repair) last: bool,
    /// How a stretch of the text gets into the tree: borrowed, or copied where the text will move.
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

    /// Where a row of bytes of one kind ends.
    pub(super) fn end_of(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        let length = self.rest_bytes(from).iter().take_while(|byte| is(**byte)).count();
        #[cfg(test)]
        LOOKED_AT.set(LOOKED_AT.get() + length);
        from + length
    }

    pub(super) fn char(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }
}

/// What one step came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::repair) enum Step {
    /// Something was read.
    Went,
    /// The text ends here, or inside what stands here.
    End,
    /// Nothing that could follow would help.
    Stopped,
}

/// Where the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Before the value.
    Start,
    /// In the marks of a code fence before the value.
    Fence { from: usize },
    /// In prose before the value.
    Prose { from: usize },
    /// Before a key or the end of an object.
    Key,
    /// Behind a key.
    Colon,
    /// Before the value of a member.
    Value,
    /// Before an item or the end of an array.
    Item,
    /// In a string.
    String,
    /// Behind a member or an item.
    After,
    /// Behind a fault, looking for where it is clear again.
    Lost,
    /// Behind the value.
    Tail,
    /// In prose behind the value.
    TailProse { from: usize },
    /// No more is read.
    Stopped,
}

/// An array or object that is not closed yet.
#[derive(Clone, Debug)]
pub(super) enum Frame<'a> {
    Array { start: usize, items: Vec<Json<'a>> },
    Object { start: usize, members: Vec<Member<'a>>, key: Option<(Cow<'a, str>, Span)> },
}

impl Frame<'_> {
    pub(super) const fn closer(&self) -> u8 {
        if matches!(self, Self::Array { .. }) { b']' } else { b'}' }
    }
}

/// What the last step brought to light, for whoever holds the text against a shape as it comes.
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

/// A stretch of the text and what stands there in strict JSON.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) rule: RepairRule,
    pub(super) after: Text,
}

/// Something that no edit mends.
#[derive(Clone, Debug)]
pub(in crate::repair) struct Fault {
    pub(in crate::repair) offset: usize,
    pub(in crate::repair) message: Text,
}
