//! Strings in any quotes, with raw control characters and escapes that JSON does not allow.
//!
//! These are repaired: the quotes, raw control characters, `\'`, and a backslash that begins no escape and is therefore literal (`"\d+"`).
//! If a string contains such a backslash and also one that may begin an escape (`"C:\Users\new"`), its meaning is unclear. A single `\x41`
//! is enough to make it unclear.

use super::open_string::{Draft, Quote, TOKEN};
use super::{Event, Input, Machine, State, Step};
use crate::json::{JsonType, Node, Span, SyntaxError, escape_at, escape_byte};
use crate::repair::RepairRule;

impl<'a> Machine<'a> {
    pub(super) fn begin_string(&mut self, quote: Quote, is_key: bool) -> Step {
        let (start, run) = (self.at, self.at + quote.bytes());
        if quote != Quote::Double {
            self.edit(start, run, RepairRule::Quote, "\"");
        }
        if !is_key {
            self.event = Event::StringBegun;
        }
        self.comma = None;
        self.in_place_of_more = None;
        self.at = run;
        self.string = Some(Draft {
            start,
            quote,
            is_key,
            decoded: String::new(),
            run,
            literal_backslash: None,
            letter_escape: false,
        });
        self.state = State::String;
        Step::Went
    }

    pub(super) fn string(&mut self, input: &Input<'_, 'a>) -> Step {
        let Some(mut draft) = self.string.take() else { return self.stop(self.at, "no string is open here") };
        loop {
            self.at += draft.quote.plain(input.rest_bytes(self.at));
            let Some(byte) = input.byte(self.at) else { break };
            let went = match byte {
                b'"' if draft.quote == Quote::Double => return self.end_string(draft, input),
                b'\\' => self.escape(&mut draft, input),
                b'"' => {
                    self.replace(&mut draft, input, 1, '"', RepairRule::Quote, "\\\"");
                    true
                }
                0..=31 => {
                    self.replace(
                        &mut draft,
                        input,
                        1,
                        char::from(byte),
                        RepairRule::ControlCharacter,
                        escape_byte(byte),
                    );
                    true
                }
                _ => match self.closes(&draft, input) {
                    Some(true) => return self.end_string(draft, input),
                    Some(false) => {
                        self.at += input.char(self.at).map_or(1, char::len_utf8);
                        true
                    }
                    None => false,
                },
            };
            if !went {
                break;
            }
        }
        self.string = Some(draft);
        Step::End
    }

    /// Returns `true` if the current quote closes the string, and `false` for an apostrophe between two letters. Returns `None` if the text
    /// ends before this is certain.
    fn closes(&self, draft: &Draft, input: &Input<'_, 'a>) -> Option<bool> {
        match draft.quote {
            Quote::Backtick => return Some(true),
            Quote::Token if input.may_become(self.at, TOKEN) => return None,
            Quote::Token => return Some(input.rest(self.at).starts_with(TOKEN)),
            _ => {}
        }
        let quote = input.char(self.at)?;
        if quote != '\'' && Quote::curly(quote) != Some(draft.quote) {
            return Some(false);
        }
        if draft.quote == Quote::CurlyDouble {
            return Some(true);
        }
        let next = input.char(self.at + quote.len_utf8());
        if next.is_none() && !input.last {
            return None;
        }
        let before = input.slice(draft.start + draft.quote.bytes(), self.at).chars().next_back();
        let between_letters = before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphabetic);
        Some(!between_letters)
    }

    fn end_string(&mut self, mut draft: Draft, input: &Input<'_, 'a>) -> Step {
        let (start, end) = (draft.start, self.at);
        let text = draft.text(input, end);
        let quote = draft.quote.bytes();
        if draft.quote != Quote::Double {
            self.edit(end, end + quote, RepairRule::Quote, "\"");
        }
        self.at = end + quote;
        if let Some(backslash) = draft.literal_backslash
            && draft.letter_escape
        {
            self.fault(
                backslash,
                "a single backslash that escapes nothing, in a string that has escapes too: write \\\\",
            );
        }
        // `\\server\share` may be the unescaped path of a network share, or a path in which only the first backslash was escaped.
        let is_share =
            || input.rest_bytes(draft.start + draft.quote.bytes()).starts_with(b"\\\\") && !text.starts_with(r"\\");
        if let Some(backslash) = draft.literal_backslash
            && is_share()
        {
            self.fault(
                backslash,
                "a single backslash in a string that begins with an escaped one: write \\\\ for each",
            );
        }
        if draft.quote == Quote::Backtick && text.contains("${") {
            self.fault(start, "a template with ${…} is not a value");
        }
        if draft.is_key {
            self.put_key(text, Span::new(start, self.at));
        } else {
            self.put(Node::String(text), start);
            self.event = Event::Scalar(JsonType::String);
        }
        Step::Went
    }

    /// Decodes the escape after a backslash; returns `false` if the text ends before it is complete.
    fn escape(&mut self, draft: &mut Draft, input: &Input<'_, 'a>) -> bool {
        if draft.quote == Quote::Token {
            self.fault(self.at, "a backslash between two quote tokens may be a backslash or begin an escape");
            self.at += 1;
            return true;
        }
        let next = input.byte(self.at + 1);
        match escape_at(input.text, self.at + 1) {
            Ok((decoded, end)) => {
                draft.letter_escape |= next.is_some_and(|letter| letter.is_ascii_alphabetic());
                draft.decode(input, self.at, decoded, end);
                self.at = end;
                return true;
            }
            Err(SyntaxError::Incomplete { .. }) => return false,
            Err(_) => {}
        }
        match next {
            Some(b'\'') => self.replace(draft, input, 2, '\'', RepairRule::Escape, "'"),
            Some(b'`') if draft.quote == Quote::Backtick => {
                self.replace(draft, input, 2, '`', RepairRule::Escape, "`");
            }
            Some(b'x') => {
                let digits = input.rest_bytes(self.at + 2);
                let digits = digits.get(..2).unwrap_or(digits);
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    self.literal_backslash(draft, input);
                } else if digits.len() < 2 {
                    return false;
                } else {
                    self.fault(
                        self.at,
                        "a \\x may be a backslash or begin a character's number: write \\\\x, or \\u00 and the digits",
                    );
                    self.at += 1;
                }
            }
            Some(b'U' | b'0') => match self.is_code(input) {
                Some(true) => {
                    self.fault(
                        self.at,
                        "a backslash that may begin a character's number: write \\\\, or \\u and four hexadecimal digits",
                    );
                    self.at += 1;
                }
                Some(false) => self.literal_backslash(draft, input),
                None => return false,
            },
            Some(b'\n' | b'\r') => {
                self.fault(self.at, "a backslash at the end of a line may be a backslash or continue the line");
                self.at += 1;
            }
            Some(b'u') => {
                self.fault(self.at, "a \\u that is not followed by four hexadecimal digits, or by half a pair");
                self.at += 1;
            }
            _ => self.literal_backslash(draft, input),
        }
        true
    }

    /// Returns `true` if a backslash begins `\U0001F600` or `\033`, which are one character in other languages. Returns `None` if the text
    /// ends before this is certain.
    fn is_code(&self, input: &Input<'_, 'a>) -> Option<bool> {
        let rest = input.rest_bytes(self.at + 1);
        let (from, length, radix) = if rest.starts_with(b"U") { (1, 8, 16) } else { (0, 3, 8) };
        let digits = rest.iter().skip(from).take(length);
        if digits.clone().any(|digit| !char::from(*digit).is_digit(radix)) {
            return Some(false);
        }
        if digits.len() < length { None } else { Some(true) }
    }

    fn literal_backslash(&mut self, draft: &mut Draft, input: &Input<'_, 'a>) {
        draft.literal_backslash = draft.literal_backslash.or(Some(self.at));
        self.replace(draft, input, 1, '\\', RepairRule::Escape, "\\\\");
    }

    fn replace(
        &mut self,
        draft: &mut Draft,
        input: &Input<'_, 'a>,
        bytes: usize,
        decoded: char,
        rule: RepairRule,
        after: &'static str,
    ) {
        draft.decode(input, self.at, decoded, self.at + bytes);
        self.edit(self.at, self.at + bytes, rule, after);
        self.at += bytes;
    }
}
