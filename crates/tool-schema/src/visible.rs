//! Escapes characters that are invisible, or that change the direction of the surrounding text.
//!
//! Texts for a model repeat texts from elsewhere: keys, names, values. Each hidden character in them is written as a JSON escape (`\u200b`,
//! or a surrogate pair beyond U+FFFF), including joiners and variation selectors of emoji and scripts, so that all readers see the same
//! characters. The value of JSON text does not change. Line feeds, tabs and carriage returns are left to the caller.

use std::borrow::Cow;
use std::fmt::Write;

/// The first and last characters of each range, in order: Unicode 16 general categories Cc, Cf, Zl and Zp (`UnicodeData.txt`), and
/// `Default_Ignorable_Code_Point` (`DerivedCoreProperties.txt`), which adds Hangul fillers, variation selectors and tags.
const HIDDEN: [(char, char); 27] = [
    ('\0', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// The characters that count as white space, not as hidden characters.
pub const VISIBLE_WHITESPACE: [char; 3] = ['\n', '\t', '\r'];

/// Returns `true` if a character is invisible or changes the direction of the surrounding text.
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    if is_noncharacter(character) {
        return true;
    }
    let after = HIDDEN.partition_point(|(first, _)| *first <= character);
    after.checked_sub(1).is_some_and(|index| character <= HIDDEN[index].1)
}

/// Returns `true` for a code point that is never assigned: the last two of each plane, and 32 in the first plane.
fn is_noncharacter(character: char) -> bool {
    u32::from(character) & 0xfffe == 0xfffe || matches!(character, '\u{fdd0}'..='\u{fdef}')
}

/// Appends a character as a JSON escape.
pub(crate) fn push_escape(out: &mut String, character: char) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Returns the number of bytes in the JSON escape of a character.
pub(crate) const fn escape_len(character: char) -> usize {
    6 * character.len_utf16()
}

/// Returns the text with an escape for each hidden character except line feeds, tabs and carriage returns.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let Some(first) = first_escaped(text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for character in text[first..].chars() {
        if is_escaped(character) {
            push_escape(&mut out, character);
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Returns the text as one line: line feeds, tabs and carriage returns become spaces, other hidden characters become escapes.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match escaped(text) {
        Cow::Borrowed(whole) if !whole.contains(VISIBLE_WHITESPACE) => Cow::Borrowed(whole),
        other => Cow::Owned(other.replace(VISIBLE_WHITESPACE, " ")),
    }
}

/// Returns the text as [one line](one_line) of at most 160 characters, and an ellipsis if there are more.
pub fn short_line(text: &str) -> String {
    const WIDEST: usize = 160;
    let text = one_line(text);
    let mut line: String = text.chars().take(WIDEST).collect();
    if text.chars().nth(WIDEST).is_some() {
        line.push('…');
    }
    line
}

/// Escapes, in place, the hidden characters in the part of the text that begins at `start`.
pub fn escape_from(out: &mut String, start: usize) {
    if let Cow::Owned(escaped) = escaped(&out[start..]) {
        out.truncate(start);
        out.push_str(&escaped);
    }
}

/// Returns the position of the first character that needs an escape.
fn first_escaped(text: &str) -> Option<usize> {
    if !any(text.as_bytes(), not_printable) {
        return None;
    }
    let mut at = 0;
    loop {
        at += prefix(&text.as_bytes()[at..], not_printable);
        let character = text[at..].chars().next()?;
        if is_escaped(character) {
            return Some(at);
        }
        at += character.len_utf8();
    }
}

/// Returns a word with this value in each byte.
pub(crate) const fn eight(byte: u8) -> u64 {
    u64::MAX / 255 * byte as u64
}

/// Marks each byte that is not printable ASCII by setting its highest bit. A carry or borrow can set wrong marks, but only above the first
/// correct one, and [`prefix`] uses only the first.
#[inline]
pub(crate) const fn not_printable(word: u64) -> u64 {
    word.wrapping_sub(eight(b' ')) | word | word.wrapping_add(eight(1))
}

/// Returns `true` if a byte is marked. It always reads all bytes, because without an early exit the compiler processes several words at
/// once.
#[inline]
pub(crate) fn any(bytes: &[u8], mark: impl Fn(u64) -> u64) -> bool {
    let Some(last) = bytes.last_chunk() else { return prefix(bytes, mark) < bytes.len() };
    let words = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    let marks = words.fold(mark(u64::from_le_bytes(*last)), |marks, word| marks | mark(word));
    marks & eight(0x80) != 0
}

/// Returns the number of bytes before the first marked one. It processes eight bytes at a time, which is also fast for short texts.
#[inline]
pub(crate) fn prefix(bytes: &[u8], mark: impl Fn(u64) -> u64) -> usize {
    for (index, word) in bytes.as_chunks().0.iter().enumerate() {
        let plain = first_marked(*word, &mark);
        if plain < 8 {
            return index * 8 + plain;
        }
    }
    // The last eight bytes overlap with bytes that were already inspected and are not marked.
    if let Some(last) = bytes.last_chunk() {
        return bytes.len() - 8 + first_marked(*last, &mark);
    }
    if let (Some(begin), Some(end)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let word = u64::from(u32::from_le_bytes(*begin)) | u64::from(u32::from_le_bytes(*end)) << 32;
        let plain = first_marked(word.to_le_bytes(), &mark);
        return if plain < 4 { plain } else { plain + bytes.len() - 8 };
    }
    bytes.iter().take_while(|&&byte| first_marked([byte; 8], &mark) > 0).count()
}

/// Returns the index of the first marked byte of eight, or 8 if there is none.
#[inline]
pub(crate) fn first_marked(bytes: [u8; 8], mark: impl Fn(u64) -> u64) -> usize {
    (mark(u64::from_le_bytes(bytes)) & eight(0x80)).trailing_zeros() as usize / 8
}

fn is_escaped(character: char) -> bool {
    is_hidden(character) && !VISIBLE_WHITESPACE.contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "pattern")]
    /// The tables of the `regex` crate are an independent copy of the Unicode Character Database.
    #[test]
    fn the_table_agrees_with_unicode() {
        let classes =
            r"^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}]$";
        let classes = regex::Regex::new(classes).expect("the classes exist");
        let differing: Vec<_> = ('\0'..=char::MAX)
            .filter(|character| {
                let expected = classes.is_match(character.encode_utf8(&mut [0; 4]));
                is_hidden(*character) != expected
            })
            .map(|character| format!("{:x}", u32::from(character)))
            .collect();
        assert!(differing.is_empty(), "{differing:?}");
        assert!(HIDDEN.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn an_escape_in_json_text_keeps_the_value() {
        let hidden: String = ('\u{7f}'..=char::MAX).filter(|character| is_hidden(*character)).collect();
        let json = format!("\"{hidden}\"");
        let text = escaped(&json);
        assert!(!text.contains(is_hidden));
        assert_eq!(text.len(), 2 + hidden.chars().map(escape_len).sum::<usize>());
        assert_eq!(serde_json::from_str::<String>(&text).ok(), Some(hidden));
    }

    #[test]
    fn line_breaks_become_spaces() {
        assert_eq!(one_line("a\r\n\tb\u{2028}\u{1b}"), "a   b\\u2028\\u001b");
        assert!(matches!(one_line("a b"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_marked_byte_is_found_at_every_position() {
        for length in 0..70 {
            let mut bytes = vec![b'~'; length];
            assert_eq!((prefix(&bytes, not_printable), any(&bytes, not_printable)), (length, false));
            for at in (0..length).rev() {
                for byte in [0x1f, 0x7f, 0x80, 0xff] {
                    bytes[at] = byte;
                    assert_eq!((prefix(&bytes, not_printable), any(&bytes, not_printable)), (at, true), "{bytes:x?}");
                }
            }
        }
    }

    #[test]
    fn a_text_without_hidden_characters_is_borrowed() {
        for text in ["", "a\n\tb\r", "é 日本語 ́", "\u{a0}\u{3000}🦀"] {
            assert!(matches!(escaped(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
