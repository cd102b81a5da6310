//! Compares two words, and lists the words that change the meaning of a name.

/// The maximum number of edits in a word.
pub(super) const MOST_EDITS: usize = 2;

/// The length from which a letter of a word may be replaced.
pub(super) const REPLACEABLE: usize = 6;

/// The length of words from which a last `s` is the ending of a plural, and from which a value may be a misspelling of another one.
pub(super) const LONG_WORD: usize = 5;

/// Nouns that may be in front of another one without changing what it names.
pub(super) const SAME_NOUNS: [(&str, &str); 4] =
    [("file", "path"), ("file", "content"), ("search", "query"), ("search", "term")];

/// Units of which the plural is a duration, and the singular may be a point in time.
pub(super) const UNITS_OF_TIME: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

/// Words that turn the meaning of a name around.
pub(super) const NEGATING_WORDS: [&str; 31] = [
    "no",
    "not",
    "non",
    "never",
    "dont",
    "without",
    "except",
    "exclude",
    "excludes",
    "excluded",
    "excluding",
    "skip",
    "ignore",
    "ignored",
    "omit",
    "disable",
    "dry",
    "soft",
    "deny",
    "ban",
    "drop",
    "stop",
    "pre",
    "half",
    "anti",
    "keep",
    "retain",
    "preserve",
    "undo",
    "unless",
    "if",
];

/// Syllables that turn the meaning of a word around.
pub(super) const NEGATING_PREFIXES: [&str; 10] = ["un", "in", "im", "ir", "il", "dis", "de", "non", "a", "anti"];

/// Words that make a field another thing of the same kind, such as the id of the parent instead of the id.
pub(super) const OTHER_THING: [&str; 30] = [
    "old",
    "new",
    "min",
    "max",
    "minimum",
    "maximum",
    "start",
    "end",
    "first",
    "last",
    "next",
    "previous",
    "prev",
    "parent",
    "child",
    "source",
    "src",
    "target",
    "dest",
    "destination",
    "from",
    "to",
    "before",
    "after",
    "other",
    "total",
    "default",
    "is",
    "has",
    "num",
];

/// Returns `true` if a word is a misspelling of another one (see [`nearest`]).
pub(super) fn is_edited(word: &str, other: &str) -> bool {
    let has_digits = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let (length, other_length) = (word.chars().count(), other.chars().count());
    let allowed = (length.max(other_length) / 4).min(MOST_EDITS);
    if length.abs_diff(other_length) > allowed
        || word.chars().next() != other.chars().next()
        || has_digits(word)
        || has_digits(other)
    {
        return false;
    }
    let distance = strsim::damerau_levenshtein(word, other);
    // Between words of equal length, one edit is a replaced letter, or two neighbours that changed places.
    let is_swap = || distance == 1 && sorted_letters(word) == sorted_letters(other);
    (1..=allowed).contains(&distance) && (length != other_length || length >= REPLACEABLE || is_swap())
}

fn sorted_letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns `true` if a word of three or more letters is the beginning of another one, or consists of its first letter and some of its
/// consonants, in order.
pub(super) fn is_abbreviation(short: &str, long: &str) -> bool {
    let mut letters = short.chars();
    let is_consonant = |letter: char| letter.is_ascii_alphabetic() && !"aeiou".contains(letter);
    let mut rest = long.chars();
    short.len() >= 3
        && short.len() < long.len()
        && (long.starts_with(short)
            || letters.next() == rest.next()
                && letters.all(|letter| is_consonant(letter) && rest.any(|other| other == letter)))
}

/// Returns a word without the ending of a plural.
pub(super) fn normal_word(word: &str) -> &str {
    let singular = word
        .strip_suffix('s')
        .filter(|singular| word.len() >= LONG_WORD && !singular.ends_with('s') && !UNITS_OF_TIME.contains(singular));
    singular.unwrap_or(word)
}
