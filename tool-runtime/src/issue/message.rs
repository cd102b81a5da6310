//! One sentence for an issue: `location is required`, `days must be at most 14`. In the words of JSON, never of Rust.

use std::fmt;

use super::list::{Cut, Quoted, WithArticle, rendered, write_list};
use super::{Constraint, Issue};
use crate::json::JsonType;
use crate::shape::Text;

impl Issue {
    /// The fault in one sentence, without a full stop: `unit must be one of "celsius", "fahrenheit"`.
    ///
    /// ```
    /// use tool_runtime::check::check;
    /// use tool_runtime::json::Json;
    /// use tool_runtime::shape::{Kind, Precision, Shape};
    ///
    /// let issues = check(&Shape::of(Kind::Number(Precision::Single)), &Json::parse("-1e39")?);
    /// assert_eq!(issues[0].message(), "the arguments must be at least -3.4028234663852886e+38");
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn message(&self) -> String {
        rendered(self)
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() {
            f.write_str("the arguments ")?;
        } else {
            write!(f, "{} ", Cut(&rendered(&self.path)))?;
        }
        match &self.constraint {
            Constraint::Type(types)
                if self.got.json_type == Some(JsonType::Integer) && types.contains(&JsonType::Integer) =>
            {
                f.write_str("must be an integer in plain digits")
            }
            constraint => constraint.fmt(f),
        }
    }
}

/// What stands behind the name of the place: `must be at most 14`.
impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |f: &mut fmt::Formatter<'_>, words: &str, count: u64, noun: &str, nouns: &str| {
            write!(f, "must have {words} {count} {}", if count == 1 { noun } else { nouns })
        };
        match self {
            Self::Required => f.write_str("is required"),
            Self::UnknownField { allowed } if allowed.is_empty() => f.write_str("is not a known field"),
            Self::UnknownField { allowed } => {
                f.write_str("is not a known field (known: ")?;
                write_list(f, ", ", allowed.iter())?;
                f.write_str(")")
            }
            Self::Type(types) => write_types(f, types),
            Self::Enum(allowed) | Self::Discriminator { allowed, is_key: false, .. } => {
                f.write_str("must be ")?;
                write_allowed(f, allowed)
            }
            Self::Values(allowed) => {
                f.write_str(if allowed.len() > 1 { "must be one of " } else { "must be " })?;
                write_list(f, ", ", allowed.iter())
            }
            Self::Discriminator { allowed, is_key: true, .. } => {
                f.write_str("must be named ")?;
                write_allowed(f, allowed)
            }
            Self::Minimum(bound) => write!(f, "must be at least {bound}"),
            Self::Maximum(bound) => write!(f, "must be at most {bound}"),
            Self::ExclusiveMinimum(bound) => write!(f, "must be above {bound}"),
            Self::ExclusiveMaximum(bound) => write!(f, "must be below {bound}"),
            Self::MultipleOf(divisor) => write!(f, "must be a multiple of {divisor}"),
            Self::MinLength(length) => count(f, "at least", *length, "character", "characters"),
            Self::MaxLength(length) => count(f, "at most", *length, "character", "characters"),
            Self::MinItems(length) => count(f, "at least", *length, "item", "items"),
            Self::MaxItems(length) => count(f, "at most", *length, "item", "items"),
            Self::MinProperties(length) => count(f, "at least", *length, "property", "properties"),
            Self::MaxProperties(length) => count(f, "at most", *length, "property", "properties"),
            Self::UniqueItems { first, second } => {
                write!(f, "must have unique items, but [{second}] repeats [{first}]")
            }
            Self::Pattern(pattern) => write!(f, "must match the pattern {}", Cut(pattern)),
            Self::Format(format) => write!(f, "must be {}", WithArticle(format.expectation())),
            Self::AnyOf { variants } => {
                f.write_str("must be one of: ")?;
                write_list(f, "; ", variants.iter())
            }
            Self::Keyword { words, .. } => write!(f, "{}", Cut(words)),
            Self::Custom(rejection) => write!(f, "{}", Cut(rejection.message())),
            Self::Syntax { offset } => write!(f, "are not valid JSON at byte {offset}"),
            Self::Depth { limit } => write!(f, "are nested more than {limit} levels deep"),
            Self::MultipleDocuments { offset } => {
                write!(f, "must be one JSON value, but a second one begins at byte {offset}")
            }
            Self::Incomplete => f.write_str("end before the JSON is complete"),
        }
    }
}

/// `must be an integer, a string or null`
fn write_types(f: &mut fmt::Formatter<'_>, types: &[JsonType]) -> fmt::Result {
    f.write_str("must be ")?;
    for (index, json_type) in types.iter().enumerate() {
        let separator = match index {
            0 => "",
            _ if index + 1 == types.len() => " or ",
            _ => ", ",
        };
        write!(f, "{separator}{}", WithArticle(json_type))?;
    }
    Ok(())
}

/// `one of "a", "b"`; a single one needs no choice.
pub(super) fn write_allowed(f: &mut fmt::Formatter<'_>, allowed: &[Text]) -> fmt::Result {
    if allowed.len() > 1 {
        f.write_str("one of ")?;
    }
    write_list(f, ", ", allowed.iter().map(|name| Quoted(name)))
}
