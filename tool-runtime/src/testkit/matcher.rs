//! What a value must be: [`Matcher`], and the functions that make one.
//!
//! In: expected values and conditions. Out: whether a value fits, and the words for it. What always holds: numbers are compared by their
//! value (`1` is `1.0`), objects without regard to the order of their keys; a matcher that makes no sense says so when the expectations
//! are built, not when a model is asked.

use std::fmt;
use std::sync::Arc;

use regex::Regex;
use serde_json::Value;

use super::Misuse;
use super::compare::{Difference, differences, text_of, wider};
use crate::json::{Json, JsonType, Node};

/// What a value must be. Plain values stand for themselves.
///
/// ```
/// use tool_runtime::testkit::{Matcher, contains};
///
/// assert_eq!(Matcher::from("Paris").to_string(), r#"to be "Paris""#);
/// assert_eq!(contains("Par").to_string(), r#"to contain "Par""#);
/// ```
#[derive(Clone)]
pub struct Matcher(Test);

type Condition = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

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
    Satisfies(String, Condition),
}

/// The value itself. Numbers are the same if their values are.
///
/// ```
/// assert_eq!(tool_runtime::testkit::equals([1, 2]).to_string(), "to be [1,2]");
/// ```
pub fn equals(value: impl Into<Value>) -> Matcher {
    Matcher(Test::Equals(value.into()))
}

/// An object with these members at least, in nested objects too.
///
/// ```
/// use serde_json::json;
///
/// assert_eq!(tool_runtime::testkit::includes(json!({"days": 3})).to_string(), r#"to include {"days":3}"#);
/// ```
pub fn includes(members: impl Into<Value>) -> Matcher {
    Matcher(Test::Includes(members.into()))
}

/// A string with this text in it, or an array with this item.
///
/// ```
/// assert_eq!(tool_runtime::testkit::contains("Paris").to_string(), r#"to contain "Paris""#);
/// ```
pub fn contains(part: impl Into<Value>) -> Matcher {
    Matcher(Test::Contains(part.into()))
}

/// A string in which the pattern is found.
///
/// ```
/// assert_eq!(tool_runtime::testkit::regex("^Par").to_string(), "to match /^Par/");
/// ```
pub fn regex(pattern: &str) -> Matcher {
    Matcher(Test::Regex(pattern.to_owned(), Regex::new(pattern).map_err(|error| error.to_string().into())))
}

/// One of these values.
///
/// ```
/// assert_eq!(tool_runtime::testkit::one_of([1, 2]).to_string(), "to be one of 1, 2");
/// ```
pub fn one_of<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Matcher {
    Matcher(Test::OneOf(values.into_iter().map(Into::into).collect()))
}

/// A number that is at most `tolerance` away.
///
/// ```
/// assert_eq!(tool_runtime::testkit::approx(48.86, 0.01).to_string(), "to be 48.86 ± 0.01");
/// ```
pub fn approx(number: f64, tolerance: f64) -> Matcher {
    Matcher(Test::Approx(number, tolerance))
}

/// Any value, as long as there is one.
///
/// ```
/// assert_eq!(tool_runtime::testkit::any().to_string(), "to be there");
/// ```
pub fn any() -> Matcher {
    Matcher(Test::Any)
}

/// A value of a JSON type. An integer is a number too.
///
/// ```
/// use tool_runtime::{json::JsonType, testkit::of_type};
///
/// assert_eq!(of_type(JsonType::Integer).to_string(), "to be of type integer");
/// ```
pub fn of_type(json_type: JsonType) -> Matcher {
    Matcher(Test::Type(json_type))
}

/// A value that the condition accepts; `words` stand for it in the report, behind "Expected … to be".
///
/// ```
/// use tool_runtime::testkit::satisfies;
///
/// let even = satisfies("an even number", |value| value.as_i64().is_some_and(|number| number % 2 == 0));
/// assert_eq!(even.to_string(), "to be an even number");
/// ```
pub fn satisfies(words: &str, condition: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Matcher {
    Matcher(Test::Satisfies(words.to_owned(), Arc::new(condition)))
}

impl Matcher {
    /// Where and how a value is not what it must be; nothing where it fits.
    pub(super) fn differences(&self, got: Option<&Json<'_>>) -> Vec<Difference> {
        match (&self.0, got) {
            (Test::Equals(wanted), Some(got)) => differences(wanted, got, true),
            (Test::Includes(wanted), Some(got)) => differences(wanted, got, false),
            (_, Some(got)) if self.fits(got) => Vec::new(),
            _ => vec![Difference::here(self.to_string())],
        }
    }

    fn fits(&self, got: &Json<'_>) -> bool {
        match &self.0 {
            Test::Equals(wanted) => wider(wanted).same_value(got),
            Test::Includes(wanted) => differences(wanted, got, false).is_empty(),
            Test::Contains(part) => match (&got.node, part) {
                (Node::String(text), Value::String(part)) => text.contains(part.as_str()),
                _ => got.items().iter().any(|item| wider(part).same_value(item)),
            },
            Test::Regex(_, regex) => {
                got.as_str().zip(regex.as_ref().ok()).is_some_and(|(text, regex)| regex.is_match(text))
            }
            Test::OneOf(values) => values.iter().any(|value| wider(value).same_value(got)),
            Test::Approx(number, tolerance) => {
                let Node::Number(text) = &got.node else { return false };
                text.parse::<f64>().is_ok_and(|got| (got - number).abs() <= *tolerance)
            }
            Test::Any => true,
            Test::Type(JsonType::Number) => got.as_number().is_some(),
            Test::Type(json_type) => got.json_type() == *json_type,
            Test::Satisfies(_, condition) => condition(&got.to_value()),
        }
    }

    /// What makes no sense.
    pub(super) fn misuse(&self) -> Option<Misuse> {
        match &self.0 {
            Test::Equals(value) | Test::Includes(value) | Test::Contains(value) if Json::from_value(value).is_err() => {
                Some(Misuse::Depth)
            }
            Test::OneOf(values) if values.iter().any(|value| Json::from_value(value).is_err()) => Some(Misuse::Depth),
            Test::Regex(pattern, Err(problem)) => {
                Some(Misuse::Pattern { pattern: pattern.clone(), problem: problem.to_string() })
            }
            Test::OneOf(values) if values.is_empty() => Some(Misuse::Empty("the values of one_of")),
            Test::Approx(number, tolerance) if !number.is_finite() || tolerance.is_nan() || *tolerance < 0.0 => {
                Some(Misuse::Tolerance { number: *number, tolerance: *tolerance })
            }
            Test::Includes(value) if !value.is_object() => Some(Misuse::NoObject(value.to_string())),
            Test::Satisfies(words, _) if words.trim().is_empty() => Some(Misuse::Empty("the words of a condition")),
            _ => None,
        }
    }

    /// The keys of an object that must be there.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let members = match &self.0 {
            Test::Equals(value) | Test::Includes(value) => value.as_object(),
            _ => None,
        };
        members.into_iter().flat_map(|members| members.keys().map(String::as_str))
    }
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

macro_rules! stands_for_itself {
    ($($of:ty),*) => {$(
        impl From<$of> for Matcher {
            fn from(value: $of) -> Self {
                equals(value)
            }
        }
    )*};
}

stands_for_itself!(Value, &str, String, bool, i32, i64, u8, u32, u64, usize, f64);
