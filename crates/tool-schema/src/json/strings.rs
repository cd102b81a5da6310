//! Strings, both ways: escapes resolved while parsing, written again while rendering.
//!
//! In comes what stands between quotes, or what shall stand there; out goes the other. This is the one place that knows
//! which bytes may not stand for themselves: quote, backslash and control characters, found eight bytes at a time. What
//! holds: a string without escapes is borrowed, half a surrogate pair is a fault, and what is written reads as what was
//! read.

use std::borrow::Cow;

use super::{
    SyntaxError,
    parse::{Parsed, Parser},
    sink::Sink,
};
use crate::visible;

/// Appends a string in double quotes, with an escape for every character that a reader cannot see: for texts that people and models read.
pub fn write_visible(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    if visible::any(text.as_bytes(), not_visible) {
        push_visible(out, text);
    } else {
        out.push_str(text);
    }
    out.push('"');
}

/// Appends a text in which something is escaped.
#[cold]
#[inline(never)]
fn push_visible(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let (run, stop) = rest.split_at(visible::prefix(rest.as_bytes(), not_visible));
        out.push_str(run);
        let Some(character) = stop.chars().next() else { break };
        match character {
            '\u{7f}'.. if visible::is_hidden(character) => visible::push_escape(out, character),
            '\u{7f}'.. => out.push(character),
            _ => out.push_str(escape(stop.as_bytes()[0])),
        }
        rest = &stop[character.len_utf8()..];
    }
}

/// What stands behind a backslash, and where it ends: for a reader that has an answer of its own to a bad escape.
pub fn escape_at(text: &str, at: usize) -> Parsed<(char, usize)> {
    let mut parser = Parser::new(text, at);
    let escaped = parser.escape()?;
    Ok((escaped, parser.at))
}

impl<'a> Parser<'a> {
    /// From the opening quote to behind the closing one.
    #[inline]
    pub(super) fn string(&mut self) -> Parsed<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        self.at += plain_prefix(self.rest());
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        self.escaped_string(start).map(Cow::Owned)
    }

    /// A string in which something other than the closing quote was met.
    #[cold]
    #[inline(never)]
    fn escaped_string(&mut self, start: usize) -> Parsed<String> {
        let mut decoded = String::from(&self.text[start..self.at]);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decoded);
                }
                Some(b'\\') => {
                    self.at += 1;
                    decoded.push(self.escape()?);
                }
                _ => return Err(self.expected("an escape such as \\n in place of a raw control character")),
            }
            let run = self.at;
            self.at += plain_prefix(self.rest());
            decoded.push_str(&self.text[run..self.at]);
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Parsed<char> {
        let plain = match self.peek() {
            Some(letter @ (b'"' | b'\\' | b'/')) => char::from(letter),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.expected("one of \" \\ / b f n r t u after the backslash")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Parsed<char> {
        const LOW_HALF: &str = "the second half of a surrogate pair, \\uDC00 to \\uDFFF";
        let start = self.at;
        let mut code = self.four_digits()?;
        if let 0xD800..=0xDBFF = code {
            for byte in *b"\\u" {
                if self.peek() != Some(byte) {
                    return Err(self.expected(LOW_HALF));
                }
                self.at += 1;
            }
            let second = self.at;
            let low = self.four_digits()?;
            if !(0xDC00..=0xDFFF).contains(&low) {
                return Err(SyntaxError::Syntax { offset: second, expected: LOW_HALF });
            }
            code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        let alone =
            SyntaxError::Syntax { offset: start, expected: "the first half of a surrogate pair before the second" };
        char::from_u32(code).ok_or(alone)
    }

    fn four_digits(&mut self) -> Parsed<u32> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|byte| char::from(byte).to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return Err(self.expected("four hexadecimal digits after \\u")),
            }
            self.at += 1;
        }
        Ok(code)
    }
}

/// The text in quotes; runs without anything to escape are taken whole.
pub(super) fn quote(text: &str, out: &mut impl Sink) {
    out.push("\"");
    let mut rest = text;
    loop {
        let (run, escaped) = rest.split_at(plain_prefix(rest.as_bytes()));
        out.push(run);
        let Some(&byte) = escaped.as_bytes().first() else { break };
        out.push(escape(byte));
        rest = &escaped[1..];
    }
    out.push("\"");
}

/// How a byte is written that may not stand for itself. All of them are ASCII, so the text can be cut around them.
pub const fn escape(byte: u8) -> &'static str {
    const CONTROLS: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007", "\\b", "\\t", "\\n",
        "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014",
        "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e",
        "\\u001f",
    ];
    match byte {
        0..=31 => CONTROLS[byte as usize],
        b'"' => "\\\"",
        _ => "\\\\",
    }
}

/// How many bytes stand before the next quote, backslash or control character.
#[inline]
pub fn plain_prefix(bytes: &[u8]) -> usize {
    // Not the same as for a text to be written: behind a string that is read the document goes on, and few of them end in the last bytes of it.
    for (index, word) in bytes.as_chunks().0.iter().enumerate() {
        let plain = visible::first_marked(*word, escaped);
        if plain < 8 {
            return index * 8 + plain;
        }
    }
    match bytes.last_chunk() {
        // Some of these have been looked at before, and are plain.
        Some(last) => bytes.len() - 8 + visible::first_marked(*last, escaped),
        None => bytes.iter().take_while(|byte| !matches!(byte, 0..=31 | b'"' | b'\\')).count(),
    }
}

/// Marks quotes, backslashes and control characters in a word, as [`visible::first_marked`] wants it.
#[inline]
const fn escaped(word: u64) -> u64 {
    ascii_escaped(word) & !word
}

/// Marks those, and what may be hidden.
#[inline]
const fn not_visible(word: u64) -> u64 {
    ascii_escaped(word) | visible::not_printable(word)
}

/// Marks quotes, backslashes and control characters among ASCII; says nothing of other bytes.
#[inline]
const fn ascii_escaped(word: u64) -> u64 {
    let (quote, backslash) = (word ^ visible::eight(b'"'), word ^ visible::eight(b'\\'));
    word.wrapping_sub(visible::eight(b' '))
        | quote.wrapping_sub(visible::eight(1))
        | backslash.wrapping_sub(visible::eight(1))
}

/// Where the closing quote of a JSON string stands, in the text after its opening one.
pub fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}
