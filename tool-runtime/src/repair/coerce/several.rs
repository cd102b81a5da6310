//! Texts that may be several items: none of them is ever taken for the one item of an array.
//!
//! In comes a text where an array of texts is wanted; out goes whether it may be a list or an object in any notation, whole or cut off.

use crate::shape::{Kind, Shape, Tagging};

/// What separates items wherever it stands.
const SEPARATORS: [char; 16] =
    [',', ';', '|', '\n', '\r', '\t', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}', '，', '、', '；', '،', '؛'];

/// What separates items where it stands between blanks; at the beginning of the text, a bullet.
const SIGNS: [&str; 22] = [
    "-", "–", "—", "*", "•", "‣", "◦", "▪", "·", "+", "&", "/", "=", ":", ":=", "=>", "->", "→", "...", "…", "etc",
    "etc.",
];

/// Words that join items, but also the words of a sentence.
const JOINTS: [&str; 10] = ["and", "or", "then", "und", "oder", "et", "ou", "y", "и", "или"];

/// Whether a text may be more than one item, or no item at all.
pub(super) fn may_be_several(text: &str) -> bool {
    let text = text.trim();
    let is_nothing = || ["null", "none", "nil", "undefined"].iter().any(|word| text.eq_ignore_ascii_case(word));
    text.is_empty() || is_nothing() || text.contains(SEPARATORS) || is_bracketed(text) || is_listed(text)
}

/// Whether a text begins or ends like an array, an object, a tuple, a fence, markup or a quoted text.
fn is_bracketed(text: &str) -> bool {
    let is_cut = |close, open| text.ends_with(close) && !text.contains(open);
    text.starts_with(['[', '{', '`', '"', '\'', '“', '”', '„', '‘', '‚', '«', '「', '【', '［', '｛'])
        || text.contains("```")
        || text.starts_with("~~~")
        || text.starts_with('<') && text.ends_with('>')
        || text.starts_with('(') && text.ends_with(')')
        || is_cut(']', '[')
        || is_cut('}', '{')
        || text.ends_with(['"', '”', '“', '»'])
        || text
            .strip_suffix("...")
            .or_else(|| text.strip_suffix('…'))
            .is_some_and(|rest| rest.ends_with(|last: char| last.is_alphanumeric() || last.is_whitespace()))
}

/// Whether the words of a text are a list: bullets, numbers, keys, words that join.
fn is_listed(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(_)) = (words.next(), words.next()) else { return false };
    let is_number = first.strip_suffix(['.', ')']).is_some_and(|number| {
        let number = number.trim_start_matches('(');
        number.bytes().all(|digit| digit.is_ascii_digit()) || number.len() == 1 && first.ends_with(')')
    });
    let is_one_of = |word: &str, words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
    let is_separated = text.split_whitespace().any(|word| is_one_of(word, &SIGNS));
    let has_key = text.split_whitespace().rev().skip(1).any(|word| word.ends_with(':'));
    is_number || is_separated || has_key || joins_names(text, |word| is_one_of(word, &JOINTS))
}

/// Whether the words that a text joins are items rather than parts of a sentence: names, or a single one on each side.
fn joins_names(text: &str, is_joint: impl Fn(&str) -> bool) -> bool {
    let (mut joints, mut names, mut others) = (0_usize, 0_usize, 0_usize);
    for word in text.split_whitespace() {
        if is_joint(word) {
            joints += 1;
        } else if word.starts_with(|first: char| !first.is_lowercase()) {
            names += 1;
        } else {
            others += 1;
        }
    }
    joints > 0 && (others == 0 || names + others <= joints + 1)
}

/// Whether a shape takes texts that nobody has listed, whatever rules they have to keep: it cannot tell one item from a list of them.
pub(super) fn takes_free_text(shape: &Shape, hops: u8) -> bool {
    match &shape.kind {
        Kind::String | Kind::Any | Kind::Foreign(_) => true,
        Kind::Alias(inner) | Kind::Nullable(inner) => hops < 16 && takes_free_text(&inner.shape(), hops + 1),
        Kind::Union(union) => union.variants.iter().any(|variant| {
            let is_untold = variant.untagged || union.tagging == Tagging::Untagged;
            let payload = variant.payload.as_ref().filter(|_| is_untold && hops < 16);
            variant.other || payload.is_some_and(|payload| takes_free_text(&payload.shape(), hops + 1))
        }),
        _ => false,
    }
}
