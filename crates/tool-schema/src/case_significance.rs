//! Decides whether the case of letters carries meaning: [`is_other_symbol`].
//!
//! In a word, case is a matter of spelling (`PROD`, `Success`). In a symbol it is not: `mW` and `MW`, `MB/s` and `Mb/s`, `1m` and `1M` are
//! different units. There is no list of units; the spelling of both texts decides.

/// The number of letters from which a word is not a symbol.
const WORD: usize = 3;

/// The consonants behind an `m` that may be a prefix of a unit. `y` is often a vowel.
const CONSONANTS: &str = "bcdfghjklmnpqrstvwxz";

/// Returns `true` if a text and a name that are equal but for case and separators may be symbols of different things.
///
/// This is so if they differ in the case of a letter that is not part of a word (see [`Word::is_plain`]), or of a first letter that may be
/// a prefix: the rest of the name is a name too (with the names `bar` and `mbar`, `Mbar` is not `mbar`), or the word begins with an `m` and
/// a consonant, with which few words begin. If only one of the two separates its words, each word must have three or more letters:
/// `re-sign` is not `resign`.
pub(crate) fn is_other_symbol(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    let (sent, known) = (Letters::from_text(text), Letters::from_text(name));
    let has_short_word = || sent.words.iter().chain(&known.words).any(|word| word.letters < WORD);
    sent.differs(&known, |word, _| word.is_plain())
        || sent.has_other_prefix(&known, |_| true)
        || is_name_without_prefix(text, name, is_name)
        || sent.words.len() != known.words.len() && sent.parts() != known.parts() && has_short_word()
}

/// Returns `true` if the name should not even be suggested for the text. In contrast to [`is_other_symbol`], a word of two letters is no
/// symbol if it is written in lower case or in capitals, and no short word is one beside a longer word: `US` may be suggested for `us`, and
/// `In Progress` for `in_progress`, but not `MW` for `mW`.
pub(crate) fn is_unlike(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    let is_word = |word: &Word, all: &[Word]| {
        word.letters > 1 && (word.has_one_case() || word.is_capitalised() && all.iter().any(Word::is_plain))
    };
    let (sent, known) = (Letters::from_text(text), Letters::from_text(name));
    // In `MQTT`, the case of all letters differs from `mqtt`, so it says little about the first one.
    sent.differs(&known, is_word)
        || sent.has_other_prefix(&known, |is_rest_equal| is_rest_equal)
        || is_name_without_prefix(text, name, is_name)
}

/// Returns `true` if the first letters differ, and the rest of the name is a name too.
fn is_name_without_prefix(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    let mut rest = name.chars();
    let first = rest.next();
    text.trim().chars().next() != first && is_name(rest.as_str())
}

/// The letters and digits of a text, each with the index of its word.
#[derive(Default)]
struct Letters {
    letters: Vec<(char, usize)>,
    words: Vec<Word>,
}

/// A word, by its numbers of letters.
#[derive(Default)]
struct Word {
    letters: usize,
    capitals: usize,
    starts_with_capital: bool,
    /// `true` if a separator or a digit is before the word, or nothing.
    is_apart: bool,
}

impl Letters {
    /// Returns the number of words that are separated by other characters than letters.
    fn parts(&self) -> usize {
        self.words.iter().filter(|word| word.is_apart).count()
    }

    /// Returns `true` if the texts differ in the case of a letter that is not part of a word in both of them.
    fn differs(&self, other: &Self, is_word: impl Fn(&Word, &[Word]) -> bool) -> bool {
        let is_in_word = |text: &Self, word: usize| is_word(&text.words[word], &text.words);
        self.letters.len() != other.letters.len()
            || self.letters.iter().zip(&other.letters).any(|(&(letter, word), &(other_letter, other_word))| {
                letter != other_letter && !(is_in_word(self, word) && is_in_word(other, other_word))
            })
    }

    /// Returns `true` if the texts differ in the case of an `m` before a consonant. `counts` is asked with `true` if the rest of the word is
    /// equal.
    fn has_other_prefix(&self, other: &Self, counts: impl Fn(bool) -> bool) -> bool {
        self.letters.iter().zip(&other.letters).enumerate().any(|(at, (&(letter, word), &(other_letter, _)))| {
            let is_before = |&(letter, before): &(char, usize)| before == word && letter.is_alphabetic();
            let is_first = !at.checked_sub(1).is_some_and(|before| is_before(&self.letters[before]));
            let rest =
                || self.letters[at + 1..].iter().take_while(|(_, next)| *next == word).map(|&(letter, _)| letter);
            is_first
                && letter != other_letter
                && letter.eq_ignore_ascii_case(&'m')
                && rest().next().is_some_and(|next| CONSONANTS.contains(next.to_ascii_lowercase()))
                && counts(rest().zip(&other.letters[at + 1..]).all(|(letter, (other, _))| letter == *other))
        })
    }

    fn from_text(text: &str) -> Self {
        let (mut found, mut before) = (Self::default(), None::<char>);
        for letter in text.chars() {
            let is_hump = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
            let is_apart = !before.is_some_and(char::is_alphabetic);
            if letter.is_alphabetic() && (is_hump || is_apart) {
                found.words.push(Word { starts_with_capital: letter.is_uppercase(), is_apart, ..Word::default() });
            }
            if let Some(word) = found.words.last_mut().filter(|_| letter.is_alphabetic()) {
                word.letters += 1;
                word.capitals += usize::from(letter.is_uppercase());
            }
            if letter.is_alphanumeric() {
                found.letters.push((letter, found.words.len().saturating_sub(1)));
            }
            before = Some(letter);
        }
        found
    }
}

impl Word {
    /// Returns `true` for three or more letters that are written in lower case, in capitals, or with one capital at their beginning.
    const fn is_plain(&self) -> bool {
        self.letters >= WORD && (self.has_one_case() || self.is_capitalised())
    }

    const fn is_capitalised(&self) -> bool {
        self.capitals == 1 && self.starts_with_capital
    }

    const fn has_one_case(&self) -> bool {
        self.capitals == 0 || self.capitals == self.letters
    }
}

#[cfg(test)]
mod tests {
    use super::{is_other_symbol, is_unlike};

    fn has_symbols(text: &str, other: &str) -> bool {
        is_other_symbol(text, other, |_| false)
    }

    #[test]
    fn two_letters_of_one_case_are_suggested() {
        for (text, other, is_unlike) in [
            ("us", "US", false),
            ("KG", "kg", false),
            ("In Progress", "in_progress", false),
            ("PDF", "pdf", false),
            ("mW", "MW", true),
            ("m", "M", true),
            ("Mb", "MB", true),
            ("mW total", "MW_total", true),
        ] {
            assert_eq!(super::is_unlike(text, other, |_| false), is_unlike, "{text} {other}");
        }
        assert!(is_unlike("Mbar", "mbar", |name| name == "bar"));
    }

    #[test]
    fn the_first_letter_may_be_a_prefix() {
        let units = ["bar", "mbar"];
        let is_other = |text| is_other_symbol(text, "mbar", |name| units.contains(&name));
        for (text, name) in [
            ("Mmol", "mmol"),
            ("Mrad", "mrad"),
            ("1 Mbar", "1 mbar"),
            ("kg/Mmol", "kg/mmol"),
            ("rateMbit", "rate_mbit"),
        ] {
            assert!(has_symbols(text, name) && has_symbols(name, text), "{text} {name}");
        }
        for (text, name) in [("PDF", "pdf"), ("Pdf", "pdf"), ("Male", "male"), ("MARKDOWN", "markdown")] {
            assert!(!has_symbols(text, name), "{text} {name}");
        }
        assert!(is_other("Mbar") && is_other("MBAR") && !is_other("mBAR ".trim()) && !is_other("mbar"));
        assert!(!is_other_symbol("Prod", "prod", |name| units.contains(&name)));
    }

    #[test]
    fn case_is_spelling_only_in_words() {
        for (text, other) in [
            ("PROD", "prod"),
            ("Success", "SUCCESS"),
            ("readOnly", "read_only"),
            ("ReadOnly", "READ-ONLY"),
            ("this_server", "thisServer"),
            ("TEXT/HTML", "text/html"),
            ("iphone", "iPhone"),
            ("h264", "h264"),
            ("UTF-8", "utf8"),
            ("Été", "été"),
        ] {
            assert!(!has_symbols(text, other) && !has_symbols(other, text), "{text} {other}");
        }
        for (text, other) in [
            ("mW", "MW"),
            ("mWh", "MWh"),
            ("kwh", "kWh"),
            ("MB/s", "Mb/s"),
            ("GBps", "Gbps"),
            ("M", "m"),
            ("1M", "1m"),
            ("30M", "30m"),
            ("µM", "µm"),
            ("k", "K"),
            ("mb", "MB"),
            ("MHz", "mHz"),
            ("Mpa", "mPa"),
            ("pH", "PH"),
            ("S", "s"),
            ("re-sign", "resign"),
            ("un-ionized", "unionized"),
            ("a void", "avoid"),
            ("rate_mb", "rateMb"),
            ("\u{212a}", "k"),
        ] {
            assert!(has_symbols(text, other) && has_symbols(other, text), "{text} {other}");
        }
    }
}
