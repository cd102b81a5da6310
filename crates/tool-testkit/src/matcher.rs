//! Tests of one value: [`Matcher`], and the functions that create one.
//!
//! Invariants: numbers are compared by value (`1` equals `1.0`), and the order of keys in objects does not matter. A mistake in a matcher
//! is reported when the expectations are built, before a model is called.

use std::fmt;
use std::sync::Arc;

use crate::private::json::{Json, JsonType, Node, as_number};
use regex::Regex;
use serde_json::Value;

use super::SetupError;
use super::compare::{self, is_same, text_of};

/// A test of one value. A plain value converts to a matcher that matches an equal value.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool_schema::json::JsonType};
/// use tool_testkit::{Scenario, approx, calls, contains, of_type, one_of, regex};
///
/// let toolbox = Toolbox::builder().build()?;
/// let trip = r#"{"city": "Paris", "days": 3, "price": 99.99, "extras": ["meals", "bike"], "note": "none"}"#;
/// let model = ScriptedModel::new().call("book", trip).text("Done.");
/// let booked = calls("book")
///     .at("city", regex("^Par"))
///     .at("days", one_of([2, 3]))
///     .at("price", approx(100.0, 0.05))
///     .at("extras", contains("bike"))
///     .at("note", of_type(JsonType::Integer));
/// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone())).prompt("Book a trip.").expect(booked);
/// let error = pollster::block_on(scenario.run()).err().ok_or("the note is a text")?;
/// assert!(error.to_string().contains(r#"Expected parameter 'note' to be of type integer, but was "none"."#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Matcher(Test);

type CallRequirement = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

#[derive(Clone)]
enum Test {
    Equals(Value),
    Includes(Value),
    Contains(Value),
    Regex(String, Result<Regex, Box<str>>),
    OneOf(Vec<Value>),
    Approx(f64, f64),
    Any,
    Type(JsonType),
    Satisfies(String, CallRequirement),
}

/// Matches an equal value. Numbers are compared by value.
pub fn equals(value: impl Into<Value>) -> Matcher {
    Matcher(Test::Equals(value.into()))
}

/// Matches an object with at least these members. Nested objects may have further members too.
///
/// ```
/// use serde_json::json;
///
/// assert_eq!(tool_testkit::includes(json!({"days": 3})).to_string(), r#"to include {"days":3}"#);
/// ```
pub fn includes(members: impl Into<Value>) -> Matcher {
    Matcher(Test::Includes(members.into()))
}

/// Matches a string that contains this text, or an array that contains this item.
pub fn contains(part: impl Into<Value>) -> Matcher {
    Matcher(Test::Contains(part.into()))
}

/// Matches a string in which the regular expression finds a match.
pub fn regex(pattern: &str) -> Matcher {
    Matcher(Test::Regex(pattern.to_owned(), Regex::new(pattern).map_err(|error| error.to_string().into())))
}

/// Matches any of these values.
pub fn one_of<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Matcher {
    Matcher(Test::OneOf(values.into_iter().map(Into::into).collect()))
}

/// Matches a number that differs by at most `tolerance`.
pub fn approx(number: f64, tolerance: f64) -> Matcher {
    Matcher(Test::Approx(number, tolerance))
}

/// Matches any value that is present.
pub fn any() -> Matcher {
    Matcher(Test::Any)
}

/// Matches a value of this JSON type. The type `number` also matches integers.
pub fn of_type(json_type: JsonType) -> Matcher {
    Matcher(Test::Type(json_type))
}

/// Matches a value that satisfies the condition. A report describes the condition with `words`, after "Expected … to be".
///
/// ```
/// use tool_testkit::satisfying;
///
/// let even = satisfying("an even number", |value| value.as_i64().is_some_and(|number| number % 2 == 0));
/// assert_eq!(even.to_string(), "to be an even number");
/// ```
pub fn satisfying(words: &str, condition: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Matcher {
    Matcher(Test::Satisfies(words.to_owned(), Arc::new(condition)))
}

impl Matcher {
    /// Returns the expected value if it is compared member by member, and `true` if objects must not have further members.
    pub(super) fn compared(&self) -> Option<(&Value, bool)> {
        match &self.0 {
            Test::Equals(wanted) => Some((wanted, true)),
            Test::Includes(wanted) => Some((wanted, false)),
            _ => None,
        }
    }

    pub(super) fn fits(&self, got: &Json<'_>) -> bool {
        match &self.0 {
            Test::Equals(wanted) => is_same(wanted, got),
            Test::Includes(wanted) => compare::includes(wanted, got),
            Test::Contains(part) => match (&got.node, part) {
                (Node::String(text), Value::String(part)) => text.contains(part.as_str()),
                _ => got.items().iter().any(|item| is_same(part, item)),
            },
            Test::Regex(_, regex) => {
                got.as_str().zip(regex.as_ref().ok()).is_some_and(|(text, regex)| regex.is_match(text))
            }
            Test::OneOf(values) => values.iter().any(|value| is_same(value, got)),
            Test::Approx(number, tolerance) => {
                let Node::Number(text) = &got.node else { return false };
                text.parse::<f64>().is_ok_and(|got| is_near(got, *number, *tolerance))
            }
            Test::Any => true,
            Test::Type(JsonType::Number) => as_number(got).is_some(),
            Test::Type(json_type) => got.json_type() == *json_type,
            Test::Satisfies(_, condition) => condition(&got.to_value()),
        }
    }

    /// Returns the mistake in this matcher.
    pub(super) fn misuse(&self) -> Option<SetupError> {
        match &self.0 {
            Test::Equals(value) | Test::Includes(value) | Test::Contains(value) if Json::from_value(value).is_err() => {
                Some(SetupError::Depth)
            }
            Test::OneOf(values) if values.iter().any(|value| Json::from_value(value).is_err()) => {
                Some(SetupError::Depth)
            }
            Test::Regex(pattern, Err(problem)) => {
                Some(SetupError::Pattern { pattern: pattern.clone(), reason: problem.to_string() })
            }
            Test::OneOf(values) if values.is_empty() => Some(SetupError::Empty("the values of one_of")),
            Test::Approx(number, tolerance) if !(number.is_finite() && tolerance.is_finite() && *tolerance >= 0.0) => {
                Some(SetupError::Tolerance { number: *number, tolerance: *tolerance })
            }
            Test::Includes(value) if !value.is_object() => Some(SetupError::NoObject(value.to_string())),
            Test::Satisfies(words, _) if words.trim().is_empty() => Some(SetupError::Empty("the words of a condition")),
            _ => None,
        }
    }

    /// Returns the expected values in this matcher.
    pub(super) fn values(&self) -> Vec<&Value> {
        match &self.0 {
            Test::Equals(value) | Test::Includes(value) | Test::Contains(value) => vec![value],
            Test::OneOf(values) => values.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the keys of the expected object.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let members = match &self.0 {
            Test::Equals(value) | Test::Includes(value) => value.as_object(),
            _ => None,
        };
        members.into_iter().flat_map(|members| members.keys().map(String::as_str))
    }
}

/// Returns `true` if two numbers differ by at most `tolerance`. Rounding errors are allowed for, so 1.0 and 1.1 differ by at most 0.1.
fn is_near(got: f64, number: f64, tolerance: f64) -> bool {
    let rounding = f64::EPSILON * got.abs().max(number.abs());
    got.is_finite() && (got - number).abs() <= tolerance + rounding
}

impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Test::Equals(value) => write!(f, "to be {}", text_of(value)),
            Test::Includes(value) => write!(f, "to include {}", text_of(value)),
            Test::Contains(part) => write!(f, "to contain {}", text_of(part)),
            Test::Regex(pattern, _) => write!(f, "to match /{pattern}/"),
            Test::OneOf(values) => {
                let values: Vec<String> = values.iter().map(text_of).collect();
                write!(f, "to be one of {}", values.join(", "))
            }
            Test::Approx(number, tolerance) => write!(f, "to be {number} ± {tolerance}"),
            Test::Any => f.write_str("to be there"),
            Test::Type(json_type) => write!(f, "to be of type {json_type}"),
            Test::Satisfies(words, _) => write!(f, "to be {words}"),
        }
    }
}

impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matcher({self})")
    }
}

macro_rules! from_plain_values {
    ($($of:ty),*) => {$(
        impl From<$of> for Matcher {
            fn from(value: $of) -> Self {
                equals(value)
            }
        }
    )*};
}

from_plain_values!(Value, &str, String, bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<&String> for Matcher {
    fn from(text: &String) -> Self {
        equals(text.as_str())
    }
}

impl From<f64> for Matcher {
    fn from(number: f64) -> Self {
        // JSON cannot represent NaN and infinity, and `Value` would turn them into `null`.
        if number.is_finite() { equals(number) } else { approx(number, 0.0) }
    }
}

impl<V: Into<Value>, const N: usize> From<[V; N]> for Matcher {
    fn from(values: [V; N]) -> Self {
        equals(values.map(Into::into).to_vec())
    }
}

impl<V: Into<Value>> From<Vec<V>> for Matcher {
    fn from(values: Vec<V>) -> Self {
        equals(values)
    }
}
