//! A table of a configuration file whose keys are read one by one: [`Table`].
//!
//! Invariant: every key that is not read, or whose value is of another kind, is a mistake.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::mistake::{Mistake, did_you_mean, line_of};
use crate::private::visible;

/// The longest time that can be set.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A key and its value.
type Entry<'t, 'f> = (&'t Spanned<DeString<'f>>, &'t Spanned<DeValue<'f>>);

/// A table, with the mistakes that were found in the file.
pub(super) struct Table<'t, 'f> {
    text: &'f str,
    entries: &'t DeTable<'f>,
    /// The path of the table, with a point at its end; empty for the file itself.
    path: String,
    /// The byte of the file at which the table begins.
    start: usize,
    /// The keys that were read.
    known: Vec<&'static str>,
    /// `true` if the keys are not fixed.
    has_any_keys: bool,
    mistakes: &'t mut Vec<Mistake>,
}

impl<'t, 'f> Table<'t, 'f> {
    pub(super) fn new(text: &'f str, table: &'t DeTable<'f>, mistakes: &'t mut Vec<Mistake>) -> Self {
        Self { text, entries: table, path: String::new(), start: 0, known: Vec::new(), has_any_keys: false, mistakes }
    }

    fn entry(&mut self, key: &'static str) -> Option<Entry<'t, 'f>> {
        self.known.push(key);
        self.entries.get_key_value(key)
    }

    /// Reports a mistake at a byte of the file.
    fn mistake(&mut self, byte: usize, key: &str, text: String) {
        let key = visible::escaped(&format!("{}{key}", self.path)).into_owned();
        self.mistakes.push(Mistake { line: line_of(self.text, byte), key, text });
    }

    /// Reports a value that is not of the expected kind.
    fn unexpected(&mut self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("\"{}\"", visible::escaped(text)),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Boolean(value) => value.to_string(),
            other => match other.type_str() {
                kind @ "array" => format!("an {kind}"),
                kind => format!("a {kind}"),
            },
        };
        self.mistake(value.span().start, key, format!("expected {expected}, found {found}"));
    }

    /// Reads a value with a function; a value that it rejects is a mistake.
    pub(super) fn value<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        let (_, value) = self.entry(key)?;
        let read = read(value.get_ref());
        if read.is_none() {
            self.unexpected(key, value, expected);
        }
        read
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        self.value(key, "true or false", |value| match value {
            DeValue::Boolean(value) => Some(*value),
            _ => None,
        })
    }

    pub(super) fn text(&mut self, key: &'static str, expected: &str) -> Option<String> {
        self.value(key, expected, |value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned))
    }

    /// Reads a whole number of at least `least`.
    pub(super) fn number<N: TryFrom<u64>>(&mut self, key: &'static str, least: u64) -> Option<N> {
        self.value(key, &format!("a whole number of at least {least}"), |value| whole(value, least))
    }

    /// Reads a time such as `"10s"`.
    pub(super) fn duration(&mut self, key: &'static str) -> Option<Duration> {
        self.value(key, "a time such as \"500ms\", \"10s\" or \"2m\"", |value| duration(value.as_str()?))
    }

    /// Reads one of several words.
    pub(super) fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let (_, value) = self.entry(key)?;
        let word = value.get_ref().as_str();
        let chosen = choices.iter().find(|(name, _)| Some(*name) == word);
        if chosen.is_none() {
            let mut expected = one_of(choices.iter().map(|(name, _)| *name));
            if let Some(word) = word {
                let hint = did_you_mean(word, choices.iter().map(|(name, _)| *name));
                expected = format!("{expected}, found \"{}\"{hint}", visible::escaped(word));
                self.mistake(value.span().start, key, format!("expected {expected}"));
            } else {
                self.unexpected(key, value, &expected);
            }
        }
        chosen.map(|(_, value)| *value)
    }

    /// Reads a list of texts. Each other item is a mistake.
    pub(super) fn texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let (_, value) = self.entry(key)?;
        let Some(items) = value.get_ref().as_array() else {
            self.unexpected(key, value, "a list of texts");
            return None;
        };
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref().as_str() {
                Some(text) if !text.is_empty() => texts.push(text.to_owned()),
                _ => self.unexpected(key, item, "a text that is not empty"),
            }
        }
        Some(texts)
    }

    /// Reads a table.
    pub(super) fn table<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Table<'_, 'f>) -> T) -> Option<T> {
        let (_, value) = self.entry(key)?;
        self.inner(key, value, read)
    }

    /// Reads a table of tables with any keys.
    pub(super) fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&str, &mut Table<'_, 'f>) -> T,
    ) -> Vec<(String, T)> {
        let Some((_, value)) = self.entry(key) else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.unexpected(key, value, "a table");
            return Vec::new();
        };
        let path = format!("{}{key}.", self.path);
        let start = value.span().start;
        let mut tables = self.inside(table, path, start);
        let mut all = Vec::new();
        for (name, value) in table {
            let name: &str = name.get_ref();
            let inner = tables.inner(name, value, |table| read(name, table));
            all.extend(inner.map(|read| (name.to_owned(), read)));
        }
        all
    }

    /// Reads all entries of the table, whose values are texts. A mistake does not contain the value, which can be a secret.
    pub(super) fn all_texts(&mut self) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        self.has_any_keys = true;
        for (key, value) in self.entries {
            let key: &str = key.get_ref();
            match value.get_ref().as_str() {
                Some(text) => texts.push((key.to_owned(), text.to_owned())),
                None => self.mistake(value.span().start, key, "expected a text in quotes".to_owned()),
            }
        }
        texts
    }

    /// Returns `true` if the table has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Reports a mistake of the whole table.
    pub(super) fn reject(&mut self, text: &str) {
        let key = visible::escaped(self.path.trim_end_matches('.')).into_owned();
        self.mistakes.push(Mistake { line: line_of(self.text, self.start), key, text: text.to_owned() });
    }

    /// Reports a mistake about a key that is present.
    pub(super) fn reject_key(&mut self, key: &str, text: &str) {
        let start = self.entries.get_key_value(key).map_or(self.start, |(key, _)| key.span().start);
        self.mistake(start, key, text.to_owned());
    }

    /// Reports a mistake about a key if it is present.
    pub(super) fn reject_present(&mut self, key: &str, text: &str) {
        if self.has(key) {
            self.reject_key(key, text);
        }
    }

    /// Returns a table inside of this one.
    fn inside<'m>(&'m mut self, entries: &'m DeTable<'f>, path: String, start: usize) -> Table<'m, 'f> {
        Table { text: self.text, entries, path, start, known: Vec::new(), has_any_keys: false, mistakes: self.mistakes }
    }

    fn inner<T>(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'f>>,
        read: impl FnOnce(&mut Table<'_, 'f>) -> T,
    ) -> Option<T> {
        let Some(table) = value.get_ref().as_table() else {
            self.unexpected(key, value, "a table");
            return None;
        };
        let path = format!("{}{key}.", self.path);
        let start = value.span().start;
        let mut inner = self.inside(table, path, start);
        let read = read(&mut inner);
        inner.end();
        Some(read)
    }

    /// Reports the keys that were not read.
    pub(super) fn end(&mut self) {
        for (key, _) in self.entries {
            let name: &str = key.get_ref();
            if !self.has_any_keys && !self.known.contains(&name) {
                let mut hint = did_you_mean(name, self.known.iter().copied());
                if hint.is_empty() {
                    let mut known = self.known.clone();
                    known.sort_unstable();
                    hint = format!("; known keys are {}", known.join(", "));
                }
                self.mistake(key.span().start, name, format!("unknown key{hint}"));
            }
        }
    }
}

/// Returns a list of alternatives.
fn one_of(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    match &*words {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.join(", "),
    }
}

/// Reads a whole number of at least `least`.
pub(super) fn whole<N: TryFrom<u64>>(value: &DeValue<'_>, least: u64) -> Option<N> {
    let number = value.as_integer()?;
    let number = u64::from_str_radix(number.as_str(), number.radix()).ok()?;
    N::try_from(number).ok().filter(|_| number >= least)
}

/// Reads a time of more than zero.
fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|character: char| !character.is_ascii_digit())?);
    let number: u64 = number.parse().ok().filter(|&number| number > 0)?;
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => number.checked_mul(60).map(Duration::from_secs),
        "h" => number.checked_mul(3_600).map(Duration::from_secs),
        _ => None,
    }
    .filter(|time| *time <= LONGEST)
}
