//! Parses broken JSON; the parts whose meaning is not certain are reported as issues.
//!
//! The results are the tree, the edits that turn the text into strict JSON, and the issues that no edit repairs. The parser is a state
//! machine with its own stack. It stops at the end of the text and continues when more text arrives, so that a complete text and a stream
//! use the same code. Invariant: the work is linear in the text, there is no recursion, nesting is limited to
//! [`DEPTH_LIMIT`](crate::json::DEPTH_LIMIT), and an open part is never treated as complete.

mod end;
mod is_prose;
mod machine;
mod open_string;
mod scalar;
mod state;
mod string;
mod structure;
mod surroundings;
mod white_space;

use crate::json::{Json, Member, Node, Span};
use crate::repair::RepairRule;
use crate::shape::Text;

pub(super) use end::{Ending, EndingKind};
#[cfg(test)]
pub(super) use machine::LOOKED_AT;
use machine::{Edit, Frame, State};
pub(super) use machine::{Event, Fault, Input, Step};
use open_string::Draft;

/// The maximum number of issues reported; later ones usually follow from the first.
const MOST_FAULTS: usize = 16;

/// The maximum number of edits in a short text. It is limited, because each edit is kept for the ledger.
const MOST_EDITS: usize = 4_096;
/// One more edit is allowed per this many bytes of text.
const BYTES_AN_EDIT: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Machine<'a> {
    at: usize,
    /// The end of the part of the current token that was already inspected, if the text ended inside the token.
    scanned: usize,
    state: State,
    frames: Vec<Frame<'a>>,
    root: Option<Json<'a>>,
    string: Option<Draft>,
    /// The position of a comma that no item or member has followed yet.
    comma: Option<usize>,
    /// The end of the last complete value.
    value_end: usize,
    /// `true` if any text was skipped between the value and `at`.
    apart: bool,
    /// The first open part other than a bracket or string: a word or comment that was cut off, or an ellipsis.
    open: Option<Fault>,
    /// The position of a comment that follows the last item or member and may stand for further ones.
    in_place_of_more: Option<usize>,
    /// The result of the last search for a line break after a value: the end of that value, the end of the searched text, and `true` if a
    /// line break was found.
    line: (usize, usize, bool),
    edits: Vec<Edit>,
    has_too_many_edits: bool,
    faults: Vec<Fault>,
    event: Event,
    /// The number of bytes inspected. A test checks that it is linear in the length of the text.
    #[cfg(test)]
    pub(super) looked_at: usize,
}

impl<'a> Machine<'a> {
    pub(super) const fn new() -> Self {
        Self {
            at: 0,
            scanned: 0,
            state: State::Start,
            frames: Vec::new(),
            root: None,
            string: None,
            comma: None,
            value_end: 0,
            apart: false,
            open: None,
            in_place_of_more: None,
            line: (0, 0, false),
            edits: Vec::new(),
            has_too_many_edits: false,
            faults: Vec::new(),
            event: Event::None,
            #[cfg(test)]
            looked_at: 0,
        }
    }

    /// Parses the next token or piece of text.
    pub(super) fn step(&mut self, input: &Input<'_, 'a>) -> Step {
        self.event = Event::None;
        #[cfg(test)]
        let (before, scanned) = (self.at, self.scanned);
        let step = match self.state {
            State::Start => self.start(input),
            State::Fence { from } => self.fence(input, from),
            State::Prose { from } => self.prose(input, from),
            State::Escaped => self.skip(input),
            State::Key => self.key(input),
            State::Colon => self.colon(input),
            State::Value => self.value(input),
            State::Item => self.item(input),
            State::String => self.string(input),
            State::After => self.after(input),
            State::Lost => self.lost(input),
            State::Tail => self.tail(input),
            State::TailProse { .. } => self.tail_prose(input),
            State::Stopped => Step::Stopped,
        };
        let step = if self.has_too_many_edits && step != Step::Stopped {
            self.stop(self.at, "the text would have to be changed in too many places")
        } else {
            step
        };
        #[cfg(test)]
        {
            self.looked_at += 1 + self.at.max(self.scanned) - before.max(scanned);
        }
        step
    }

    /// Parses until the text ends or parsing stops.
    pub(super) fn run(&mut self, input: &Input<'_, 'a>) -> Step {
        loop {
            match self.step(input) {
                Step::Went => {}
                end => return end,
            }
        }
    }

    /// Stops parsing for a reason outside of the text.
    pub(super) fn reject(&mut self, offset: usize, message: &'static str) {
        self.stop(offset, message);
    }

    /// Records that a range is replaced by `after`. Adjacent ranges that are removed for the same reason become one edit.
    fn edit(&mut self, from: usize, to: usize, rule: RepairRule, after: impl Into<Text>) {
        let (span, after) = (Span::new(from, to), after.into());
        if let Some(last) = self.edits.last_mut()
            && last.rule == rule
            && last.span.end == span.start
            && last.after.is_empty()
            && after.is_empty()
        {
            last.span.end = span.end;
            return;
        }
        self.has_too_many_edits |= self.edits.len() >= MOST_EDITS + to / BYTES_AN_EDIT;
        if !self.has_too_many_edits {
            self.edits.push(Edit { span, rule, after });
        }
    }

    fn fault(&mut self, offset: usize, message: impl Into<Text>) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault { offset, message: message.into() });
        }
    }

    /// Records an issue that ends parsing.
    fn stop(&mut self, offset: usize, message: impl Into<Text>) -> Step {
        self.fault(offset, message);
        self.state = State::Stopped;
        Step::Stopped
    }

    fn leave_open(&mut self, offset: usize, message: &'static str) {
        if self.open.is_none() {
            self.open = Some(Fault { offset, message: message.into() });
        }
    }

    /// Stores a complete value: as an item, as the value of the current key, or as the document.
    fn put(&mut self, node: Node<'a>, start: usize) {
        let json = Json { node, span: Span::new(start, self.at) };
        self.value_end = self.at;
        self.comma = None;
        self.in_place_of_more = None;
        self.state = State::After;
        match self.frames.last_mut() {
            None => {
                self.root = Some(json);
                self.state = State::Tail;
            }
            Some(Frame::Array { items, .. }) => items.push(json),
            Some(Frame::Object { members, key, .. }) => {
                if let Some((key, key_span)) = key.take() {
                    members.push(Member { key, key_span, value: json });
                }
            }
        }
    }
}
