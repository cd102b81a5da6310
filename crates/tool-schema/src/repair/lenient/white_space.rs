//! White space and comments between two tokens.
//!
//! JSON's own white space is skipped; other white space and comments are removed by an edit. Outside of a string, a backslash has no meaning
//! but that of white space that was escaped once too often: `{\n  "city": "Paris"\n}`.

use super::is_prose::{Prose, Where, judge};
use super::machine::is_blank;
use super::open_string::TOKEN;
use super::{Frame, Input, Machine, State};
use crate::json::Node;
use crate::repair::RepairRule;

/// The error message for a comment that may be a part of the value.
const MAY_BE_A_VALUE: &str = "what is written as a comment here may belong to the value";
pub(super) const LEFT_OUT: &str = "something was left out here";

/// The next token after white space.
pub(super) enum Next {
    Byte(u8),
    /// The text ends, possibly inside a comment.
    End,
}

impl<'a> Machine<'a> {
    /// Skips white space and comments.
    #[inline]
    pub(super) fn blanks(&mut self, input: &Input<'_, 'a>) -> Next {
        loop {
            let Some(byte) = input.byte(self.at) else { return Next::End };
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b'/' | b'#' | b'\\' | b'<' | 0x0b | 0x0c | 0x80.. => match self.unusual_blank(input, byte) {
                    Some(true) => {}
                    Some(false) => return Next::Byte(byte),
                    None => return Next::End,
                },
                _ => return Next::Byte(byte),
            }
        }
    }

    /// Removes white space or a comment at the current position. Returns `true` if there was any, and `None` if the text ends before that
    /// is certain.
    fn unusual_blank(&mut self, input: &Input<'_, 'a>, byte: u8) -> Option<bool> {
        match byte {
            b'#' => self.line_comment(input),
            b'/' => match input.byte(self.at + 1) {
                Some(b'/') => self.line_comment(input),
                Some(b'*') => self.block_comment(input),
                None if !input.last => None,
                _ => Some(false),
            },
            b'\\' => match input.byte(self.at + 1) {
                Some(b'n' | b'r' | b't') => {
                    self.edit(self.at, self.at + 2, RepairRule::WhiteSpace, "");
                    self.at += 2;
                    Some(true)
                }
                None if !input.last => None,
                _ => Some(false),
            },
            b'<' => (!input.may_become(self.at, TOKEN)).then_some(false),
            _ => {
                let Some(blank) = input.char(self.at).filter(|&next| is_blank(next)) else { return Some(false) };
                let rule = if self.at == 0 && blank == '\u{feff}' {
                    RepairRule::ByteOrderMark
                } else {
                    RepairRule::WhiteSpace
                };
                let end = self.at + blank.len_utf8();
                self.edit(self.at, end, rule, "");
                self.at = end;
                Some(true)
            }
        }
    }

    fn line_comment(&mut self, input: &Input<'_, 'a>) -> Option<bool> {
        let from = self.scanned.max(self.at);
        let length = input.rest(from).find(['\n', '\r']);
        if length.is_none() && !input.last {
            self.scanned = input.text.len();
            return None;
        }
        let end = length.map_or(input.text.len(), |length| from + length);
        let marks = input.rest_bytes(self.at).iter().take_while(|byte| matches!(byte, b'/' | b'#')).count();
        let text = input.slice(self.at + marks, end);
        let is_about_the_member = !self.has_line_break(input) && self.is_last_member_first_in_line(input);
        let is_attached = self.is_attached(input, text);
        self.comment(input, text, end, is_attached, is_about_the_member);
        Some(true)
    }

    fn block_comment(&mut self, input: &Input<'_, 'a>) -> Option<bool> {
        let from = self.scanned.max(self.at + 2);
        let end = input.rest(from).find("*/").map(|length| from + length + 2);
        if end.is_none() {
            // The last byte may be the star of `*/`.
            self.scanned = input.boundary(input.text.len().saturating_sub(1)).max(self.at + 2);
            if !input.last {
                return None;
            }
            self.leave_open(self.at, "the comment that begins here is not closed");
        }
        let end = end.unwrap_or(input.text.len());
        let text = input.slice(self.at + 2, end);
        self.comment(input, text.strip_suffix("*/").unwrap_or(text), end, false, false);
        Some(true)
    }

    /// Removes a comment. If the comment may be a part of the value, or may stand for parts that the model left out, the value counts as
    /// incomplete.
    fn comment(&mut self, input: &Input<'_, 'a>, text: &str, end: usize, is_attached: bool, is_about_the_member: bool) {
        let place = if self.is_between_members() { Where::Members } else { Where::Comment };
        match judge(text, place) {
            _ if is_attached => self.leave_open(self.at, MAY_BE_A_VALUE),
            Prose::Plain => {}
            Prose::Value(_) => self.leave_open(self.at, MAY_BE_A_VALUE),
            Prose::Cut => self.leave_open(self.at, LEFT_OUT),
        }
        let stands_for_more = match self.state {
            State::Key | State::Item => !is_about_the_member,
            State::After => self.has_line_break(input),
            _ => false,
        };
        if stands_for_more {
            self.in_place_of_more = self.in_place_of_more.or(Some(self.at));
        }
        self.edit(self.at, end, RepairRule::Comment, "");
        self.at = end;
    }

    /// Returns `true` if the mark of a comment may be the beginning of a value: `#rust`, `#ff0000`, `//host/path`.
    fn is_attached(&self, input: &Input<'_, 'a>, text: &str) -> bool {
        let word = text.split([' ', '\t', ',']).next().unwrap_or_default().trim_end_matches('.');
        let is_value = if input.byte(self.at) == Some(b'#') { !word.is_empty() } else { word.contains(['/', '.']) };
        let is_path = input.byte(self.at) == Some(b'/') && matches!(self.state, State::After);
        // In `[7 // n, m`, the comment may be a divisor with another item after it.
        let is_item = matches!((self.state, self.frames.last()), (State::After, Some(Frame::Array { .. })));
        let has_more = is_item && text.contains([',', '，', '、']);
        has_more || is_value && (is_path || matches!(self.state, State::Key | State::Item | State::Value))
    }

    /// Returns `true` if a comment is between the members of an object, and a number in it can neither count the items of a preceding array
    /// nor be a divisor: `7 // 2`.
    fn is_between_members(&self) -> bool {
        let Some(Frame::Object { members, .. }) = self.frames.last() else { return false };
        let before = members.last().map(|member| &member.value.node);
        match (self.state, before) {
            (State::Key | State::After, Some(Node::Array(_) | Node::Object(_)))
            | (State::After, Some(Node::Number(_))) => false,
            (state, _) => matches!(state, State::Key | State::After),
        }
    }

    /// Returns `true` if there is a line break between the last complete value and here. No part of the text is searched twice, whatever
    /// the number of comments.
    fn has_line_break(&mut self, input: &Input<'_, 'a>) -> bool {
        let (value_end, searched, found) = self.line;
        let (from, found) = if value_end == self.value_end { (searched, found) } else { (self.value_end, false) };
        let found = found || input.slice(from, self.at).contains(['\n', '\r']);
        self.line = (self.value_end, self.at, found);
        found
    }

    /// Returns `true` if the last item or member is the first in its line, so that a comment at the end of the line can only describe it.
    fn is_last_member_first_in_line(&self, input: &Input<'_, 'a>) -> bool {
        let start = match self.frames.last() {
            Some(Frame::Array { items, .. }) => items.last().map(|item| item.span.start),
            Some(Frame::Object { members, .. }) => members.last().map(|member| member.key_span.start),
            None => None,
        };
        start.is_some_and(|start| input.slice(0, start as usize).trim_end_matches([' ', '\t']).ends_with(['\n', '\r']))
    }
}
