//! Decides whether the case of letters carries meaning: [`is_other_symbol`].
//!
//! In a word, case is a matter of spelling (`PROD`, `Success`). In a symbol it is not: `mW` and `MW`, `MB/s` and `Mb/s`, `1m` and `1M` are
//! different units. There is no list of units; the spelling of both texts decides.

/// The number of letters from which a word is not a symbol.
const WORD: usize = 3;

/// Returns `true` if a text and a name that are equal but for case and separators may be symbols of different things.
///
/// This is so if they differ in the case of a letter that is not part of a word, or if their first letters differ in case and may be
/// prefixes, because the rest of the name is a name too: with the names `bar` and `mbar`, `Mbar` is not `mbar`.
pub(crate) fn is_other_symbol(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    has_symbols(text, name, Word::is_plain) || has_prefix(text, name, is_name)
}

/// Returns `true` if the name should not even be suggested for the text. In addition to [`is_other_symbol`], a word of two letters is no
/// symbol if it is written in lower case or in capitals: `US` may be suggested for `us`, but not `MW` for `mW`.
pub(crate) fn is_unlike(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    has_symbols(text, name, |word| word.is_plain() || word.letters > 1 && word.has_one_case())
        || has_prefix(text, name, is_name)
}

/// Returns `true` if the first letters differ and may be prefixes: the rest of the name is a name too, or the name begins with an `m` or a
/// `p` and a consonant with which no word begins (`Mbar`, `mbar`).
fn has_prefix(text: &str, name: &str, is_name: impl Fn(&str) -> bool) -> bool {
    let mut rest = name.chars();
    let first = rest.next();
    let second = rest.as_str().chars().next().unwrap_or_default().to_ascii_lowercase();
    let is_unusual = match first {
        Some('m' | 'M') => "bcdfghjklmnpqvwxz".contains(second),
        Some('p' | 'P') => "bcdgjkmpqvwxz".contains(second),
        _ => false,
    };
    text.trim().chars().next() != first && (is_unusual || is_name(rest.as_str()))
}

/// Returns `true` if two texts differ in the case of a letter that is not part of a `plain` word in both of them.
///
/// A word has three or more letters, and is written in lower case, in capitals, or with one capital at its beginning. Texts are divided
/// into words at all other characters, and before a capital that follows a small letter, as in `readOnly`.
fn has_symbols(text: &str, other: &str, is_plain: impl Fn(&Word) -> bool) -> bool {
    let (text, other) = (Letters::of(text), Letters::of(other));
    text.letters.len() != other.letters.len()
        || text.letters.iter().zip(&other.letters).any(|(&(letter, word), &(other_letter, other_word))| {
            letter != other_letter && !(is_plain(&text.words[word]) && is_plain(&other.words[other_word]))
        })
}

/// The letters and digits of a text, each with the index of its word.
#[derive(Default)]
struct Letters {
    letters: Vec<(char, usize)>,
    words: Vec<Word>,
}

/// The numbers of letters of a word.
#[derive(Default)]
struct Word {
    letters: usize,
    capitals: usize,
    starts_with_capital: bool,
}

impl Letters {
    fn of(text: &str) -> Self {
        let (mut found, mut before) = (Self::default(), None::<char>);
        for letter in text.chars() {
            let is_hump = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
            if letter.is_alphabetic() && (is_hump || !before.is_some_and(char::is_alphabetic)) {
                found.words.push(Word { starts_with_capital: letter.is_uppercase(), ..Word::default() });
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
    const fn is_plain(&self) -> bool {
        let is_capitalised = self.capitals == 1 && self.starts_with_capital;
        self.letters >= WORD && (self.has_one_case() || is_capitalised)
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
        for (text, other, is_unlike) in
            [("us", "US", false), ("KG", "kg", false), ("mW", "MW", true), ("m", "M", true), ("Mb", "MB", true)]
        {
            assert_eq!(super::is_unlike(text, other, |_| false), is_unlike, "{text} {other}");
        }
        assert!(is_unlike("Mbar", "mbar", |name| name == "bar"));
    }

    #[test]
    fn the_first_letter_may_be_a_prefix() {
        let units = ["bar", "mbar"];
        let is_other = |text| is_other_symbol(text, "mbar", |name| units.contains(&name));
        assert!(is_other_symbol("Mmol", "mmol", |_| false) && is_other_symbol("Mbar", "mbar", |_| false));
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
            ("rate_mb", "rateMb"),
            ("\u{212a}", "k"),
        ] {
            assert!(has_symbols(text, other) && has_symbols(other, text), "{text} {other}");
        }
    }
}
