//! Words that write themselves at the end of a text, and lists of them, bounded: as many elements as fit, then `… and 7 more`.
//!
//! Everything that is said of an issue is written this way, straight into one `String`; a `Display` is that text.

use crate::json::Number;
use crate::visible;

/// How many bytes a list takes before it is cut.
const LONGEST: usize = 160;

/// How many elements a list shows.
const MOST: usize = 10;

/// What takes no longer than this is rendered without growing its text.
const USUAL: usize = 128;

/// What has words.
pub trait Worded {
    /// Appends them.
    fn write(&self, out: &mut String);
}

/// The words alone, with room for the usual length from the start; what a reader cannot see is escaped.
pub fn rendered(words: &impl Worded) -> String {
    rendered_within(words, USUAL)
}

/// Renders words with room for the bytes that they usually take.
pub(crate) fn rendered_within(words: &impl Worded, usual: usize) -> String {
    let mut text = String::with_capacity(usual);
    words.write(&mut text);
    visible::escape_from(&mut text, 0);
    text
}

/// Appends a number of things.
pub(super) fn push_count(out: &mut String, count: usize) {
    Number::from(count).push(out);
}

/// Appends the digits of a length that a rule gives.
pub(super) fn push_length(out: &mut String, length: u64) {
    Number::Integer(length.into()).push(out);
}

/// Writes the elements with separators between them; the first always, the others while they fit.
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

/// Appends a text that is cut where it alone would be longer than a list may be.
pub(super) fn push_cut(out: &mut String, text: &str) {
    let start = out.len();
    out.push_str(text);
    cut(out, start);
}

/// Cuts what was written from here on to what a list may take.
pub(super) fn cut(out: &mut String, start: usize) {
    if out.len() - start > LONGEST {
        let end = start + beginning(&out[start..], LONGEST).len();
        out.truncate(end);
        out.push('…');
    }
}

/// The article that English wants before a noun, and a blank.
pub(super) fn article(noun: &str) -> &'static str {
    match noun.as_bytes() {
        [b'a' | b'e' | b'i' | b'o' | b'A' | b'E' | b'I' | b'O', ..] if !noun.starts_with("one of") => "an ",
        _ if ["one of", "null", "any ", "true "].iter().any(|start| noun.starts_with(start)) => "",
        _ => "a ",
    }
}

/// At most so many bytes of a text, cut between two characters.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
