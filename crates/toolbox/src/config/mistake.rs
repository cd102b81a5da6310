//! The mistakes of a configuration file: [`Mistake`].

use crate::private::suggest::nearest;

/// A mistake, with its line and the key that it is about.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mistake {
    pub(super) line: usize,
    /// The path of the key; empty if the file is not valid TOML.
    pub(super) key: String,
    pub(super) text: String,
}

impl Mistake {
    /// Returns the message about a mistake of a file.
    pub(super) fn message(&self, file: &str) -> String {
        let Self { line, key, text } = self;
        let colon = if key.is_empty() { "" } else { ": " };
        format!("{file}:{line}: {key}{colon}{text}")
    }
}

/// Returns the end of a message with the candidate that a word most likely means.
pub(super) fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |candidate| format!("; did you mean \"{candidate}\"?"))
}

/// Returns the number of the line that contains a byte, counted from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}
