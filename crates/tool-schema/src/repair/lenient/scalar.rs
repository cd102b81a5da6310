//! Words without quotes: numbers, constants, and bare names, which are an issue.
//!
//! Numbers and constants of other languages are converted if all languages agree on their meaning: `.5`, `1.`, `+1`, `1_000`, `0x1F`,
//! `True`, `None`, `undefined`. `007`, `NaN` and `10-20` have no certain value.

use std::borrow::Cow;

use super::machine::is_blank;
use super::{Event, Input, Machine, State, Step};
use crate::json::{JsonType, Node, NumberText, is_number};
use crate::repair::RepairRule;

/// The classification of a word.
pub(super) enum Word {
    /// A constant of JSON.
    Strict(Node<'static>),
    /// A number in the syntax of JSON.
    Number,
    /// A number in another syntax, converted to that of JSON.
    Spelled(String),
    /// A constant of another language.
    Constant(Node<'static>, &'static str),
    /// Any other word.
    Name,
}

impl Word {
    pub(super) fn parse(word: &str) -> Self {
        match word {
            "true" => return Self::Strict(Node::Bool(true)),
            "false" => return Self::Strict(Node::Bool(false)),
            "null" => return Self::Strict(Node::Null),
            "undefined" => return Self::Constant(Node::Null, "null"),
            _ => {}
        }
        if word.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) {
            if is_number(word) {
                return Self::Number;
            }
            return spelled(word).map_or(Self::Name, Self::Spelled);
        }
        let is = |constant: &str| word.eq_ignore_ascii_case(constant);
        if is("true") {
            Self::Constant(Node::Bool(true), "true")
        } else if is("false") {
            Self::Constant(Node::Bool(false), "false")
        } else if is("null") || is("none") {
            Self::Constant(Node::Null, "null")
        } else {
            Self::Name
        }
    }
}

/// Converts a number to the syntax of JSON, if its value is certain.
fn spelled(word: &str) -> Option<String> {
    let (minus, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let is_hex = hex.bytes().all(|digit| digit.is_ascii_hexdigit());
        return u64::from_str_radix(hex, 16).ok().filter(|_| is_hex).map(|value| format!("{minus}{value}"));
    }
    let bytes = digits.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut number = String::from(minus);
    for (at, &byte) in bytes.iter().enumerate() {
        let (before, after) = (is_digit(at.checked_sub(1)), is_digit(Some(at + 1)));
        match byte {
            b'_' if before && after => {}
            b'.' if before || after => {
                number.push_str(if before { "." } else { "0." });
                if !after {
                    number.push('0');
                }
            }
            byte => number.push(char::from(byte)),
        }
    }
    is_number(&number).then_some(number)
}

/// Shortens a number that was cut off to the longest prefix that is itself a number.
fn cut_number(word: &str) -> &str {
    let word = word.strip_suffix(['+', '-']).unwrap_or(word);
    let word = word.strip_suffix(['e', 'E']).unwrap_or(word);
    word.strip_suffix('.').unwrap_or(word)
}

impl<'a> Machine<'a> {
    /// Returns the end of the current word; `None` if the text ends and the word may continue.
    pub(super) fn word_end(&mut self, input: &Input<'_, 'a>) -> Option<usize> {
        let from = self.scanned.max(self.at);
        let is_part = |next: char| {
            next.is_ascii_alphanumeric()
                || matches!(next, '_' | '$' | '.' | '+' | '-')
                || !next.is_ascii() && next.is_alphanumeric() && !is_blank(next)
        };
        let end = input.rest(from).find(|next| !is_part(next)).map_or(input.text.len(), |length| from + length);
        if end == input.text.len() && !input.last {
            self.scanned = end;
            return None;
        }
        Some(end)
    }

    pub(super) fn scalar(&mut self, input: &Input<'_, 'a>) -> Step {
        let Some(end) = self.word_end(input) else { return Step::End };
        let (start, word) = (self.at, input.slice(self.at, end));
        let is_cut = end == input.text.len();
        let (node, number) = match Word::parse(word) {
            Word::Strict(node) => (node, None),
            Word::Number => (Node::Null, Some((input.keep)(word))),
            Word::Spelled(number) => {
                if is_cut && word.ends_with('.') {
                    self.leave_open(start, "the number that begins here is cut off");
                }
                self.edit(start, end, RepairRule::Number, number.clone());
                (Node::Null, Some(Cow::Owned(number)))
            }
            Word::Constant(node, json) => {
                self.edit(start, end, RepairRule::Constant, json);
                (node, None)
            }
            Word::Name if is_cut => return self.cut_word(input, word),
            Word::Name => return self.name(word),
        };
        self.at = end;
        self.put_scalar(number.map_or(node, Node::Number), start);
        Step::Went
    }

    fn put_scalar(&mut self, node: Node<'a>, start: usize) {
        let json_type = match &node {
            Node::Bool(_) => JsonType::Boolean,
            Node::Number(text) if NumberText(text).is_integral() => JsonType::Integer,
            Node::Number(_) => JsonType::Number,
            _ => JsonType::Null,
        };
        self.put(node, start);
        self.event = Event::Scalar(json_type);
    }

    /// Parses a word that may have been cut off by the end of the text.
    fn cut_word(&mut self, input: &Input<'_, 'a>, word: &str) -> Step {
        let (start, end) = (self.at, input.text.len());
        let literal = [("true", Node::Bool(true)), ("false", Node::Bool(false)), ("null", Node::Null)];
        let literal = literal.into_iter().find(|(literal, _)| !word.is_empty() && literal.starts_with(word));
        let number = cut_number(word);
        let node = if let Some((_, node)) = literal {
            Some(node)
        } else if is_number(number) {
            Some(Node::Number((input.keep)(input.slice(start, start + number.len()))))
        } else {
            const CONSTANTS: [&str; 6] = ["True", "False", "None", "undefined", "TRUE", "FALSE"];
            let is_begun = matches!(word, "-" | "+" | "." | "-." | "+." | "..")
                || CONSTANTS.iter().any(|constant| !word.is_empty() && constant.starts_with(word));
            if !is_begun {
                return self.name(word);
            }
            None
        };
        self.leave_open(start, "the word that begins here is cut off");
        self.at = end;
        match node {
            Some(node) => {
                self.put_scalar(node, start);
                Step::Went
            }
            None => Step::End,
        }
    }

    fn name(&mut self, word: &str) -> Step {
        let message = match word {
            "" => "expected a value",
            "NaN" | "Infinity" | "-Infinity" | "+Infinity" | "nan" | "inf" => "a number that JSON does not have",
            _ if word.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                "not a number; text stands in double quotes"
            }
            _ => "a bare word; text stands in double quotes",
        };
        if self.frames.is_empty() {
            return self.stop(self.at, message);
        }
        debug_assert!(self.state != State::Tail);
        self.lose(self.at, message)
    }
}
