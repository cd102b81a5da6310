//! What the model answers in the end: [`TextExpectation`], made by [`text`].
//!
//! In: conditions, in alternatives. Out: an expectation about the last answer. What always holds: conditions that follow each other hold
//! together, [`or`](TextExpectation::or) begins an alternative to all before it; letters are compared as they are.

use std::any::type_name;
use std::sync::Arc;

use crate::private::bounded;
use crate::private::json::write_visible;
use regex::Regex;
use serde::de::DeserializeOwned;

use super::{Finding, Misuse};

/// How much of the text a sentence shows.
const SHOWN: usize = 400;

/// How many bytes before and behind an error a sentence shows.
const AROUND: usize = 40;

/// What the model answers in the end.
///
/// ```
/// use tool_testkit::{Expectations, text};
///
/// let expected = text().contains("Paris").contains("sun").or().contains("do not know");
/// assert!(Expectations::new().expect(expected).build().is_ok());
/// ```
#[derive(Clone)]
pub struct TextExpectation {
    /// Each a list of conditions that hold together.
    alternatives: Vec<Vec<Test>>,
    misuses: Vec<Misuse>,
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

/// What keeps a text from being the value that a test accepts.
type Reading = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// Begins an expectation about the text that the model answers in the end.
///
/// ```
/// use tool_testkit::{Expectations, text};
///
/// assert!(Expectations::new().expect(text().contains("22 °C")).build().is_ok());
/// ```
pub fn text() -> TextExpectation {
    TextExpectation { alternatives: vec![Vec::new()], misuses: Vec::new() }
}

impl TextExpectation {
    /// The text has this in it.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().contains("sun")).build().is_ok());
    /// ```
    #[must_use]
    pub fn contains(mut self, part: &str) -> Self {
        if part.is_empty() {
            self.misuses.push(Misuse::Empty("a text to be contained"));
        }
        self.and(Test::Contains(part.to_owned()))
    }

    /// The text is this, blanks at its ends apart.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().equals("Done.")).build().is_ok());
    /// ```
    #[must_use]
    pub fn equals(self, whole: &str) -> Self {
        self.and(Test::Equals(whole.trim().to_owned()))
    }

    /// The pattern is found in the text.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().matches(r"\d+ °C")).build().is_ok());
    /// ```
    #[must_use]
    pub fn matches(mut self, pattern: &str) -> Self {
        match Regex::new(pattern) {
            Ok(regex) => return self.and(Test::Regex(regex)),
            Err(error) => {
                self.misuses.push(Misuse::Pattern { pattern: pattern.to_owned(), problem: error.to_string() });
            }
        }
        self
    }

    /// The text has all of these in it.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().all(["Paris", "London"])).build().is_ok());
    /// ```
    #[must_use]
    pub fn all<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::All)
    }

    /// The text has at least one of these in it.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().any(["sun", "sunny"])).build().is_ok());
    /// ```
    #[must_use]
    pub fn any<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::Any)
    }

    /// The text has none of these in it.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().none(["error", "sorry"])).build().is_ok());
    /// ```
    #[must_use]
    pub fn none<P: Into<String>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        self.several(parts.into_iter().map(Into::into).collect(), Test::None)
    }

    /// The text is JSON of a type, by itself or as one fenced block, and the condition accepts it.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_testkit::{Expectations, text};
    ///
    /// #[derive(Deserialize)]
    /// struct Report {
    ///     degrees: f64,
    /// }
    ///
    /// assert!(Expectations::new().expect(text().json::<Report>(|report| report.degrees > 20.0)).build().is_ok());
    /// ```
    #[must_use]
    pub fn json<T: DeserializeOwned>(self, fits: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        let read = move |text: &str| match serde_json::from_str::<T>(unfenced(text)) {
            Ok(value) if fits(&value) => Ok(()),
            Ok(_) => Err("It was read, and the test does not accept the value".to_owned()),
            Err(error) => Err(unreadable(unfenced(text), &error)),
        };
        self.and(Test::Json(type_name::<T>(), Arc::new(read)))
    }

    /// Begins an alternative to everything before it.
    ///
    /// ```
    /// use tool_testkit::{Expectations, text};
    ///
    /// assert!(Expectations::new().expect(text().contains("sun").or().contains("rain")).build().is_ok());
    /// assert!(Expectations::new().expect(text().or().contains("rain")).build().is_err());
    /// ```
    #[must_use]
    pub fn or(mut self) -> Self {
        if self.alternatives.last().is_some_and(Vec::is_empty) {
            self.misuses.push(Misuse::NothingBeforeOr);
        }
        self.alternatives.push(Vec::new());
        self
    }

    fn several(mut self, parts: Vec<String>, test: fn(Vec<String>) -> Test) -> Self {
        if parts.is_empty() || parts.iter().any(String::is_empty) {
            self.misuses.push(Misuse::Empty("a text to be contained"));
        }
        self.and(test(parts))
    }

    fn and(mut self, test: Test) -> Self {
        if let Some(tests) = self.alternatives.last_mut() {
            tests.push(test);
        }
        self
    }

    pub(super) fn misuses(&self) -> Vec<Misuse> {
        let mut found = self.misuses.clone();
        if self.alternatives.last().is_some_and(Vec::is_empty) && found.is_empty() {
            let is_alone = self.alternatives.len() == 1;
            found.push(if is_alone { Misuse::Empty("the condition about the text") } else { Misuse::NothingBehindOr });
        }
        found
    }

    pub(super) fn judge(&self, text: Option<&str>) -> Option<Finding> {
        if self.alternatives.iter().any(|tests| tests.iter().all(|test| text.is_some_and(|text| test.fits(text)))) {
            return None;
        }
        let alternatives: Vec<String> = self.alternatives.iter().map(|tests| words(tests)).collect();
        let but = match text {
            Some(text) => format!("it was {}", quoted(&bounded::text(text, SHOWN))),
            None => "there was none".to_owned(),
        };
        let mut sentence = format!("Expected the text {}, but {but}.", alternatives.join(" or "));
        for why in self.alternatives.iter().flatten().filter_map(|test| test.unread(text?)) {
            sentence.extend([" ", &why, "."]);
        }
        Some(Finding::new(sentence))
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

    /// Why a text is not the JSON that is expected.
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

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    write_visible(&mut quoted, text);
    quoted
}

/// The reason of an error with its position, and the text around it.
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

/// The last boundary of a character that is not behind a byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// What stands in a text that is one fenced block; any other text as it is.
fn unfenced(text: &str) -> &str {
    let inside = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inside.and_then(|inside| inside.split_once('\n')).map_or(text, |(_language, inside)| inside)
}
