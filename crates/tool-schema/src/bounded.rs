//! Cuts texts that come from a model, a tool or an author to a budget, for use in a text for the model.
//!
//! Invariant: a text is cut between two characters and then ends in `…`. It takes at most the given number of bytes after JSON escaping,
//! and cutting a long text costs no more than cutting a short one. The result is one line with an escape for each hidden character, except
//! for the `exact` functions, whose results may only be passed to a JSON writer.

use std::borrow::Cow;

use crate::json::Json;
use crate::visible::{self, VISIBLE_WHITESPACE, is_hidden};

/// The maximum number of characters in the description of a tool or a container.
pub const DESCRIPTION: usize = 1_024;
/// The maximum number of characters of a name that a text repeats.
const NAME_CHARACTERS: usize = 64;
const ELLIPSIS: char = '…';

/// Cuts a name to 64 characters and escapes it.
pub fn name(text: &str) -> Cow<'_, str> {
    if is_short_printable_ascii(text) {
        return text.into();
    }
    keep(text.chars(), NAME_CHARACTERS, Form::Shown, |text| text.chars().count()).into()
}

/// Cuts a name for a JSON string to 64 characters. Nothing is escaped, because the JSON writer does that.
pub fn truncated_name(text: &str) -> Cow<'_, str> {
    if is_short_printable_ascii(text) {
        return text.into();
    }
    keep(text.chars(), NAME_CHARACTERS, Form::Exact, |text| text.chars().count()).into()
}

/// Escapes the hidden characters of a text and cuts it to `budget` bytes, measured after JSON escaping. Spaces are kept.
pub fn text(text: &str, budget: usize) -> Cow<'_, str> {
    if fits(text, budget) {
        return text.into();
    }
    keep(text.chars(), budget, Form::Shown, json_string_len).into()
}

/// Cuts a text for a JSON string to `budget` bytes. Nothing is escaped, because the JSON writer does that.
pub fn exact_text(text: &str, budget: usize) -> Cow<'_, str> {
    if fits(text, budget) {
        return text.into();
    }
    keep(text.chars(), budget, Form::Exact, json_string_len).into()
}

/// Cuts a value's JSON text to `budget` bytes.
pub fn json(value: &Json<'_>, budget: usize) -> String {
    // Four bytes more than the budget, so that a text cut within a wide character still exceeds the budget.
    text(&value.preview(budget.saturating_add(4)).text, budget).into_owned()
}

/// Returns `true` if [`text`] would return the text unchanged.
pub(crate) fn is_text(whole: &str, budget: usize) -> bool {
    fits(whole, budget) || text(whole, budget) == whole
}

/// Cuts prose to `budget` bytes, measured after JSON escaping; each run of white space becomes one space.
pub fn sentence(text: &str, budget: usize) -> Cow<'_, str> {
    if is_unchanged_by_sentence(text, budget) {
        return text.into();
    }
    let mut is_blank = true;
    let characters = text.trim_end().chars().filter_map(|character| {
        let was_blank = std::mem::replace(&mut is_blank, character.is_whitespace());
        match (was_blank, is_blank) {
            (true, true) => None,
            (false, true) => Some(' '),
            (_, false) => Some(character),
        }
    });
    keep(characters, budget, Form::Shown, json_string_len).into()
}

/// Returns `true` if [`sentence`] certainly returns a text unchanged. The check is cheap and returns `false` for some
/// texts that [`sentence`] would not change.
pub fn is_unchanged_by_sentence(text: &str, budget: usize) -> bool {
    has_room(text, budget) && !text.starts_with(' ') && !text.ends_with(' ') && is_plain_prose(text)
}

/// Cuts an owned text as [`sentence`] does, without a copy if the text does not change.
pub fn owned_sentence(text: String, budget: usize) -> String {
    match sentence(&text, budget) {
        Cow::Owned(kept) => kept,
        Cow::Borrowed(_) => text,
    }
}

/// Cuts a text that was joined from results of [`sentence`]. If the joined text is within the budget, it is not inspected again.
pub fn cut_joined_sentences(text: String, budget: usize) -> String {
    if has_room(&text, budget) { text } else { owned_sentence(text, budget) }
}

/// Applies [`sentence`] in place to the part of a text that begins at `start`.
pub fn cut_sentence_in_place(out: &mut String, start: usize, budget: usize) {
    if let Cow::Owned(kept) = sentence(&out[start..], budget) {
        out.truncate(start);
        out.push_str(&kept);
    }
}

/// Cuts a description so that another text can quote it: to one line, without its final full stop.
pub(crate) fn description(text: &str, budget: usize) -> Cow<'_, str> {
    sentence(text.trim_end().strip_suffix('.').unwrap_or(text), budget)
}

/// Returns `true` if a text is short and printable ASCII, as nearly all names are. [`name`] returns such a text unchanged.
pub fn is_short_printable_ascii(text: &str) -> bool {
    text.len() <= NAME_CHARACTERS && is_plain(text)
}

/// Returns `true` if a text is printable ASCII and takes at most `budget` bytes in a JSON string.
fn fits(text: &str, budget: usize) -> bool {
    has_room(text, budget) && is_plain(text)
}

/// Returns `true` if a text without hidden characters takes at most `budget` bytes in a JSON string, escapes included.
fn has_room(text: &str, budget: usize) -> bool {
    let escaped = || text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    // Half a budget is enough even if every byte is escaped.
    text.len() <= budget / 2 || text.len() <= budget && text.len() + escaped() <= budget
}

/// Returns `true` for printable ASCII.
fn is_plain(text: &str) -> bool {
    !visible::any(text.as_bytes(), visible::not_printable)
}

/// Returns `true` for printable ASCII without two adjacent spaces.
fn is_plain_prose(text: &str) -> bool {
    const BLANKS: u64 = visible::eight(b' ');
    let ([front @ .., _], [_, behind @ ..]) = (text.as_bytes(), text.as_bytes()) else { return true };
    let (Some(last), Some(end)) = (front.last_chunk(), behind.last_chunk()) else {
        return is_plain(text) && !front.iter().zip(behind).any(|pair| pair == (&b' ', &b' '));
    };
    // For ASCII text, this sum sets the highest bit of each byte, unless the byte and the next one are both spaces.
    let lone = |word: &[u8; 8], next: &[u8; 8]| {
        ((u64::from_le_bytes(*word) ^ BLANKS) | (u64::from_le_bytes(*next) ^ BLANKS)).wrapping_add(visible::eight(0x7f))
    };
    let hidden = |word: &[u8; 8]| visible::not_printable(u64::from_le_bytes(*word));
    let words = front.as_chunks().0.iter().zip(behind.as_chunks().0);
    let (lone, hidden) = words.fold((lone(last, end), hidden(last) | hidden(end)), |found, (word, next)| {
        (found.0 & lone(word, next), found.1 | hidden(word))
    });
    (lone & !hidden) & visible::eight(0x80) == visible::eight(0x80)
}

/// Returns the number of bytes that a text takes in a JSON string.
pub fn json_string_len(text: &str) -> usize {
    text.chars().map(cost).sum()
}

/// Returns the number of bytes that a character takes in a JSON string written by [`Writer`](crate::json::Writer).
fn cost(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        hidden if is_hidden(hidden) => visible::escape_len(hidden),
        other => other.len_utf8(),
    }
}

/// The treatment of hidden characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// White space becomes spaces, and other hidden characters become escapes.
    Shown,
    /// All characters are kept.
    Exact,
}

#[cold]
#[inline(never)]
fn keep(characters: impl Iterator<Item = char>, budget: usize, form: Form, cost: fn(&str) -> usize) -> String {
    let (mut kept, mut spent) = (String::new(), 0);
    // The length of the longest beginning after which `…` still fits into the budget.
    let mut safe = 0;
    let ellipsis = cost("…");
    for character in characters {
        let start = kept.len();
        match character {
            space if form == Form::Shown && VISIBLE_WHITESPACE.contains(&space) => kept.push(' '),
            hidden if form == Form::Shown && is_hidden(hidden) => visible::push_escape(&mut kept, hidden),
            other => kept.push(other),
        }
        spent += cost(&kept[start..]);
        if spent > budget {
            kept.truncate(safe);
            kept.push(ELLIPSIS);
            return kept;
        }
        if spent + ellipsis <= budget {
            safe = kept.len();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::Writer;

    #[test]
    fn a_text_over_the_budget_ends_in_an_ellipsis() {
        assert_eq!(text("äöü", 6), "äöü");
        assert_eq!(text("äöü!", 6), "ä…");
        assert_eq!(text("a  b\n", 9), "a  b ");
        assert_eq!(text("a\0\u{200b}\u{e0041}", 99), "a\\u0000\\u200b\\udb40\\udc41");
        assert_eq!(exact_text("a\0\u{200b}", 99), "a\0\u{200b}");
        assert_eq!(exact_text("a\u{200b}\u{200b}", 12), "a\u{200b}…");
        assert_eq!(name(&"x".repeat(64)), "x".repeat(64));
        assert_eq!(name(&"é".repeat(65)), "é".repeat(63) + "…");
        assert_eq!(name(&"\u{202e}".repeat(11)), "\\u202e".repeat(10) + "…");
        assert_eq!(truncated_name(&"\u{202e}".repeat(65)), "\u{202e}".repeat(63) + "…");
        assert_eq!(sentence("  one\n\n two\u{2028}\t", 99), "one two");
        assert_eq!(description("City and country.\n", 99), "City and country");
    }

    #[test]
    fn double_spaces_and_hidden_characters_are_found_at_every_position() {
        for length in 0..40 {
            let lone: String = "a ".chars().cycle().take(length).collect();
            assert!(is_plain_prose(&lone), "{lone}");
            for at in 0..length {
                let with = |middle: &str| format!("{}{middle}{}", "x".repeat(at), "x".repeat(length - at));
                assert!(is_plain_prose(&with(" ")));
                for middle in ["  ", "\u{7f}", "\n", "é"] {
                    assert!(!is_plain_prose(&with(middle)), "{}", with(middle));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_budget_counts_the_bytes_of_a_json_string(input in "\\PC{0,40}|[\"\\\\\0\n ä\u{200b}\u{e0041}]{0,40}", budget in 3_usize..60) {
            for kept in [text(&input, budget), sentence(&input, budget), description(&input, budget)] {
                let quoted = serde_json::to_string(&kept).unwrap_or_default();
                prop_assert!(quoted.len() <= budget + 2, "{quoted}");
                prop_assert!(!kept.contains(is_hidden));
            }
            let mut quoted = String::new();
            Writer::new(&mut quoted).string(&exact_text(&input, budget));
            prop_assert!(quoted.len() <= budget + 2, "{quoted}");
            prop_assert!(truncated_name(&input).chars().count() <= NAME_CHARACTERS);
            prop_assert!(name(&input).chars().count() <= NAME_CHARACTERS);
        }
    }
}
