//! Detects texts that may contain several items. Such a text never becomes the only item of an array.
//!
//! This module recognizes lists and objects in any notation, complete or cut off.

use crate::shape::{Kind, Shape, Tagging};

/// Characters that always separate items.
#[rustfmt::skip]
const SEPARATORS: [char; 26] = [
    ',', ';', '|', '\0', '\n', '\r', '\t', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{1f}', '\u{85}', '\u{2028}', '\u{2029}',
    '，', '、', '；', '､', '﹐', '﹑', '﹔', '،', '؛', '¦',
];

/// Signs that separate items if they are surrounded by spaces; at the beginning of the text, they are bullets.
const SIGNS: [&str; 22] = [
    "-", "–", "—", "*", "•", "‣", "◦", "▪", "·", "+", "&", "/", "=", ":", ":=", "=>", "->", "→", "...", "…", "etc",
    "etc.",
];

/// Words that join items, but may also be part of a sentence.
const JOINTS: [&str; 15] =
    ["and", "or", "then", "und", "oder", "et", "ou", "y", "e", "och", "og", "и", "или", "和", "と"];

/// Invisible characters that are ignored before and after a bracket.
const INVISIBLE: [char; 7] = ['\u{ad}', '\u{180e}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// Returns `true` if a text may be several items, or no item at all.
pub(super) fn may_be_several(text: &str) -> bool {
    let text = text.trim_matches(|next: char| next.is_whitespace() || INVISIBLE.contains(&next));
    let is_nothing = || {
        ["null", "none", "nil", "undefined", "nan", "n/a", "...", "…"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
    };
    text.is_empty() || is_nothing() || text.contains(SEPARATORS) || is_bracketed(text) || is_listed(text)
}

/// Returns `true` if a text begins or ends like an array, an object, a tuple, a fence, markup or a quoted text.
fn is_bracketed(text: &str) -> bool {
    let is_cut = |close, open| text.ends_with(close) && !text.contains(open);
    text.starts_with(['[', '{', '`', '"', '\'', '“', '”', '„', '‘', '‚', '«', '‹', '「', '『', '【', '［', '｛'])
        || text.starts_with(r"\[") && text.ends_with(']')
        || text.starts_with(r"\{") && text.ends_with('}')
        || text.starts_with(r#"\""#)
        || text.starts_with('(') && !text.contains(')')
        || is_constructed(text)
        || text.contains("```")
        || text.starts_with("~~~")
        || text.starts_with('<') && text.ends_with('>')
        || text.starts_with('(') && text.ends_with(')')
        || is_cut(']', '[')
        || is_cut('}', '{')
        || is_cut(')', '(') && text.trim_end_matches(')').ends_with(|last: char| last.is_alphanumeric() || last == '\'')
        || text.ends_with(['"', '”', '“', '»'])
        || text
            .strip_suffix("...")
            .or_else(|| text.strip_suffix('…'))
            .is_some_and(|rest| rest.ends_with(|last: char| last.is_alphanumeric() || last.is_whitespace()))
}

/// Returns `true` for a list in the syntax of a program: `set(['Paris'])`, `Array [ 'Paris' ]`, `new Set()`.
fn is_constructed(text: &str) -> bool {
    const NAMES: [&str; 8] = ["array", "list", "set", "frozenset", "tuple", "vec!", "arraylist", "sequence"];
    let text = text.strip_prefix("new ").unwrap_or(text);
    let Some(bracket) = text.find(['(', '[', '{']).filter(|_| text.ends_with([')', ']', '}'])) else { return false };
    NAMES.iter().any(|name| text[..bracket].trim_end().eq_ignore_ascii_case(name))
}

/// Returns `true` if the words of a text form a list, as shown by bullets, numbers, keys, or joining words.
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
    // A single capital letter is part of a name: "Generation Y".
    let is_joint = |word: &str| JOINTS.contains(&word) || word.len() > 1 && is_one_of(word, &JOINTS);
    is_number || is_separated || has_key || is_alike(text) || joins_names(text, is_joint)
}

/// Returns `true` if all words of a text are numbers, or begin with the same sign: `1 2 3`, `#rust #go`, `-v -x`.
fn is_alike(text: &str) -> bool {
    let all = |is_so: &dyn Fn(&str) -> bool| text.split_whitespace().all(is_so);
    let is_signed = |sign: char| all(&|word| word.strip_prefix(sign).is_some_and(|rest| !rest.is_empty()));
    all(&|word| word.bytes().all(|digit| digit.is_ascii_digit())) || ['#', '@', '-'].into_iter().any(is_signed)
}

/// Returns `true` if the joined words are items (names, or a single word on each side) and not parts of a sentence.
fn joins_names(text: &str, is_joint: impl Fn(&str) -> bool) -> bool {
    let (mut joints, mut names, mut others) = (0_usize, 0_usize, 0_usize);
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        // A word at the end joins nothing: "Portland OR".
        if is_joint(word) && names + others > 0 && words.peek().is_some() {
            joints += 1;
        } else if word.starts_with(|first: char| !first.is_lowercase()) {
            names += 1;
        } else {
            others += 1;
        }
    }
    joints > 0 && (others == 0 || names + others <= joints + 1)
}

/// Returns `true` if a text is a word by which JSON, Python or JavaScript writes a missing value.
pub(super) fn is_absent_word(text: &str) -> bool {
    matches!(text.trim_matches([' ', '\t', '\n', '\r']), "null" | "None" | "undefined")
}

/// Returns `true` if a shape accepts texts other than the names that it lists; its rules are ignored. With such a shape, a text that is one
/// item cannot be distinguished from a text that lists several.
pub(super) fn takes_free_text(shape: &Shape, hops: u8) -> bool {
    takes_text(shape, hops, |_| false)
}

/// Returns `true` if a word for a missing value may be meant as a text: the shape accepts free texts, or lists such a word in any case.
pub(super) fn takes_absent_word(shape: &Shape) -> bool {
    const WORDS: [&str; 4] = ["null", "none", "undefined", "nil"];
    takes_text(shape, 0, |name| WORDS.iter().any(|word| name.trim().eq_ignore_ascii_case(word)))
}

/// Returns `true` if a shape accepts free texts, or a name that passes the test.
fn takes_text(shape: &Shape, hops: u8, is_wanted: fn(&str) -> bool) -> bool {
    match &shape.kind {
        Kind::String | Kind::Any | Kind::Foreign(_) => true,
        Kind::Alias(inner) | Kind::Nullable(inner) => hops < 16 && takes_text(&inner.shape(), hops + 1, is_wanted),
        Kind::Union(union) => union.variants.iter().any(|variant| {
            let is_untold = variant.untagged || union.tagging == Tagging::Untagged;
            let payload = variant.payload.as_ref().filter(|_| is_untold && hops < 16);
            variant.other
                || !is_untold && variant.spellings().any(is_wanted)
                || payload.is_some_and(|payload| takes_text(&payload.shape(), hops + 1, is_wanted))
        }),
        _ => false,
    }
}
