//! Finds the names of redacted arguments in keys and texts: [`Names`].
//!
//! A text mentions a name if it contains the words of the name in a row, in any case and with any separators: `apiKey`, `API-KEY: x` and
//! `"api" + "key"` mention `api_key`. Escapes such as `\u0074`, `\x74`, `%74` and `&#116;` are undone first, however many backslashes they
//! have. A similar name (`tokn`) only counts in front of `:`, `=` or `>`. Invariant: the work is linear in the text.

use crate::private::suggest::nearest;

/// The names of the redacted arguments.
pub(super) struct Names<'n> {
    names: &'n [String],
    folded: Vec<String>,
}

/// The way in which a text contains a redacted name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    None,
    /// The text is a name, or a path that ends with one, such as `/auth/token`.
    Name,
    /// The text is short, and it begins or ends with a name or is a path with one, and nothing is assigned to the name. So it may say what
    /// another text is: `TOKEN_1`.
    Label,
    /// The text contains a name and something else, which may be its value.
    More,
}

impl<'n> Names<'n> {
    pub(super) fn new(names: &'n [String]) -> Self {
        let folded = names.iter().map(|name| fold(name).text).filter(|name| !name.is_empty());
        Self { names, folded: folded.collect() }
    }

    /// Returns `true` if a key is a redacted name or resembles one.
    pub(super) fn resembles(&self, key: &str) -> bool {
        nearest(key, self.names.iter().map(String::as_str)).is_some()
    }

    pub(super) fn mention(&self, text: &str) -> Mention {
        let Folded { text: folded, starts } = fold(text);
        let ends = |at: usize| at == folded.len() || starts[at];
        let is_path = text.chars().all(|letter| letter.is_alphanumeric() || r#"/._-~#$[]'""#.contains(letter));
        let is_short = starts.iter().filter(|starts| **starts).count() <= MOST_WORDS
            && folded.len() <= LONGEST
            && !self.assigns(text);
        let mut found = Mention::None;
        for (at, _) in starts.iter().enumerate().filter(|(_, starts)| **starts) {
            for name in self.folded.iter().filter(|name| folded[at..].starts_with(&***name) && ends(at + name.len())) {
                let (is_first, is_last) = (at == 0, at + name.len() == folded.len());
                if is_last && (is_first || is_path) {
                    return Mention::Name;
                }
                if is_short && (is_first || is_last || is_path) {
                    found = Mention::Label;
                } else if found == Mention::None {
                    found = Mention::More;
                }
            }
        }
        if found == Mention::None && self.assigns(text) { Mention::More } else { found }
    }

    /// Returns `true` if a name that resembles a redacted one is followed by `:`, `=` or `>`, perhaps behind quotes or brackets.
    fn assigns(&self, text: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let is_between = |letter: char| letter.is_whitespace() || r#""'`)]}*\"#.contains(letter);
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            let (before, word) = rest.split_at(start);
            let (name, after) = word.split_at(word.find(|letter| !is_part(letter)).unwrap_or(word.len()));
            // The `n` of an escaped line break is not part of the name.
            let behind_escape = before.ends_with('\\').then(|| name.strip_prefix(BLANKS)).flatten();
            let is_name = |name: &str| self.resembles(name);
            if after.trim_start_matches(is_between).starts_with([':', '=', '>'])
                && (is_name(name) || behind_escape.is_some_and(is_name))
            {
                return true;
            }
            rest = after;
        }
        false
    }
}

/// The maximum numbers of words and bytes of a label.
const MOST_WORDS: usize = 4;
const LONGEST: usize = 40;

/// The letters that stand for white space behind a backslash.
const BLANKS: [char; 6] = ['n', 'r', 't', 'b', 'f', 'v'];

/// The letters and digits of a text in lower case.
struct Folded {
    text: String,
    /// For each byte, `true` if a word starts there.
    starts: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq)]
enum Letter {
    Lower,
    Upper,
    Digit,
    /// A letter of a script without case, in which words have no separators.
    Single,
}

fn fold(text: &str) -> Folded {
    let mut folded = Folded { text: String::with_capacity(text.len()), starts: Vec::with_capacity(text.len()) };
    let (mut rest, mut before, mut is_escape) = (text, None::<Letter>, false);
    while let Some((letter, after)) = first(rest) {
        rest = after;
        let kind = match letter {
            _ if !letter.is_alphanumeric() => None,
            _ if letter.is_numeric() => Some(Letter::Digit),
            _ if letter.is_uppercase() => Some(Letter::Upper),
            _ if letter.is_lowercase() => Some(Letter::Lower),
            _ => Some(Letter::Single),
        };
        if let Some(kind) = kind {
            let is_start = match (before, kind) {
                (None, _) | (_, Letter::Single) | (Some(Letter::Lower), Letter::Upper) => true,
                (Some(before), kind) => {
                    before == Letter::Single || (before == Letter::Digit) != (kind == Letter::Digit)
                }
            };
            let length = folded.text.len();
            folded.text.extend(letter.to_lowercase());
            folded.starts.resize(folded.text.len(), false);
            folded.starts[length] = is_start;
        }
        // A word starts behind the `n` of an escaped line break, and behind the backslash of a path.
        before = if is_escape && BLANKS.contains(&letter) { None } else { kind };
        is_escape = letter == '\\';
    }
    folded
}

/// Returns the first character of a text, with an escape undone, and the rest of the text.
fn first(text: &str) -> Option<(char, &str)> {
    let bare = text.trim_start_matches('\\');
    if bare.len() < text.len() {
        return Some(numbered(bare).unwrap_or(('\\', bare)));
    }
    let escaped = match text.as_bytes().first()? {
        b'%' => digits(&text[1..], 2, 16),
        b'&' => text.strip_prefix("&#").and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(number) => closed(number, ';', 16),
            None => closed(number, ';', 10),
        }),
        _ => None,
    };
    escaped.or_else(|| {
        let mut letters = text.chars();
        letters.next().map(|letter| (letter, letters.as_str()))
    })
}

/// Returns the character whose number follows a backslash, and the rest of the text.
fn numbered(text: &str) -> Option<(char, &str)> {
    let mut rest = text.chars();
    match rest.next()? {
        'u' if rest.as_str().starts_with('{') => closed(&rest.as_str()[1..], '}', 16),
        'u' => digits(rest.as_str(), 4, 16),
        'U' => digits(rest.as_str(), 8, 16),
        'x' => digits(rest.as_str(), 2, 16),
        _ => digits(text, 3, 8),
    }
}

fn digits(text: &str, count: usize, radix: u32) -> Option<(char, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    Some((character(number, radix)?, rest))
}

fn closed(text: &str, end: char, radix: u32) -> Option<(char, &str)> {
    let at = text.bytes().take(9).position(|byte| char::from(byte) == end)?;
    Some((character(&text[..at], radix)?, &text[at + 1..]))
}

/// Returns the character with this number; a space for half a surrogate pair.
fn character(number: &str, radix: u32) -> Option<char> {
    let is_number = number.chars().all(|digit| digit.is_digit(radix));
    let number = is_number.then(|| u32::from_str_radix(number, radix).ok())??;
    Some(char::from_u32(number).unwrap_or(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(name: &str, text: &str) -> Mention {
        Names::new(&[name.to_owned()]).mention(text)
    }

    #[test]
    fn a_name_is_found_in_every_spelling() {
        for text in [
            "token=hunter2",
            "token: hunter2",
            "TOKEN hunter2",
            "--token hunter2",
            "the token is hunter2",
            "hunter2 is the token!",
            "{'token': 'hunter2'}",
            "<token>hunter2</token>",
            "https://a.example/?token=hunter2",
            "apiToken hunter2",
            "to\\\nken: hunter2",
            "a\\ntoken: hunter2",
            r#"{"\u0074oken": "hunter2"}"#,
            r#"{\"\\\\u0074oken\": \"hunter2\"}"#,
            r"\x74oken=hunter2",
            r"\164oken=hunter2",
            r"\u{74}oken=hunter2",
            r"\U00000074oken=hunter2",
            "%74oken=hunter2",
            "&#116;oken: hunter2",
            "&#x74;oken: hunter2",
            "token1hunter2",
            "tokn = hunter2",
            "<tokn>hunter2",
            "'tokens': hunter2",
            "\u{1f600}token😀hunter2",
        ] {
            assert!(matches!(mention("token", text), Mention::More | Mention::Label), "{text}");
        }
        for text in ["api_key: x", "API-KEY: x", "apiKey x", "APIKEY=x", "api key x", r#""api" + "key", x"#] {
            assert!(matches!(mention("api_key", text), Mention::More | Mention::Label), "{text}");
        }
        assert_ne!(mention("密码", "密码是hunter2"), Mention::None);
    }

    #[test]
    fn a_name_alone_and_a_path_to_it_are_names() {
        for text in ["token", " Token ", "\"token\"", "/auth/token", "auth.token", "$.auth['token']", "--token"] {
            assert_eq!(mention("token", text), Mention::Name, "{text}");
        }
    }

    #[test]
    fn a_short_text_with_a_name_is_a_label() {
        for text in ["TOKEN_1", "the token", "env:TOKEN", "/auth/token/0", "user token"] {
            assert_eq!(mention("token", text), Mention::Label, "{text}");
        }
        for text in ["token=x", "a token for x and y", "what is the best token of them"] {
            assert_eq!(mention("token", text), Mention::More, "{text}");
        }
    }

    #[test]
    fn other_words_are_no_mention() {
        for text in
            ["", "stoken", "tokenize it", "max_tokens", "taken", "to kenya", r"C:\users\kent", "%", "&#", "\\u", "\\"]
        {
            assert_eq!(mention("token", text), Mention::None, "{text}");
        }
        assert_eq!(mention("_", "a_b"), Mention::None);
    }
}
