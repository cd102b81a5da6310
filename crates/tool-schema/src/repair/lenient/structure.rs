//! Brackets, keys, colons and commas.
//!
//! These are repaired: a superfluous or missing comma, a forgotten or mismatched bracket, and a key without quotes. A comma is only
//! inserted between two separated values, because a quote inside a string looks like the end of the string: `"say "hi" twice"`.

use std::borrow::Cow;

use super::open_string::Quote;
use super::white_space::{LEFT_OUT, Next};
use super::{Event, Frame, Input, Machine, State, Step};
use crate::json::{DEPTH_LIMIT, JsonType, Node, Span};
use crate::repair::RepairRule;

impl<'a> Machine<'a> {
    pub(super) fn key(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        match byte {
            b'}' | b']' => self.close(byte),
            b',' => self.extra_comma(),
            b'.' | 0xe2 if self.is_ellipsis(input) => self.ellipsis(input),
            b'\\' if self.is_escaped(input) => {
                self.state = State::Escaped;
                Step::Went
            }
            _ => match Quote::opening(input, self.at) {
                Some(quote) => self.begin_string(quote, true),
                None => self.bare_key(input),
            },
        }
    }

    /// Returns `true` if the first key of the value has escaped quotes, so that the text can only have been escaped once too often.
    fn is_escaped(&self, input: &Input<'_, 'a>) -> bool {
        matches!(self.frames.as_slice(), [Frame::Object { members, .. }] if members.is_empty())
            && input.byte(self.at + 1) == Some(b'"')
    }

    /// Skips the rest of the text.
    pub(super) fn skip(&mut self, input: &Input<'_, 'a>) -> Step {
        self.at = input.text.len();
        Step::End
    }

    fn bare_key(&mut self, input: &Input<'_, 'a>) -> Step {
        let Some(end) = self.word_end(input) else { return Step::End };
        if end == self.at {
            return self.lose(self.at, "expected a key in double quotes or `}`");
        }
        let key = input.slice(self.at, end);
        let mut quoted = String::with_capacity(key.len() + 2);
        quoted.extend(["\"", key, "\""]);
        self.edit(self.at, end, RepairRule::UnquotedKey, quoted);
        let span = Span::new(self.at, end);
        self.at = end;
        self.put_key((input.keep)(key), span);
        Step::Went
    }

    pub(super) fn put_key(&mut self, name: Cow<'a, str>, span: Span) {
        if let Some(Frame::Object { key, .. }) = self.frames.last_mut() {
            *key = Some((name, span));
        }
        self.comma = None;
        self.in_place_of_more = None;
        self.event = Event::Key;
        self.state = State::Colon;
    }

    pub(super) fn colon(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        if byte != b':' {
            return self.lose(self.at, "expected `:` after the key");
        }
        self.at += 1;
        self.state = State::Value;
        Step::Went
    }

    pub(super) fn value(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        match byte {
            b',' | b'}' | b']' => self.lose(self.at, "expected a value after the colon"),
            _ => self.any_value(input, byte),
        }
    }

    pub(super) fn item(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        match byte {
            b'}' | b']' => self.close(byte),
            b',' => self.extra_comma(),
            _ => self.any_value(input, byte),
        }
    }

    /// Parses a value that begins here.
    pub(super) fn any_value(&mut self, input: &Input<'_, 'a>, byte: u8) -> Step {
        match byte {
            b'{' | b'[' => self.open(byte),
            b'"' => self.begin_string(Quote::Double, false),
            b'.' | 0xe2 if self.is_ellipsis(input) => self.ellipsis(input),
            _ => match Quote::opening(input, self.at) {
                Some(quote) => self.begin_string(quote, false),
                None => self.scalar(input),
            },
        }
    }

    pub(super) fn open(&mut self, bracket: u8) -> Step {
        if self.frames.len() == DEPTH_LIMIT {
            return self.stop(self.at, format!("nested more than {DEPTH_LIMIT} levels deep"));
        }
        let start = self.at;
        self.at += 1;
        self.comma = None;
        self.in_place_of_more = None;
        if bracket == b'{' {
            self.frames.push(Frame::Object { start, members: Vec::new(), key: None });
            self.event = Event::Opened(JsonType::Object);
            self.state = State::Key;
        } else {
            self.frames.push(Frame::Array { start, items: Vec::new() });
            self.event = Event::Opened(JsonType::Array);
            self.state = State::Item;
        }
        Step::Went
    }

    pub(super) fn after(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        let in_object = matches!(self.frames.last(), Some(Frame::Object { .. }));
        match byte {
            b',' => {
                self.comma = Some(self.at);
                self.at += 1;
                self.state = if in_object { State::Key } else { State::Item };
                Step::Went
            }
            b'}' | b']' => self.close(byte),
            b'.' | 0xe2 if self.is_ellipsis(input) => self.ellipsis(input),
            _ if self.begins_another(input, byte, in_object) => {
                self.edit(self.at, self.at, RepairRule::Comma, ",");
                self.state = if in_object { State::Key } else { State::Item };
                Step::Went
            }
            _ => {
                self.forget_adjacent();
                self.lose(self.at, if in_object { "expected `,` or `}`" } else { "expected `,` or `]`" })
            }
        }
    }

    /// Removes the last value if an issue follows it directly, because the model meant more than this value: `1/6` is not 1.
    fn forget_adjacent(&mut self) {
        if self.value_end < self.at {
            return;
        }
        match self.frames.last_mut() {
            Some(Frame::Object { members, .. }) => drop(members.pop()),
            Some(Frame::Array { items, .. }) => drop(items.pop()),
            None => {}
        }
    }

    /// Returns `true` if the next member or item begins here, and only the comma is missing.
    fn begins_another(&self, input: &Input<'_, 'a>, byte: u8, in_object: bool) -> bool {
        let previous = self.value_end.checked_sub(1).and_then(|at| input.byte(at));
        let is_opener = matches!(byte, b'{' | b'[');
        let is_apart = self.value_end < self.at || is_opener && matches!(previous, Some(b'}' | b']'));
        let begins = match byte {
            b'{' | b'[' => !in_object,
            // `1 -5` may be a difference.
            b'-' => {
                let is_behind_number = previous.is_some_and(|byte| byte.is_ascii_digit());
                !in_object && (!is_behind_number || input.slice(self.value_end, self.at).contains(['\n', '\r']))
            }
            b'"' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => true,
            _ => Quote::opening(input, self.at).is_some(),
        };
        is_apart && begins
    }

    fn extra_comma(&mut self) -> Step {
        self.edit(self.at, self.at + 1, RepairRule::Comma, "");
        self.at += 1;
        Step::Went
    }

    /// Handles a closing bracket. It closes the innermost array or object that it fits, and everything that is still open inside it.
    pub(super) fn close(&mut self, bracket: u8) -> Step {
        if let Some(comment) = self.in_place_of_more.take() {
            self.leave_open(comment, "a comment stands here where another item or member may be meant");
        }
        if let Some(comma) = self.comma.take() {
            self.drop_comma(comma);
        }
        let at = self.at;
        let Some(fitting) = self.frames.iter().rposition(|frame| frame.closer() == bracket) else {
            // The bracket does not match any open bracket, so it can only be meant for the innermost one.
            let closer = self.frames.last().map_or(bracket, Frame::closer);
            self.edit(at, at + 1, RepairRule::Bracket, if closer == b']' { "]" } else { "}" });
            self.at += 1;
            return self.pop();
        };
        while self.frames.len() > fitting + 1 {
            let closer = self.frames.last().map_or(bracket, Frame::closer);
            self.edit(at, at, RepairRule::Bracket, if closer == b']' { "]" } else { "}" });
            self.pop();
        }
        self.at += 1;
        self.pop()
    }

    /// Removes the comma before a closing bracket. The edit is inserted before the edits of comments between the comma and the bracket.
    fn drop_comma(&mut self, comma: usize) {
        self.edit(comma, comma + 1, RepairRule::Comma, "");
        let Some(mut index) = self.edits.len().checked_sub(1) else { return };
        while index > 0 && self.edits[index].span.start < self.edits[index - 1].span.start {
            self.edits.swap(index, index - 1);
            index -= 1;
        }
    }

    fn pop(&mut self) -> Step {
        let (node, start) = match self.frames.pop() {
            Some(Frame::Array { start, items }) => (Node::Array(exact(items)), start),
            Some(Frame::Object { start, members, .. }) => (Node::Object(exact(members)), start),
            None => return self.stop(self.at, "nothing is open here"),
        };
        self.put(node, start);
        Step::Went
    }

    /// Returns `true` for `...` or `…` in place of a member or an item, which means that something was left out.
    fn is_ellipsis(&self, input: &Input<'_, 'a>) -> bool {
        let rest = input.rest(self.at);
        rest.starts_with("...") || rest.starts_with('…') || !input.last && matches!(rest, "." | "..")
    }

    fn ellipsis(&mut self, input: &Input<'_, 'a>) -> Step {
        let from = self.scanned.max(self.at);
        let end = from + input.rest(from).find(|dot| !matches!(dot, '.' | '…')).unwrap_or(input.rest(from).len());
        if end == input.text.len() && !input.last {
            self.scanned = end;
            return Step::End;
        }
        self.leave_open(self.at, LEFT_OUT);
        self.edit(self.at, end, RepairRule::SurroundingText, "");
        self.at = end;
        if self.state == State::Value {
            self.forget_key();
            self.state = State::After;
        }
        Step::Went
    }

    fn forget_key(&mut self) {
        if let Some(Frame::Object { key, .. }) = self.frames.last_mut() {
            *key = None;
        }
    }

    /// Records an issue and continues after it, to find further issues and the rest of the value.
    pub(super) fn lose(&mut self, offset: usize, message: &'static str) -> Step {
        self.fault(offset, message);
        self.forget_key();
        self.state = State::Lost;
        Step::Went
    }

    pub(super) fn lost(&mut self, input: &Input<'_, 'a>) -> Step {
        let rest = input.rest(self.at);
        let end = rest.bytes().position(|byte| matches!(byte, b',' | b'}' | b']' | b'\n'));
        self.at += end.unwrap_or(rest.len());
        self.value_end = self.at;
        if end.is_none() {
            return Step::End;
        }
        self.state = State::After;
        Step::Went
    }
}

/// Returns a complete list without its spare capacity, because the memory of a rejected call must be bounded.
fn exact<T>(mut list: Vec<T>) -> Vec<T> {
    if list.len() > SHORT {
        list.shrink_to_fit();
    }
    list
}

/// The length up to which the spare capacity of a list does not matter.
const SHORT: usize = 64;
