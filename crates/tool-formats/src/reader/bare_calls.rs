//! Answers that consist only of calls: calls without marks, and calls in a fence.
//!
//! Invariant: if the answer contains anything else except reasoning, it has no such call.

use std::sync::Arc;

use super::{CallReader, LONGEST_CALL, ReaderState};
use crate::call_body_parser::read_body;
use crate::can_call_begin::Fence;
use crate::format::Body;
use crate::parsed_answer::AnswerPart;
use crate::value_end::{LONGEST_NAME, Scan, WHITE_SPACE};

/// The languages of a fence around calls.
const LANGUAGES: [&str; 10] =
    ["", "json", "json5", "jsonc", "xml", "python", "tool_call", "tool_calls", "tool_code", "function_call"];

impl CallReader<'_> {
    /// Returns `true` if the answer begins as one that consists only of calls without marks, or of a fence; `None` if more text is necessary.
    pub(super) fn begins_bare(&mut self, is_last: bool) -> Option<bool> {
        let text = self.rest(self.head);
        let has = |body| self.formats.iter().any(|format| format.is_bare(body));
        let unknown = if is_last { Some(false) } else { None };
        let bare = match text.chars().next() {
            None => return unknown,
            Some('{') => has(Body::Object).then_some(Body::Object),
            Some('[') => {
                let inner = text.get(1..).unwrap_or_default();
                let name = inner.trim_start();
                let rest = name.trim_start_matches(|char: char| char.is_alphanumeric() || "_.-".contains(char));
                let is_open = rest.is_empty() && name.len() <= LONGEST_NAME && inner.len() - name.len() <= WHITE_SPACE;
                match rest.chars().next() {
                    None if is_open => return unknown,
                    Some('{') if name.len() == rest.len() => has(Body::Object).then_some(Body::Object),
                    Some('(') if name.len() > rest.len() => has(Body::Python).then_some(Body::Python),
                    _ => None,
                }
            }
            Some(mark @ ('`' | '~')) if self.has_fences => {
                if text.trim_start_matches(mark).is_empty() && text.len() < 3 {
                    return unknown;
                }
                let Some(end) = text.find('\n') else { return if text.len() < 40 { unknown } else { Some(false) } };
                let fence = Fence::of(text.get(..end).unwrap_or_default().trim());
                let fence = fence.filter(|(_, info)| LANGUAGES.contains(&info.trim())).map(|(fence, _)| fence);
                let content = self.head + end + 1;
                if let Some(fence) = fence {
                    self.state = ReaderState::Fenced { fence, content, line: content, at: content, end: None };
                }
                return Some(fence.is_some());
            }
            Some(_) => None,
        };
        if let Some(body) = bare {
            self.state = ReaderState::Bare(body, Scan::new(self.head, false));
        }
        Some(bare.is_some())
    }

    pub(super) fn bare(&mut self, body: Body, mut scan: Scan, is_last: bool) -> bool {
        while let Some((at, byte)) = scan.next(self.buffer.as_bytes()) {
            let is_bracket = matches!(byte, b'{' | b'[' | b'}' | b']');
            let is_separator = body == Body::Object && matches!(byte, b';' | b',');
            let begins_again = at > self.head && scan.depth == 1 && matches!(byte, b'{' | b'[') && body == Body::Python;
            if (scan.depth == 0 && !is_bracket && !is_separator) || begins_again {
                // Other text follows, so that the JSON is only shown.
                return self.show(at);
            }
        }
        if self.buffer.len() - self.head > LONGEST_CALL {
            self.state = ReaderState::Spent;
            return true;
        }
        self.state = ReaderState::Bare(body, scan);
        if !is_last {
            return false;
        }
        let range = self.head..self.head + self.rest(self.head).trim_end().len();
        let found = read_body(body, self.buffer.get(range.clone()).unwrap_or_default(), false, &*self.tools);
        let calls = found.filter(|found| !found.has_others).map(|found| found.calls).unwrap_or_default();
        let row = self.formats.iter().find(|format| format.is_bare(body)).copied();
        if let Some(format) = row {
            let all = calls.len();
            let found = self.take(calls, format, range.clone(), range.start, range);
            // A call that is only repeated would be something else beside the calls.
            if all > 0 && found.len() == all {
                self.parts.extend(found.into_iter().map(AnswerPart::Call));
                self.head = self.buffer.len();
            }
        }
        self.state = ReaderState::Spent;
        true
    }

    /// Returns text that looked like calls without marks.
    pub(super) fn show(&mut self, end: usize) -> bool {
        self.release(end);
        self.may_be_bare = false;
        self.state = ReaderState::Text;
        true
    }

    pub(super) fn fenced(&mut self, is_last: bool) -> bool {
        let ReaderState::Fenced { fence, content, mut line, mut at, mut end } = self.state else { return false };
        while end.is_none() && (at < self.buffer.len() || (is_last && line < at)) {
            let found = self.rest(at).find('\n').map(|found| at + found);
            at = found.map_or(self.buffer.len(), |found| found + 1);
            if found.is_none() && !is_last {
                break;
            }
            let closes = Fence::of(self.buffer.get(line..at).unwrap_or_default().trim());
            if closes.is_some_and(|(mark, info)| info.is_empty() && mark.closes(fence)) {
                end = Some(line);
            }
            line = at;
        }
        if end.is_some() && !self.rest(line).trim_start().is_empty() {
            return self.show(line);
        }
        if self.buffer.len() - self.head > LONGEST_CALL {
            self.state = ReaderState::Spent;
            return true;
        }
        self.state = ReaderState::Fenced { fence, content, line, at, end };
        if !is_last {
            return false;
        }
        if let Some(inner) = end.and_then(|end| self.buffer.get(content..end)) {
            let mut reader = Self::of(self.formats.clone(), Arc::clone(&self.tools));
            reader.has_fences = false;
            std::mem::swap(&mut reader.seen, &mut self.seen);
            let calls = reader.read(inner);
            if calls.text.trim().is_empty() && !calls.calls.is_empty() {
                let by = self.base + content;
                self.parts.extend(calls.calls.into_iter().map(|mut call| {
                    call.span = call.span.start + by..call.span.end + by;
                    AnswerPart::Call(call)
                }));
                self.head = self.buffer.len();
            }
        }
        self.state = ReaderState::Spent;
        true
    }
}
