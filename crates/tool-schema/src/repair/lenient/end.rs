//! The end of the text: completes the value and the ledger.
//!
//! Invariant: a text with an issue is rejected, a text with an open part is incomplete, and only a complete text is clean or repaired.

use super::is_prose::Where;
use super::{Fault, Frame, Input, Machine, State};
use crate::json::{Json, Member, Node, Span};
use crate::repair::{Repair, RepairRule};

/// The result of parsing a text.
pub(in crate::repair) struct Ending<'a> {
    /// The part of the value that could be parsed; `None` if no value begins.
    pub(in crate::repair) value: Option<Json<'a>>,
    pub(in crate::repair) repairs: Vec<Repair>,
    pub(in crate::repair) faults: Vec<Fault>,
    pub(in crate::repair) kind: EndingKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repair) enum EndingKind {
    Whole,
    Incomplete,
    Rejected,
}

impl<'a> Machine<'a> {
    /// Returns the result if no more text follows. The whole text must have been parsed.
    pub(in crate::repair) fn end(mut self, input: &Input<'_, 'a>) -> Ending<'a> {
        let end = input.text.len();
        if let State::TailProse { from } = self.state {
            self.leave_prose_out(input, from, end, Where::Behind);
        }
        if self.state == State::Escaped {
            self.unescape(input);
        }
        let mut faults = std::mem::take(&mut self.faults);
        if let State::Prose { from } = self.state {
            faults.push(Fault { offset: from, message: "this text is not valid JSON".into() });
        }
        let is_rejected = !faults.is_empty();
        let open = self.left_open(input);
        let kind = match open {
            _ if is_rejected => EndingKind::Rejected,
            Some(fault) => {
                faults.push(fault);
                EndingKind::Incomplete
            }
            None => EndingKind::Whole,
        };
        let repairs = self.edits.iter().map(|edit| {
            let before = input.slice(edit.span.start as usize, edit.span.end as usize);
            Repair::of_text(edit.rule, edit.span, before, edit.after.clone())
        });
        let repairs = repairs.collect();
        Ending { value: self.close_all(input, None), repairs, faults, kind }
    }

    /// Reads an object that was escaped once too often. It must be strict JSON once the escapes are undone.
    fn unescape(&mut self, input: &Input<'_, 'a>) {
        let from = self.frames.pop().map_or(0, |frame| frame.start());
        let text = input.slice(from, input.text.len()).trim_end();
        let to = from + text.len();
        let inner =
            Json::parse(&["\"", text, "\""].concat()).ok().and_then(|quoted| quoted.as_str().map(str::to_owned));
        let value = inner.as_deref().and_then(|inner| Json::parse(inner).ok()).map(Json::into_owned);
        match (value, inner) {
            (Some(value), Some(inner)) => {
                // The blanks in it were escaped too.
                self.edits.retain(|edit| edit.span.end as usize <= from);
                self.edit(from, to, RepairRule::Stringified, inner);
                self.root = Some(Json { node: value.node, span: Span::new(from, to) });
            }
            _ => self.fault(from, "the quotes are escaped, but without these escapes the text is not JSON either"),
        }
    }

    /// Returns an issue at the beginning of the innermost part that is still open; `None` if nothing is open.
    fn left_open(&self, input: &Input<'_, 'a>) -> Option<Fault> {
        let fault = |offset, message: &'static str| Some(Fault { offset, message: message.into() });
        if let Some(draft) = &self.string {
            return fault(draft.start, "the string that begins here is not closed");
        }
        if self.open.is_some() {
            return self.open.clone();
        }
        match (self.frames.last(), &self.root) {
            (Some(Frame::Array { start, .. }), _) => fault(*start, "the array that begins here is not closed"),
            (Some(Frame::Object { start, .. }), _) => fault(*start, "the object that begins here is not closed"),
            (None, None) => fault(input.text.len(), "the text ends before a value begins"),
            (None, Some(_)) => None,
        }
    }

    /// Closes all open parts and returns the tree. A key without a value is removed, unless there is a value to fill in.
    pub(in crate::repair) fn close_all(mut self, input: &Input<'_, 'a>, filling: Option<Node<'a>>) -> Option<Json<'a>> {
        let end = input.text.len();
        let mut inner = match self.string.take() {
            Some(mut draft) if !draft.is_key => {
                let text = draft.text(input, self.at);
                Some(Json { node: Node::String(text), span: Span::new(draft.start, end) })
            }
            _ => filling.map(Json::from_node),
        };
        while let Some(frame) = self.frames.pop() {
            let (node, start) = match frame {
                Frame::Array { start, mut items } => {
                    items.extend(inner);
                    (Node::Array(items), start)
                }
                Frame::Object { start, mut members, key } => {
                    if let (Some((key, key_span)), Some(value)) = (key, inner) {
                        members.push(Member { key, key_span, value });
                    }
                    (Node::Object(members), start)
                }
            };
            inner = Some(Json { node, span: Span::new(start, end) });
        }
        inner.or(self.root)
    }
}
