//! Rules: what a value must satisfy beyond its kind.
//!
//! A rule sits on a [`Shape`](super::Shape) (all values of a type) or on a [`Field`](super::Field) (that place only). A rule for
//! one JSON type says nothing about values of another, as in JSON Schema. The same rule is run on a typed value
//! (`ToolInput::guard`), on a JSON node (the checker) and is written into the schema: here is what it says, not how it is run.

use std::fmt;
use std::sync::Arc;

use super::{List, Rejection, StringFormat, Text};
use crate::json::{Json, Number};

/// One thing that a value must satisfy.
///
/// ```
/// use tool_schema::{ToolInput, shape::Rule};
///
/// assert!(matches!(&u8::SHAPE.rules[..], [Rule::Range(_)]));
/// assert!(matches!(&<std::collections::BTreeSet<u8>>::SHAPE.rules[..], [Rule::UniqueItems]));
/// ```
#[derive(Clone, Debug)]
pub enum Rule {
    /// `length(min, max)`.
    Length(Length),
    /// `range(min, max, exclusive_min, exclusive_max)`.
    Range(Range),
    /// `multiple_of = n`: the JSON Schema keyword `multipleOf`; `n` is positive.
    MultipleOf(Number),
    /// `pattern = "…"`: an unanchored ECMA-262 search, the JSON Schema keyword `pattern`.
    Pattern(Pattern),
    /// `format = "…"`: the JSON Schema keyword `format`, asserted.
    Format(StringFormat),
    /// `unique_items`: the JSON Schema keyword `uniqueItems`.
    UniqueItems,
    /// The value is one of these, each as JSON text; compared as the JSON Schema keyword `enum` compares. An enumeration of strings is a
    /// union instead; this is for numbers, booleans and everything else.
    Values(List<Text>),
    /// An integer may be written in any way that has no fraction, as JSON Schema says of `integer`: `5.0`, `5e0`. Types of serde do not
    /// take that, so their shapes do not have the rule.
    Integral,
    /// `inner(…)`: rules for each item of an array or each value of a map.
    Inner(List<Rule>),
    /// `custom = path`: a function of the user's, which no schema can show.
    Custom(Custom),
}

/// What a [`Length`] counts.
///
/// ```
/// use tool_schema::{ToolInput, shape::{Measure, Rule}};
///
/// let [Rule::Length(length)] = &<[u8; 3]>::SHAPE.rules[..] else { return };
/// assert_eq!(length.measure, Measure::Items);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Unicode scalar values of a string: `minLength`, `maxLength`.
    Characters,
    /// Items of an array: `minItems`, `maxItems`.
    Items,
    /// Members of an object: `minProperties`, `maxProperties`.
    Properties,
}

/// An inclusive range of lengths.
///
/// ```
/// use tool_schema::shape::{Length, Measure};
///
/// let code = Length { measure: Measure::Characters, min: 2, max: Some(3) };
/// assert!(code.contains(3) && !code.contains(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// What is counted.
    pub measure: Measure,
    /// The least length, zero where there is none.
    pub min: u64,
    /// The greatest length.
    pub max: Option<u64>,
}

impl Length {
    /// Whether a length lies within.
    ///
    /// ```
    /// use tool_schema::shape::{Length, Measure};
    ///
    /// assert!(Length { measure: Measure::Items, min: 1, max: None }.contains(1_000));
    /// ```
    pub const fn contains(self, length: u64) -> bool {
        length >= self.min
            && match self.max {
                Some(max) => length <= max,
                None => true,
            }
    }
}

/// A range of numbers; any combination of ends may be present.
///
/// ```
/// use tool_schema::{json::Number, shape::Range};
///
/// let share = Range { exclusive_min: Some(Number::Integer(0)), max: Some(Number::Integer(1)), ..Range::UNBOUNDED };
/// assert_eq!(share.min, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// `minimum`
    pub min: Option<Number>,
    /// `maximum`
    pub max: Option<Number>,
    /// `exclusiveMinimum`
    pub exclusive_min: Option<Number>,
    /// `exclusiveMaximum`
    pub exclusive_max: Option<Number>,
}

impl Range {
    /// No end at all; a place to begin from.
    ///
    /// ```
    /// use tool_schema::shape::Range;
    ///
    /// assert_eq!(Range::UNBOUNDED, Range::default());
    /// ```
    pub const UNBOUNDED: Self = Self { min: None, max: None, exclusive_min: None, exclusive_max: None };

    /// The range of an integer type.
    ///
    /// ```
    /// use tool_schema::{json::Number, shape::Range};
    ///
    /// let days = Range::inclusive(Number::Integer(1), Number::Integer(14));
    /// assert_eq!((days.max, days.exclusive_max), (Some(Number::Integer(14)), None));
    /// ```
    pub const fn inclusive(min: Number, max: Number) -> Self {
        Self { min: Some(min), max: Some(max), ..Self::UNBOUNDED }
    }
}

/// A pattern: the ECMA-262 text for schemas and hints, and the compiled form for the check.
///
/// ```
/// use tool_schema::shape::{PatternMatcher, Pattern};
///
/// let matcher = PatternMatcher::Static(|text| text.starts_with('a'));
/// let pattern = Pattern { source: "^a".into(), matcher, candidate: "a".into() };
/// assert_eq!((&*pattern.source, pattern.is_match("abc")), ("^a", true));
/// ```
#[derive(Clone)]
pub struct Pattern {
    /// The pattern as the author wrote it, in ECMA-262.
    pub source: Text,
    /// Looks for the pattern anywhere in a string.
    pub matcher: PatternMatcher,
    /// A short text that was built from the syntax of the pattern, empty where none was. A hint shows it as an example only if the matcher
    /// accepts it.
    pub candidate: Text,
}

impl Pattern {
    /// Whether the pattern occurs anywhere in the text.
    ///
    /// ```
    /// use tool_schema::shape::{PatternMatcher, Pattern};
    ///
    /// let matcher = PatternMatcher::Static(|text| text.starts_with('a'));
    /// let pattern = Pattern { source: "^a".into(), matcher, candidate: "a".into() };
    /// assert!(!pattern.is_match("bca"));
    /// ```
    pub fn is_match(&self, text: &str) -> bool {
        match &self.matcher {
            PatternMatcher::Static(is_match) => is_match(text),
            PatternMatcher::Shared(is_match) => is_match(text),
        }
    }
}

/// The compiled side of a [`Pattern`]. It compiles on first use, never at registration.
///
/// ```
/// use std::sync::Arc;
/// use tool_schema::shape::{PatternMatcher, Pattern};
///
/// let prefix = String::from("read at run time");
/// let matcher = PatternMatcher::Shared(Arc::new(move |text| text.starts_with(&prefix)));
/// assert!(!Pattern { source: "^…".into(), matcher, candidate: "".into() }.is_match("abc"));
/// ```
#[derive(Clone)]
pub enum PatternMatcher {
    /// Written by a macro; the function holds the `static` with the compiled pattern.
    Static(fn(&str) -> bool),
    /// Read at run time.
    Shared(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.source)
    }
}

/// A rule of the user's own.
///
/// ```
/// use tool_schema::json::Json;
/// use tool_schema::shape::Custom;
///
/// let even = Custom { check: |node| if node.to_text().ends_with(['0', '2', '4', '6', '8']) { Ok(()) } else { Err("must be even".into()) } };
/// assert!((even.check)(&Json::parse("3")?).is_err());
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub struct Custom {
    /// Decodes the node and runs the user's function; a node that does not decode is nobody's fault here, its own issues say so.
    pub check: fn(&Json<'_>) -> Result<(), Rejection>,
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Custom")
    }
}
