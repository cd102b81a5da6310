//! Strings: resolves escapes while parsing, and writes them while rendering.
//!
//! Only this module decides which bytes need an escape: quotes, backslashes and control characters, found eight bytes at a time. Invariant:
//! a string without escapes is borrowed, a lone surrogate is an error, and a written string is parsed back to the same string.

use std::borrow::Cow;

use super::{
    SyntaxError,
    parse::{Parsed, Parser},
    sink::Sink,
};
use crate::visible;

/// Appends a string in double quotes, with an escape for every invisible character, for texts that people and models read.
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

/// Appends a text that needs escapes.
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
            _ => out.push_str(escape_byte(stop.as_bytes()[0])),
        }
        rest = &stop[character.len_utf8()..];
    }
}

/// Parses the escape after a backslash; returns the character and the end of the escape. It is for parsers that treat invalid escapes in
/// their own way.
pub fn escape_at(text: &str, at: usize) -> Parsed<(char, usize)> {
    let mut parser = Parser::new(text, at);
    let escaped = parser.escape()?;
    Ok((escaped, parser.at))
}

impl<'a> Parser<'a> {
    /// Parses a string from its opening to its closing quote.
    #[inline]
    pub(super) fn string(&mut self) -> Parsed<Cow<'a, str>> {
        let start = self.at + 1;
        let rest = self.text.get(start..).unwrap_or_default();
        let length = plain_prefix_len(rest.as_bytes());
        if rest.as_bytes().get(length) == Some(&b'"') {
            self.at = start + length + 1;
            return Ok(Cow::Borrowed(&rest[..length]));
        }
        self.at = start + length;
        self.escaped_string(start).map(Cow::Owned)
    }

    /// Parses the rest of a string that contains an escape or an error.
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
            self.at += plain_prefix_len(self.rest());
            decoded.push_str(&self.text[run..self.at]);
        }
    }

    /// Parses the escape after a backslash.
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

/// Writes the text in quotes; runs without escapes are copied as a whole.
pub(super) fn quote(text: &str, out: &mut impl Sink) {
    out.push("\"");
    let mut rest = text;
    loop {
        let (run, escaped) = rest.split_at(plain_prefix_len(rest.as_bytes()));
        out.push(run);
        let Some(&byte) = escaped.as_bytes().first() else { break };
        out.push(escape_byte(byte));
        rest = &escaped[1..];
    }
    out.push("\"");
}

/// Returns the escape of a byte that needs one. All of these bytes are ASCII, so the text can be split around them.
pub const fn escape_byte(byte: u8) -> &'static str {
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

/// Returns the number of bytes before the next quote, backslash or control character.
#[inline]
pub fn plain_prefix_len(bytes: &[u8]) -> usize {
    // Most keys end within the first eight bytes. `bytes` is the rest of the document and not only the string, so it rarely has fewer than
    // eight bytes.
    match bytes.first_chunk().map(|word| visible::first_marked(*word, escaped)) {
        Some(plain @ 0..8) => plain,
        _ => long_plain_prefix(bytes),
    }
}

/// Computes [`plain_prefix_len`] for a string that does not end within the first eight bytes. It is a separate function, so that the code for
/// short strings stays small.
#[inline(never)]
fn long_plain_prefix(bytes: &[u8]) -> usize {
    for (index, word) in bytes.as_chunks().0.iter().enumerate() {
        let plain = visible::first_marked(*word, escaped);
        if plain < 8 {
            return index * 8 + plain;
        }
    }
    match bytes.last_chunk() {
        // Some of these bytes were already found to be plain.
        Some(last) => bytes.len() - 8 + visible::first_marked(*last, escaped),
        None => bytes.iter().take_while(|byte| !matches!(byte, 0..=31 | b'"' | b'\\')).count(),
    }
}

/// Marks quotes, backslashes and control characters among eight bytes, for [`visible::first_marked`].
#[inline]
const fn escaped(word: u64) -> u64 {
    ascii_escaped(word) & !word
}

/// Marks quotes, backslashes and control characters, and also bytes of characters that may be invisible.
#[inline]
const fn not_visible(word: u64) -> u64 {
    ascii_escaped(word) | visible::not_printable(word)
}

/// Marks quotes, backslashes and control characters among ASCII bytes; the marks of other bytes have no meaning.
#[inline]
const fn ascii_escaped(word: u64) -> u64 {
    let (quote, backslash) = (word ^ visible::eight(b'"'), word ^ visible::eight(b'\\'));
    word.wrapping_sub(visible::eight(b' '))
        | quote.wrapping_sub(visible::eight(1))
        | backslash.wrapping_sub(visible::eight(1))
}

/// Returns the position of the closing quote of a JSON string, in the text after its opening quote.
pub fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}
