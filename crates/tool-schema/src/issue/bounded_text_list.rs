//! Texts that write themselves to the end of a `String`, and bounded lists of them: as many elements as fit, then `… and 7 more`.
//!
//! All texts about issues are written this way; `Display` uses the same text.

use crate::json::Number;
use crate::visible;

/// The maximum number of bytes of a list.
const LONGEST: usize = 160;

/// The maximum number of elements of a list.
const MOST: usize = 10;

/// The initial capacity of a rendered text in bytes.
const USUAL: usize = 128;

/// A value that can be written as text.
pub trait WriteText {
    /// Appends the text.
    fn write(&self, out: &mut String);
}

/// Returns the text of a value, with invisible characters escaped.
pub fn to_escaped_text(words: &impl WriteText) -> String {
    to_escaped_text_with_capacity(words, USUAL)
}

/// Returns the text with invisible characters escaped, rendered with this capacity.
pub(crate) fn to_escaped_text_with_capacity(words: &impl WriteText, usual: usize) -> String {
    let mut text = String::with_capacity(usual);
    words.write(&mut text);
    visible::escape_from(&mut text, 0);
    text
}

/// Appends a count.
pub(super) fn push_count(out: &mut String, count: usize) {
    Number::from(count).push(out);
}

/// Appends a length from a rule.
pub(super) fn push_length(out: &mut String, length: u64) {
    Number::Integer(length.into()).push(out);
}

/// Writes the elements with separators between them: always the first, and the others while they fit.
pub(super) fn write_list<T>(
    out: &mut String,
    separator: &str,
    elements: impl ExactSizeIterator<Item = T>,
    write: impl Fn(&mut String, T),
) {
    let (all, mut written) = (elements.len(), 0);
    for (index, element) in elements.enumerate() {
        let end = out.len();
        if index > 0 {
            out.push_str(separator);
        }
        let start = out.len();
        write(out, element);
        written += out.len() - start + separator.len();
        if index > 0 && (index == MOST || written > LONGEST) {
            out.truncate(end);
            out.extend([separator, "… and "]);
            push_count(out, all - index);
            return out.push_str(" more");
        }
        cut(out, start);
    }
}

/// Appends a text, cut if it is longer than a list may be.
pub(super) fn push_cut(out: &mut String, text: &str) {
    let start = out.len();
    out.push_str(text);
    cut(out, start);
}

/// Cuts the text from `start` on to the length that a list may have.
pub(super) fn cut(out: &mut String, start: usize) {
    if out.len() - start > LONGEST {
        let end = start + beginning(&out[start..], LONGEST).len();
        out.truncate(end);
        out.push('…');
    }
}

/// Returns the English article for a noun, with a space.
pub(super) fn article(noun: &str) -> &'static str {
    match noun.as_bytes() {
        [b'a' | b'e' | b'i' | b'o' | b'A' | b'E' | b'I' | b'O', ..] if !noun.starts_with("one of") => "an ",
        _ if ["one of", "null", "any ", "true "].iter().any(|start| noun.starts_with(start)) => "",
        _ => "a ",
    }
}

/// Returns at most this number of bytes from the start of a text, cut between two characters.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
