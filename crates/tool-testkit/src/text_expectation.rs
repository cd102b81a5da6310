//! Expectations about the model's last answer: [`TextExpectation`], created by [`text`].
//!
//! Consecutive conditions must all hold. [`or`](TextExpectation::or) begins an alternative to all conditions before it. Upper and lower
//! case are distinguished.

use std::any::type_name;
use std::sync::Arc;

use crate::private::bounded;
use crate::private::json::write_visible;
use regex::Regex;
use serde::de::DeserializeOwned;

use super::{FailedExpectation, SetupError};

/// The maximum number of bytes of the answer that a sentence shows.
const SHOWN: usize = 400;

/// The number of bytes that a sentence shows before and after the position of an error.
const AROUND: usize = 40;

/// An expectation about the model's last answer.
///
/// ```
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, last_answer};
///
/// let expected = last_answer().contains("Paris").contains("sun").or().contains("do not know");
/// let expected = Expectations::new().expect(expected).build()?;
/// let report = expected.check(&Transcript::new(), &Toolbox::builder().build()?.session());
/// assert_eq!(
///     report.failed_expectations()[0].message(),
///     r#"Expected the text to contain "Paris" and to contain "sun" or to contain "do not know", but there was none."#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TextExpectation {
    /// The alternatives, each a list of conditions. The expectation is met if all conditions of one list hold.
    alternatives: Vec<Vec<Test>>,
    errors: Vec<SetupError>,
}

#[derive(Clone)]
enum Test {
    Contains(String),
    Equals(String),
    Regex(Regex),
    All(Vec<String>),
    Any(Vec<String>),
    None(Vec<String>),
    Json(&'static str, Arc<Reading>),
}

/// A function that parses and tests a text. It returns the reason if the text is not accepted.
type Reading = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// Begins an expectation about the model's last answer.
pub fn last_answer() -> TextExpectation {
    TextExpectation { alternatives: vec![Vec::new()], errors: Vec::new() }
}

impl TextExpectation {
    /// Requires that the text contains `part`.
    #[must_use]
    pub fn contains(mut self, part: &str) -> Self {
        if part.is_empty() {
            self.errors.push(SetupError::Empty("a text to be contained"));
        }
        self.and(Test::Contains(part.to_owned()))
    }

    /// Requires that the text equals `whole`, apart from whitespace at both ends.
    #[must_use]
    pub fn equals(self, whole: &str) -> Self {
        self.and(Test::Equals(whole.trim().to_owned()))
    }

    /// Requires that the regular expression finds a match in the text.
    #[must_use]
    pub fn matches_regex(mut self, pattern: &str) -> Self {
        match Regex::new(pattern) {
            Ok(regex) => return self.and(Test::Regex(regex)),
            Err(error) => {
                self.errors.push(SetupError::Pattern { pattern: pattern.to_owned(), reason: error.to_string() });
            }
        }
        self
    }

    /// Requires that the text contains all of these parts.
    #[must_use]
    pub fn contains_all<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::All)
    }

    /// Requires that the text contains at least one of these parts.
    #[must_use]
    pub fn contains_any<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::Any)
    }

    /// Requires that the text contains none of these parts.
    #[must_use]
    pub fn contains_none<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::None)
    }

    /// Requires that the text is JSON that deserializes to this type, possibly in a fenced code block, and that the value satisfies the
    /// condition.
    #[must_use]
    pub fn json<T: DeserializeOwned>(self, fits: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        let read = move |text: &str| match serde_json::from_str::<T>(unfenced(text)) {
            Ok(value) if fits(&value) => Ok(()),
            Ok(_) => Err("It was parsed, but the test does not accept the value".to_owned()),
            Err(error) => Err(unreadable(unfenced(text), &error)),
        };
        self.and(Test::Json(type_name::<T>(), Arc::new(read)))
    }

    /// Begins an alternative: the conditions before `or` or the conditions after it have to be met.
    #[must_use]
    pub fn or(mut self) -> Self {
        if self.alternatives.last().is_some_and(Vec::is_empty) {
            self.errors.push(SetupError::NothingBeforeOr);
        }
        self.alternatives.push(Vec::new());
        self
    }

    fn several(mut self, parts: Vec<String>, test: fn(Vec<String>) -> Test) -> Self {
        if parts.is_empty() || parts.iter().any(String::is_empty) {
            self.errors.push(SetupError::Empty("a text to be contained"));
        }
        self.and(test(parts))
    }

    fn and(mut self, test: Test) -> Self {
        if let Some(tests) = self.alternatives.last_mut() {
            tests.push(test);
        }
        self
    }

    pub(super) fn errors(&self) -> Vec<SetupError> {
        let mut found = self.errors.clone();
        if self.alternatives.last().is_some_and(Vec::is_empty) && found.is_empty() {
            let is_alone = self.alternatives.len() == 1;
            found.push(if is_alone {
                SetupError::Empty("the condition about the text")
            } else {
                SetupError::NothingAfterOr
            });
        }
        found
    }

    pub(super) fn failed(&self, text: Option<&str>) -> Option<FailedExpectation> {
        if self.alternatives.iter().any(|tests| tests.iter().all(|test| text.is_some_and(|text| test.fits(text)))) {
            return None;
        }
        let alternatives: Vec<String> = self.alternatives.iter().map(|tests| words(tests)).collect();
        let but = match text {
            Some(text) => format!("it was {}", shown(text)),
            None => "there was none".to_owned(),
        };
        let mut sentence = format!("Expected the text {}, but {but}.", alternatives.join(" or "));
        for why in self.alternatives.iter().flatten().filter_map(|test| test.unread(text?)) {
            sentence.extend([" ", &why, "."]);
        }
        Some(FailedExpectation::new(sentence))
    }
}

impl Test {
    fn fits(&self, text: &str) -> bool {
        let contains = |part: &String| text.contains(part.as_str());
        match self {
            Self::Contains(part) => contains(part),
            Self::Equals(whole) => text.trim() == whole,
            Self::Regex(regex) => regex.is_match(text),
            Self::All(parts) => parts.iter().all(contains),
            Self::Any(parts) => parts.iter().any(contains),
            Self::None(parts) => !parts.iter().any(contains),
            Self::Json(_, read) => read(text).is_ok(),
        }
    }

    /// Returns the reason why a text is not the expected JSON.
    fn unread(&self, text: &str) -> Option<String> {
        if let Self::Json(_, read) = self { read(text).err() } else { None }
    }

    fn words(&self) -> String {
        match self {
            Self::Contains(part) => format!("to contain {}", quoted(part)),
            Self::Equals(whole) => format!("to be {}", quoted(whole)),
            Self::Regex(regex) => format!("to match /{regex}/"),
            Self::All(parts) => format!("to contain all of {}", listed(parts)),
            Self::Any(parts) => format!("to contain any of {}", listed(parts)),
            Self::None(parts) => format!("to contain none of {}", listed(parts)),
            Self::Json(name, _) => format!("to be JSON of {name} that the test accepts"),
        }
    }
}

fn words(tests: &[Test]) -> String {
    tests.iter().map(Test::words).collect::<Vec<_>>().join(" and ")
}

fn listed(parts: &[String]) -> String {
    parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(", ")
}

/// Returns the text of an answer in quotation marks, of bounded length.
pub(super) fn shown(text: &str) -> String {
    quoted(&bounded::text(text, SHOWN))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    write_visible(&mut quoted, text);
    quoted
}

/// Describes a JSON error by its reason, its position, and the text around it.
fn unreadable(text: &str, error: &serde_json::Error) -> String {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    // The column counts bytes, from 1.
    let at = boundary(line, error.column().saturating_sub(1));
    let begin = boundary(line, at.saturating_sub(AROUND));
    let end = boundary(line, at.saturating_add(AROUND));
    let (dots, more) = (if begin > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    let around = bounded::text(&line[begin..end], 3 * AROUND);
    format!(
        "Reading it failed: {}, at {}",
        bounded::text(&error.to_string(), SHOWN),
        quoted(&format!("{dots}{around}{more}"))
    )
}

/// Returns the last character boundary at or before a byte offset.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// Returns the contents of a fenced code block if the whole text is one. Returns any other text unchanged.
fn unfenced(text: &str) -> &str {
    let inside = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inside.and_then(|inside| inside.split_once('\n')).map_or(text, |(_language, inside)| inside)
}
