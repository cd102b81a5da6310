//! Rules: restrictions of a value beyond its kind.
//!
//! A rule belongs to a [`Shape`](super::Shape), and then applies to all values of a type, or to a [`Field`](super::Field), and then applies
//! only to the field's value. As in JSON Schema, a rule for one JSON type ignores values of other types. The same rule is checked on a
//! typed value (`ToolInput::guard`) and on a JSON node (the checker), and is written into the schema. This module only describes rules.

use std::fmt;
use std::sync::Arc;

use super::{CustomRuleError, SharedSlice, StringFormat, Text};
use crate::json::{Json, Number};

/// A restriction of a value.
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
    /// `format = "…"`: the JSON Schema keyword `format`, which is always checked.
    Format(StringFormat),
    /// `unique_items`: the JSON Schema keyword `uniqueItems`.
    UniqueItems,
    /// The value is one of these, each given as JSON text and compared as in the JSON Schema keyword `enum`. Enumerations of strings are
    /// unions instead; this rule is for values of other types.
    Values(SharedSlice<Text>),
    /// An integer in every spelling without a fraction, like `integer` in JSON Schema: `5.0`, `5e0`. serde rejects these spellings for
    /// integer types, so the shape of an integer type does not have this rule.
    Integral,
    /// `inner(…)`: rules for each item of an array or each value of a map.
    Inner(SharedSlice<Rule>),
    /// `custom = path`: a function of the user. A schema cannot show this rule.
    Custom(Custom),
}

/// The unit of a [`Length`].
///
/// ```
/// use tool_schema::{ToolInput, shape::{Measure, Rule}};
///
/// let [Rule::Length(length)] = &<[u8; 3]>::SHAPE.rules[..] else { unreachable!() };
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
    /// The unit of the length.
    pub measure: Measure,
    /// The minimum length; zero if there is none.
    pub min: u64,
    /// The maximum length.
    pub max: Option<u64>,
}

impl Length {
    /// Returns `true` if a length is within the range.
    pub const fn contains(self, length: u64) -> bool {
        length >= self.min
            && match self.max {
                Some(max) => length <= max,
                None => true,
            }
    }
}

/// A range of numbers with any combination of bounds.
///
/// ```
/// use tool_schema::json::Number;
/// use tool_schema::schema::schema_text;
/// use tool_schema::shape::{Kind, Precision, Range, Rule, Shape};
///
/// const SHARE: Range = Range { exclusive_min: Some(Number::Integer(0)), max: Some(Number::Integer(1)), ..Range::UNBOUNDED };
/// const SHAPE: Shape = Shape::from_kind_and_rules(Kind::Number(Precision::Double), &[Rule::Range(SHARE)]);
/// assert_eq!(schema_text(&SHAPE), r#"{"type":"number","exclusiveMinimum":0,"maximum":1}"#);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The inclusive lower bound (`minimum`).
    pub min: Option<Number>,
    /// The inclusive upper bound (`maximum`).
    pub max: Option<Number>,
    /// The exclusive lower bound (`exclusiveMinimum`).
    pub exclusive_min: Option<Number>,
    /// The exclusive upper bound (`exclusiveMaximum`).
    pub exclusive_max: Option<Number>,
}

impl Range {
    /// The range without bounds.
    pub const UNBOUNDED: Self = Self { min: None, max: None, exclusive_min: None, exclusive_max: None };

    /// Returns an inclusive range.
    pub const fn inclusive(min: Number, max: Number) -> Self {
        Self { min: Some(min), max: Some(max), ..Self::UNBOUNDED }
    }
}

/// A pattern: the ECMA-262 text for schemas and hints, and its compiled form.
///
/// ```
/// use tool_schema::shape::{PatternMatcher, Pattern};
///
/// let matcher = PatternMatcher::Static(|text| text.starts_with('a'));
/// let pattern = Pattern { source: "^a".into(), matcher, sample: "a".into() };
/// assert_eq!((&*pattern.source, pattern.is_match("abc")), ("^a", true));
/// ```
#[derive(Clone)]
pub struct Pattern {
    /// The pattern as the author wrote it, in ECMA-262.
    pub source: Text,
    /// Searches for the pattern anywhere in a string.
    pub matcher: PatternMatcher,
    /// A short text that was generated from the pattern; may be empty. A hint shows it as an example only if the matcher accepts it.
    pub sample: Text,
}

impl Pattern {
    /// Returns `true` if the pattern occurs anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        match &self.matcher {
            PatternMatcher::Static(is_match) => is_match(text),
            PatternMatcher::Shared(is_match) => is_match(text),
        }
    }
}

/// The compiled form of a [`Pattern`], which is compiled on first use, never at registration.
///
/// ```
/// use std::sync::Arc;
/// use tool_schema::shape::{PatternMatcher, Pattern};
///
/// let prefix = String::from("read at run time");
/// let matcher = PatternMatcher::Shared(Arc::new(move |text| text.starts_with(&prefix)));
/// assert!(!Pattern { source: "^…".into(), matcher, sample: "".into() }.is_match("abc"));
/// ```
#[derive(Clone)]
pub enum PatternMatcher {
    /// A function from a macro, with the compiled pattern in a `static`.
    Static(fn(&str) -> bool),
    /// A function created at run time.
    Shared(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.source)
    }
}

/// A custom rule.
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
    /// Decodes the node and calls the user's function; a node that does not decode passes, because it has issues of its own.
    pub check: fn(&Json<'_>) -> Result<(), CustomRuleError>,
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Custom")
    }
}
