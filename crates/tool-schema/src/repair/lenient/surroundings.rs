//! The text around the value: a byte order mark, comments, code fences, prose, stray punctuation.
//!
//! Each of these is removed by an edit. Prose may only surround an array or object, and is only removed if it certainly is prose: a bracket
//! may begin a second document, and a number, a quoted text or `key: value` may be a member that belongs into the value.

use super::is_prose::{Prose, Where, judge};
use super::open_string::Quote;
use super::scalar::Word;
use super::white_space::{LEFT_OUT, Next};
use super::{Input, Machine, State, Step};
use crate::json::{Json, Node};
use crate::repair::RepairRule;

const UNCLOSED: &str = "the reasoning that begins here is not closed";

/// The tags around a block in which a model thinks before it answers.
const REASONING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// Returns `true` if the text beside a value shows that the value is a part of a block of reasoning: the block begins before the value, or
/// ends behind it.
fn is_in_reasoning(text: &str, place: Where) -> bool {
    // The token `<|end|>` may also end the whole answer.
    let is_tag = |text: &&str| place == Where::Before || !text.starts_with('|');
    let behind_brackets = text.match_indices(['<', '[', '◁']).map(|(at, mark)| &text[at + mark.len()..]);
    let mut tags = behind_brackets.filter(is_tag).filter_map(begins_reasoning);
    match place {
        Where::Before => tags.next_back() == Some(true),
        Where::Behind => tags.next() == Some(false),
        Where::Comment | Where::Members => false,
    }
}

/// Returns `true` for a tag that begins a block of reasoning, and `false` for one that ends it. The text begins after the bracket of the
/// tag. Models and servers spell these tags in many ways.
fn begins_reasoning(text: &str) -> Option<bool> {
    const NAMES: [&str; 7] = ["think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "reflection"];
    if text.starts_with("|channel|>analysis") {
        return Some(true);
    }
    if text.starts_with("|channel|>final") || text.starts_with("|end|>") {
        return Some(false);
    }
    let name = text.strip_prefix('/').unwrap_or(text);
    let end = name.find(|next: char| !next.is_ascii_alphabetic())?;
    let is_tag =
        name[end..].starts_with(['>', ']', '▷']) && NAMES.iter().any(|known| name[..end].eq_ignore_ascii_case(known));
    is_tag.then(|| !text.starts_with('/'))
}

impl<'a> Machine<'a> {
    pub(super) fn start(&mut self, input: &Input<'_, 'a>) -> Step {
        let Next::Byte(byte) = self.blanks(input) else { return Step::End };
        match byte {
            b'{' | b'[' => self.open(byte),
            b'`' | b'~' => {
                self.state = State::Fence { from: self.at };
                Step::Went
            }
            b'<' => self.reasoning(input).unwrap_or_else(|| self.quoted_or_prose(input)),
            b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.first_word(input),
            _ => self.quoted_or_prose(input),
        }
    }

    fn quoted_or_prose(&mut self, input: &Input<'_, 'a>) -> Step {
        match Quote::opening(input, self.at) {
            Some(quote) => self.begin_string(quote, false),
            None => self.begin_prose(self.at),
        }
    }

    /// Removes a block in which a model thinks before it answers, whatever it contains. Returns `None` if no such block begins here.
    fn reasoning(&mut self, input: &Input<'_, 'a>) -> Option<Step> {
        if REASONING.iter().any(|(begin, _)| input.may_become(self.at, begin)) {
            return Some(Step::End);
        }
        let (begin, end) = REASONING.iter().find(|(begin, _)| input.rest(self.at).starts_with(begin))?;
        let from = self.scanned.max(self.at + begin.len());
        let Some(length) = input.rest(from).find(end) else {
            if input.last {
                self.leave_open(self.at, UNCLOSED);
                self.scanned = self.at;
                return None;
            }
            // The last bytes may be a part of the end.
            self.scanned = input.boundary(input.text.len().saturating_sub(end.len())).max(from);
            return Some(Step::End);
        };
        let end = from + length + end.len();
        self.edit(self.at, end, RepairRule::SurroundingText, "");
        self.at = end;
        Some(Step::Went)
    }

    fn begin_prose(&mut self, from: usize) -> Step {
        self.state = State::Prose { from };
        Step::Went
    }

    /// Parses a number or a constant, if that is the whole text; otherwise, treats the word as the beginning of prose.
    fn first_word(&mut self, input: &Input<'_, 'a>) -> Step {
        let Some(end) = self.word_end(input) else { return Step::End };
        let word = input.slice(self.at, end);
        let is_value = match Word::parse(word) {
            Word::Strict(_) | Word::Number | Word::Spelled(_) => true,
            Word::Constant(..) => false,
            Word::Name => {
                let is_begun = |word: &str| ["true", "false", "null"].iter().any(|literal| literal.starts_with(word));
                end == input.text.len()
                    && (is_begun(word) || word.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
            }
        };
        if is_value { self.scalar(input) } else { self.begin_prose(self.at) }
    }

    /// Parses an opening fence with its language tag, usually `json`.
    pub(super) fn fence(&mut self, input: &Input<'_, 'a>, from: usize) -> Step {
        let Some(mark) = input.byte(from) else { return Step::End };
        self.at = input.end_of(self.at, |byte| byte == mark);
        let is_at_end = self.at == input.text.len();
        if mark == b'~' && self.at - from < 3 && (!is_at_end || input.last) {
            return self.begin_prose(from);
        }
        let tag_from = self.scanned.max(self.at);
        let end =
            input.end_of(tag_from, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.'));
        if end == input.text.len() && !input.last {
            self.scanned = end;
            return Step::End;
        }
        let tag = input.slice(self.at, end);
        let is_tag = tag.starts_with(|first: char| first.is_ascii_alphabetic())
            && matches!(input.byte(end), None | Some(b'\n' | b'\r' | b' ' | b'\t' | b'{' | b'['))
            && !matches!(Word::parse(tag), Word::Strict(_));
        let end = if is_tag { end } else { self.at };
        self.edit(from, end, RepairRule::CodeFence, "");
        self.at = end;
        self.state = State::Start;
        Step::Went
    }

    pub(super) fn prose(&mut self, input: &Input<'_, 'a>, from: usize) -> Step {
        let rest = input.rest_bytes(self.at);
        let found = rest.iter().position(|byte| matches!(byte, b'{' | b'[' | b'`' | b'~'));
        self.at += found.unwrap_or(rest.len());
        let Some(&mark) = found.and_then(|found| rest.get(found)) else { return Step::End };
        if matches!(mark, b'`' | b'~') {
            let marks = input.rest_bytes(self.at).iter().take(3).take_while(|byte| **byte == mark).count();
            if marks < 3 {
                if self.at + marks == input.text.len() && !input.last {
                    return Step::End;
                }
                self.at += marks;
                return Step::Went;
            }
        }
        self.leave_prose_out(input, from, self.at, Where::Before);
        self.state = State::Start;
        Step::Went
    }

    /// Removes text around the value, and reports an issue if the text may belong to the value. A text before the value that ends in a comma
    /// is not prose, because it may be the beginning of a list.
    pub(super) fn leave_prose_out(&mut self, input: &Input<'_, 'a>, from: usize, to: usize, place: Where) {
        const MAY_BE_A_PART: &str = "what stands around the value may belong to it";
        let text = input.slice(from, to);
        let is_listed = place == Where::Before && text.trim_end().ends_with([',', '，', '、']);
        match judge(text, place) {
            _ if is_in_reasoning(text, place) => match place {
                Where::Before => self.leave_open(from, UNCLOSED),
                _ => self.fault(from, "the reasoning ends here, so the value is a part of it"),
            },
            Prose::Value(at) => self.fault(from + at, MAY_BE_A_PART),
            Prose::Cut => self.leave_open(from, LEFT_OUT),
            Prose::Plain if is_listed => self.fault(from, MAY_BE_A_PART),
            Prose::Plain => {}
        }
        self.edit(from, to, RepairRule::SurroundingText, "");
    }

    pub(super) fn tail(&mut self, input: &Input<'_, 'a>) -> Step {
        let before = self.at;
        let Next::Byte(byte) = self.blanks(input) else {
            self.apart |= self.at > before;
            return Step::End;
        };
        self.apart |= self.at > before;
        let is_container = self.root.as_ref().is_some_and(|root| matches!(root.node, Node::Array(_) | Node::Object(_)));
        match byte {
            b',' => self.leave_out(1, RepairRule::Comma),
            b';' | b')' => self.leave_out(1, RepairRule::SurroundingText),
            b'}' | b']' if is_container => self.leave_out(1, RepairRule::Bracket),
            b'`' | b'~' => {
                let end = input.end_of(self.at, |next| next == byte);
                self.leave_out(end - self.at, RepairRule::CodeFence)
            }
            b'{' | b'[' | b'"' | b'\'' | b'0'..=b'9' => self.second(input),
            _ if !is_container => {
                // The value may be only the beginning of a longer text, so its meaning is unclear.
                self.root = None;
                self.stop(self.at, "nothing may follow the value")
            }
            _ => self.first_word_behind(input, byte),
        }
    }

    fn leave_out(&mut self, bytes: usize, rule: RepairRule) -> Step {
        self.edit(self.at, self.at + bytes, rule, "");
        self.at += bytes;
        self.apart = true;
        Step::Went
    }

    /// Removes a second value if it adds nothing to an object, because it is empty or the same text again.
    fn second(&mut self, input: &Input<'_, 'a>) -> Step {
        let Some(Json { node: Node::Object(_), span }) = &self.root else { return self.reject_second() };
        let first = input.slice(span.start as usize, span.end as usize);
        for empty in ["{}", "[]", "\"\"", "null"] {
            if input.rest(self.at).starts_with(empty) {
                return self.leave_out(empty.len(), RepairRule::SurroundingText);
            }
            if input.may_become(self.at, empty) {
                return Step::End;
            }
        }
        if input.byte(self.at) != Some(b'{') {
            return self.reject_second();
        }
        // What was inspected before is equal, so no text is compared twice.
        let from = self.scanned.max(self.at);
        let (left, rest) = (first.get(from - self.at..).unwrap_or_default(), input.rest(from));
        if rest.starts_with(left) {
            return self.leave_out(first.len(), RepairRule::SurroundingText);
        }
        if !input.last && left.starts_with(rest) {
            self.scanned = input.text.len();
            return Step::End;
        }
        self.reject_second()
    }

    fn reject_second(&mut self) -> Step {
        self.stop(self.at, "a second value; only one can be meant")
    }

    /// Decides whether the text here is prose, or may belong to the value.
    fn first_word_behind(&mut self, input: &Input<'_, 'a>, byte: u8) -> Step {
        let Some(end) = self.word_end(input) else { return Step::End };
        let word = input.slice(self.at, end);
        if !matches!(Word::parse(word), Word::Name) {
            return self.second(input);
        }
        let goes_on = byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'*' | b'+' | b'-' | b':' | b'.');
        if !self.apart && goes_on && word != "." {
            return self.stop(self.at, "nothing may follow the value");
        }
        // `}, key` may continue the object after a bracket that came too early.
        if self.edits.last().is_some_and(|edit| edit.rule == RepairRule::Comma)
            && !input.slice(self.value_end, self.at).contains(['\n', '\r'])
        {
            return self.stop(self.at, "a member behind the end of the object");
        }
        self.state = State::TailProse { from: self.at };
        Step::Went
    }

    pub(super) fn tail_prose(&mut self, input: &Input<'_, 'a>) -> Step {
        let rest = input.rest_bytes(self.at);
        let bracket = rest.iter().position(|byte| matches!(byte, b'{' | b'[' | b'}' | b']'));
        self.at += bracket.unwrap_or(rest.len());
        if bracket.is_some() { self.reject_second() } else { Step::End }
    }
}
