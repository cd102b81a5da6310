//! Finds the end of values, without parsing them: brackets are counted, and strings are skipped.
//!
//! Invariant: a scan that stops at the end of a piece continues with the next piece as if both had been one text.

use crate::can_call_begin::floor;
use crate::format::{Body, Marks};

/// The maximum length of white space between two marks.
pub(crate) const WHITE_SPACE: usize = 256;
/// The maximum length of the name of a tool.
pub(crate) const LONGEST_NAME: usize = 256;

/// Gemma's token for a quotation mark.
pub(crate) const QUOTE_TOKEN: &str = "<|\"|>";

/// A position in a text, with the brackets and the string that are open there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scan {
    /// The position, in bytes.
    pub(crate) at: usize,
    /// The number of open brackets.
    pub(crate) depth: usize,
    /// The mark that ends the current string. `<` stands for [`QUOTE_TOKEN`].
    quote: Option<u8>,
    is_escaped: bool,
    /// The last byte outside of strings that is not white space. An apostrophe begins a string only where a value can begin.
    before: u8,
    has_quote_tokens: bool,
    /// Is `true` after the beginning of the value or of the first parameter.
    has_value: bool,
}

impl Scan {
    pub(crate) const fn new(at: usize, has_quote_tokens: bool) -> Self {
        Self { at, depth: 0, quote: None, is_escaped: false, before: b'=', has_quote_tokens, has_value: false }
    }

    /// Continues to the next byte that is neither white space nor in a string, and returns it with its position.
    pub(crate) fn next(&mut self, text: &[u8]) -> Option<(usize, u8)> {
        while let Some(&byte) = text.get(self.at) {
            let rest = text.get(self.at..).unwrap_or_default();
            if self.has_quote_tokens
                && byte == b'<'
                && QUOTE_TOKEN.as_bytes().starts_with(rest)
                && rest.len() < QUOTE_TOKEN.len()
            {
                return None;
            }
            let is_token = self.has_quote_tokens && rest.starts_with(QUOTE_TOKEN.as_bytes());
            self.at += if is_token { QUOTE_TOKEN.len() } else { 1 };
            if let Some(quote) = self.quote {
                let ends = if quote == b'<' { is_token } else { byte == quote && !self.is_escaped };
                self.is_escaped = byte == b'\\' && !self.is_escaped;
                if ends {
                    self.quote = None;
                    self.before = b'"';
                }
                continue;
            }
            match byte {
                _ if is_token => self.open(b'<'),
                b'"' => self.open(b'"'),
                b'\'' if b"{[(,:=".contains(&self.before) => self.open(b'\''),
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    match byte {
                        b'{' | b'[' | b'(' => self.depth += 1,
                        b'}' | b']' | b')' => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.before = byte;
                    return Some((self.at - 1, byte));
                }
            }
        }
        None
    }

    const fn open(&mut self, quote: u8) {
        self.quote = Some(quote);
        self.is_escaped = false;
    }
}

/// Splits a text at the separators outside of brackets and strings. Empty parts are left out. `None` if a bracket or a string is open at the
/// end.
pub(crate) fn split<'t>(text: &'t str, separators: &[u8]) -> Option<Vec<&'t str>> {
    let mut scan = Scan::new(0, false);
    let (mut parts, mut from) = (Vec::new(), 0);
    while let Some((at, byte)) = scan.next(text.as_bytes()) {
        if scan.depth == 0 && separators.contains(&byte) {
            parts.push(text.get(from..at)?.trim());
            from = at + 1;
            scan.before = b',';
        }
    }
    parts.push(text.get(from..)?.trim());
    parts.retain(|part| !part.is_empty());
    (scan.depth == 0 && scan.quote.is_none()).then_some(parts)
}

/// Splits a text into JSON objects and lists, between which there may be white space, commas and semicolons.
pub(crate) fn values(text: &str) -> Option<Vec<&str>> {
    let mut scan = Scan::new(0, false);
    let (mut found, mut from) = (Vec::new(), None);
    while let Some((at, byte)) = scan.next(text.as_bytes()) {
        match (from, byte) {
            (None, b'{' | b'[') => from = Some(at),
            (None, b',' | b';') => {}
            (None, _) => return None,
            (Some(start), _) if scan.depth == 0 => {
                found.push(text.get(start..=at)?);
                from = None;
                scan.before = b',';
            }
            (Some(_), _) => {}
        }
    }
    (from.is_none() && scan.quote.is_none()).then_some(found)
}

/// The beginning of a text, compared with a sequence of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// With the marks, which have this length.
    Length(usize),
    /// With a part of the marks, where the text ends.
    Open,
    /// With something else.
    Other,
}

/// Compares the beginning of a text with marks, between which there may be white space.
pub(crate) fn sequence(text: &str, marks: &[&str]) -> Sequence {
    let mut rest = text;
    for (index, mark) in marks.iter().enumerate() {
        if index > 0 {
            let inner = rest.trim_start();
            if rest.len() - inner.len() > WHITE_SPACE {
                return Sequence::Other;
            }
            rest = inner;
        }
        match rest.strip_prefix(mark) {
            Some(after) => rest = after,
            None if mark.starts_with(rest) => return Sequence::Open,
            None => return Sequence::Other,
        }
    }
    Sequence::Length(text.len() - rest.len())
}

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The end of the body, and the end of the marks after it.
    At(usize, usize),
    /// The text ends before the call.
    Open,
    /// There is no call.
    Never,
}

/// Finds the end of a call whose body begins at `from`.
pub(crate) fn find_end(marks: &Marks, text: &str, from: usize, scan: &mut Scan) -> End {
    let Some(first) = marks.close.first() else {
        return end_of_value(marks.body, text, from, scan);
    };
    let (parameter, last_mark) = match marks.body {
        Body::Elements(open, close) => (open, close),
        Body::Pairs => ("<arg_key>", "</arg_value>"),
        _ => return close_outside_of_strings(marks, text, scan),
    };
    while let Some(at) = text.get(scan.at..).and_then(|rest| rest.find(first)).map(|found| scan.at + found) {
        let before = text.get(from..at).unwrap_or_default().trim_end();
        scan.has_value = scan.has_value || before.contains(parameter);
        // In the value of a parameter, the mark is text.
        let is_end = before.ends_with(last_mark) || !scan.has_value;
        match sequence(text.get(at..).unwrap_or_default(), marks.close) {
            Sequence::Length(length) if is_end => return End::At(at, at + length),
            Sequence::Open if is_end => {
                scan.at = at;
                return End::Open;
            }
            _ => scan.at = at + first.len(),
        }
    }
    scan.at = scan.at.max(floor(text, (text.len() + 1).saturating_sub(first.len())));
    End::Open
}

fn end_of_value(body: Body, text: &str, from: usize, scan: &mut Scan) -> End {
    while let Some((at, byte)) = scan.next(text.as_bytes()) {
        if !scan.has_value {
            scan.has_value = byte == b'{' || (byte == b'[' && body == Body::Object);
            scan.has_value |= byte == b'(' && body == Body::QuoteTokens;
            // A bracket between the name and the value belongs to a mark.
            scan.depth = usize::from(scan.has_value);
            if at > from + 2 * LONGEST_NAME {
                return End::Never;
            }
        } else if scan.depth == 0 {
            return End::At(at + 1, at + 1);
        }
    }
    End::Open
}

fn close_outside_of_strings(marks: &Marks, text: &str, scan: &mut Scan) -> End {
    while let Some((at, byte)) = scan.next(text.as_bytes()) {
        if byte != b'<' {
            continue;
        }
        match sequence(text.get(at..).unwrap_or_default(), marks.close) {
            Sequence::Length(length) => return End::At(at, at + length),
            Sequence::Open => {
                scan.at = at;
                return End::Open;
            }
            Sequence::Other => {}
        }
    }
    End::Open
}
