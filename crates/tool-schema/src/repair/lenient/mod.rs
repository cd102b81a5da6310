//! Broken JSON, read as far as it is certain what was meant.
//!
//! In comes text, at once or in pieces; out goes the tree, the edits that make strict JSON of the text, and the faults that no edit
//! mends. One machine with a stack of its own: it stops wherever the text ends and goes on when there is more, so that reading at once and
//! reading a stream are the same code. What always holds: the work is linear in the text, nothing recurses, nesting ends at
//! [`DEPTH_LIMIT`](crate::json::DEPTH_LIMIT), and what is not closed is never taken for complete.

mod around;
mod ask;
mod blank;
mod draft;
mod end;
mod parts;
mod prose;
mod scalar;
mod string;
mod structure;

use crate::json::{Json, Member, Node, Span};
use crate::repair::RepairRule;
use crate::shape::Text;

use draft::Draft;
pub(super) use end::{Ending, EndingKind};
#[cfg(test)]
pub(super) use parts::LOOKED_AT;
use parts::{Edit, Frame, State};
pub(super) use parts::{Event, Fault, Input, Step};

/// The most faults that are told: the later ones are mostly echoes of the first.
const MOST_FAULTS: usize = 16;

/// How many changes a text may need, and how many bytes of it allow another one: each is kept for the ledger.
const MOST_EDITS: usize = 4_096;
const BYTES_AN_EDIT: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Machine<'a> {
    at: usize,
    /// As far as the token at `at` was looked at when the text ended.
    scanned: usize,
    state: State,
    frames: Vec<Frame<'a>>,
    root: Option<Json<'a>>,
    string: Option<Draft>,
    /// A comma after which nothing has come yet.
    comma: Option<usize>,
    /// The end of the last complete value.
    value_end: usize,
    /// Whether something other than the value's own text stands between it and here; only behind the value.
    apart: bool,
    /// Where something is left open besides brackets and strings: a cut word, a comment, an ellipsis.
    open: Option<Fault>,
    /// A comment behind the last item or member that may stand for more of them.
    in_place_of_more: Option<usize>,
    /// The end of the last complete value, how far the text behind it was searched for a line break, and whether there is one.
    line: (usize, usize, bool),
    edits: Vec<Edit>,
    has_too_many_edits: bool,
    faults: Vec<Fault>,
    event: Event,
    /// How many bytes were looked at, so that a test can say that they are linear in the text.
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

    /// Reads the next piece, whatever it is.
    pub(super) fn step(&mut self, input: &Input<'_, 'a>) -> Step {
        self.event = Event::None;
        #[cfg(test)]
        let (before, scanned) = (self.at, self.scanned);
        let step = match self.state {
            State::Start => self.start(input),
            State::Fence { from } => self.fence(input, from),
            State::Prose { from } => self.prose(input, from),
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

    /// Reads all there is.
    pub(super) fn run(&mut self, input: &Input<'_, 'a>) -> Step {
        loop {
            match self.step(input) {
                Step::Went => {}
                end => return end,
            }
        }
    }

    /// Reads no further, for a reason that is not in the text.
    pub(super) fn refuse(&mut self, offset: usize, message: &'static str) {
        self.stop(offset, message);
    }

    /// Says that a stretch is read as something else; stretches that are left out side by side are one.
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

    /// A fault after which nothing is read.
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

    /// A value is complete: it becomes an item, the value of the pending key, or the document.
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
