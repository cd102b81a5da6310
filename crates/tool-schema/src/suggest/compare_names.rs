//! Compares two names by their words and letters.

use std::cmp::Reverse;
use std::mem;

use super::compare_words::{
    LONG_WORD, MOST_EDITS, NEGATING_PREFIXES, NEGATING_WORDS, OTHER_THING, SAME_NOUNS, is_abbreviation, is_edited,
    normal_word,
};

/// The maximum length of names that are compared by words and edits.
pub(super) const LONGEST: usize = 64;

/// A name prepared for comparisons.
pub(super) struct Name<'n> {
    pub(super) text: &'n str,
    pub(super) folded: String,
    /// The end of each word in the folded name, except for the last word.
    pub(super) ends: Vec<usize>,
    pub(super) length: usize,
    /// The number of occurrences of each letter in the folded name; letters with the same index are counted together.
    pub(super) letters: [u8; 64],
}

/// The similarity of two names; smaller values are better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resemblance {
    Same,
    SameFolded,
    SameWords,
    Contained { shared: Reverse<usize>, length: usize },
    Edited { distance: usize },
}

impl<'n> Name<'n> {
    pub(super) fn new(text: &'n str) -> Self {
        // This capacity is enough for every name that is split into words, so later names need no allocation.
        let folded = String::with_capacity(LONGEST);
        let mut name = Self { text: "", folded, ends: Vec::new(), length: 0, letters: [0; 64] };
        name.read(text);
        name
    }

    /// Prepares a name: converts it to lower case and splits it into words. The memory of the previous name is reused.
    pub(super) fn read(&mut self, text: &'n str) {
        (self.text, self.length, self.letters) = (text, 0, [0; 64]);
        let Self { folded, ends, length, letters, .. } = self;
        folded.clear();
        folded.reserve(text.len());
        ends.clear();
        // Most names are a single word in lower case.
        if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            folded.push_str(text);
            *length = text.len();
            text.bytes().for_each(|letter| count(letters, letter.into()));
            return;
        }
        let (mut before, mut rest) = (None::<char>, text.chars());
        while let Some(current) = rest.next() {
            let is_sign = || {
                before.is_none_or(|before| before.is_ascii_digit())
                    && rest.clone().next().is_some_and(|after| after.is_ascii_digit())
            };
            let is_separator =
                (matches!(current, '_' | '-' | '.' | '/' | ':') || current.is_whitespace()) && !is_sign();
            let is_hump = current.is_uppercase() && before.is_some_and(char::is_lowercase);
            if (is_separator || is_hump) && ends.last().copied().unwrap_or(0) < folded.len() {
                ends.push(folded.len());
            }
            if !is_separator {
                if current.is_ascii() {
                    folded.push(current.to_ascii_lowercase());
                } else {
                    folded.extend(current.to_lowercase());
                }
            }
            before = Some(current);
        }
        for letter in folded.chars() {
            *length += 1;
            count(letters, letter);
        }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        let ends = self.ends.iter().copied().chain([self.folded.len()]);
        let words = ends.map(move |end| &self.folded[mem::replace(&mut start, end)..end]);
        words.filter(|word| !word.is_empty())
    }

    pub(super) fn resemblance<'c>(&self, sample: &'c str, other: &mut Name<'c>) -> Option<Resemblance> {
        if self.text == sample {
            return Some(Resemblance::Same);
        }
        other.read(sample);
        if self.length == 0 || other.length == 0 {
            return None;
        }
        if self.folded == other.folded {
            return Some(Resemblance::SameFolded);
        }
        if self.length.max(other.length) > LONGEST {
            return None;
        }
        if self.negates(other) || other.negates(self) {
            return None;
        }
        self.same_words(other).or_else(|| self.contained(other)).or_else(|| self.edited(other))
    }

    /// Returns `true` if both certainly name one field (see [`is_same_field`]).
    pub(super) fn is_same_field(&self, other: &Name) -> bool {
        if self.letters().eq(other.letters()) {
            return self.length > 0;
        }
        let (short, long) = if self.ends.len() < other.ends.len() { (self, other) } else { (other, self) };
        let [mut short, mut long] = [short, long].map(|name| name.words().map(normal_word));
        let (noun, added, last) = (short.next(), long.next(), long.next());
        short.next().is_none()
            && long.next().is_none()
            && noun == last
            && added.zip(last).is_some_and(|pair| SAME_NOUNS.contains(&pair))
    }

    /// Returns the letters of all words without the endings of plurals.
    pub(super) fn letters(&self) -> impl Iterator<Item = u8> {
        self.words().flat_map(|word| normal_word(word).bytes())
    }

    /// Returns `true` if the other name becomes this one by a negating word or syllable.
    pub(super) fn negates(&self, other: &Name) -> bool {
        let lacks = |word: &&str| !other.words().any(|known| known == *word);
        let mut own = self.words().filter(lacks);
        own.any(|word| {
            (NEGATING_WORDS.contains(&word) || NEGATING_PREFIXES.contains(&word))
                && !other.words().any(|known| is_edited(word, known))
                || NEGATING_PREFIXES.iter().any(|prefix| {
                    let plain = word.strip_prefix(prefix);
                    plain.is_some_and(|plain| other.words().any(|known| known == plain || is_edited(plain, known)))
                })
        })
    }

    pub(super) fn same_words(&self, other: &Name) -> Option<Resemblance> {
        let sorted = |name: &Name| {
            let mut words: Vec<String> = name.words().map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        (self.letters == other.letters && sorted(self) == sorted(other)).then_some(Resemblance::SameWords)
    }

    pub(super) fn contained(&self, other: &Name) -> Option<Resemblance> {
        let (short, long) = if self.length < other.length { (self, other) } else { (other, self) };
        let contained =
            2 * short.length >= long.length && short.words().all(|word| long.words().any(|other| other == word));
        contained.then_some(Resemblance::Contained { shared: Reverse(short.length), length: long.length })
    }

    /// Compares the names word by word.
    pub(super) fn edited(&self, other: &Name) -> Option<Resemblance> {
        if self.length.abs_diff(other.length) > MOST_EDITS * (self.ends.len() + 1) {
            return None;
        }
        let words = self.ends.len() + 1;
        let allowed = (self.length.max(other.length) / 4).min(MOST_EDITS * words);
        if self.ends.len() != other.ends.len() || self.lacks(other).max(other.lacks(self)) > allowed {
            return None;
        }
        if !self.words().zip(other.words()).all(|(word, other)| word == other || is_edited(word, other)) {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&self.folded, &other.folded);
        Some(Resemblance::Edited { distance })
    }

    /// Returns `true` if one word of the name is a misspelling of a word of the other one, by one letter, and the rest is equal.
    pub(super) fn is_misspelt(&self, other: &Name) -> bool {
        let has_digits = |name: &Name| name.folded.bytes().any(|byte| byte.is_ascii_digit());
        let lengths = [self.length, other.length];
        if lengths.iter().any(|length| !(LONG_WORD..=LONGEST).contains(length))
            || has_digits(self)
            || self.negates(other)
            || other.negates(self)
        {
            return false;
        }
        matches!(self.edited(other), Some(Resemblance::Edited { distance: 1 }))
    }

    /// Returns `true` if each word is a word of the other name or an abbreviation of it.
    pub(super) fn abbreviates(&self, other: &Name) -> bool {
        self.length < other.length
            && other.length <= LONGEST
            && self.ends.len() == other.ends.len()
            && self.words().zip(other.words()).all(|(short, long)| short == long || is_abbreviation(short, long))
    }

    /// Returns the number of letters of the other name that this one lacks, which is a lower bound on the number of edits. Both names are
    /// at most [`LONGEST`] characters long, so a byte is sufficient.
    pub(super) fn lacks(&self, other: &Name) -> usize {
        let missing = self.letters.iter().zip(other.letters).map(|(here, there)| there.saturating_sub(*here));
        missing.fold(0, u8::wrapping_add).into()
    }
}

/// Returns `true` if two similar names may be names of the same field (see [`suggested_field`]).
pub(super) fn is_same_thing(name: &Name, other: &Name) -> bool {
    if name.ends.len() == other.ends.len() || name.folded == other.folded {
        return true;
    }
    let (short, long) = if name.ends.len() < other.ends.len() { (name, other) } else { (other, name) };
    let is_added = |word: &&str| !short.words().any(|known| known == *word);
    short.words().last() == long.words().last()
        && !long.words().filter(is_added).any(|word| OTHER_THING.contains(&word))
}

pub(super) fn count(letters: &mut [u8; 64], letter: char) {
    let count = &mut letters[letter as usize % 64];
    *count = count.saturating_add(1);
}
