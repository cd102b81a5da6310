//! The sentence about an issue: `location is required`, `days must be at most 14`. It uses the terms of JSON, never of Rust.

use std::fmt;

use super::bounded_text_list::{
    WriteText, article, cut, push_count, push_cut, push_length, to_escaped_text, write_list,
};
use super::{Constraint, Issue};
use crate::json::{JsonType, Number, write_visible};
use crate::shape::Text;

impl Issue {
    /// Returns the issue as one sentence without a full stop: `unit must be one of "celsius", "fahrenheit"`.
    ///
    /// ```
    /// use tool_schema::check::check;
    /// use tool_schema::json::Json;
    /// use tool_schema::shape::{Kind, Precision, Shape};
    ///
    /// let issues = check(&Shape::new(Kind::Number(Precision::Single)), &Json::parse("-1e39")?);
    /// assert_eq!(issues[0].message(), "the arguments must be at least -3.4028234663852886e+38");
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn message(&self) -> String {
        to_escaped_text(self)
    }
}

impl WriteText for Issue {
    fn write(&self, out: &mut String) {
        self.write_place(out);
        self.write_finding(out);
    }
}

impl Issue {
    /// Appends the beginning of the sentence: the path of the faulty value.
    pub(crate) fn write_place(&self, out: &mut String) {
        if self.path.is_root() {
            return out.push_str("the arguments");
        }
        let start = out.len();
        self.path.write(out);
        cut(out, start);
    }

    /// Appends the rest of the sentence: ` must be at most 14`.
    pub(crate) fn write_finding(&self, out: &mut String) {
        out.push(' ');
        match &self.constraint {
            Constraint::Type(types)
                if self.got.json_type == Some(JsonType::Integer) && types.contains(&JsonType::Integer) =>
            {
                out.push_str("must be an integer in plain digits");
            }
            Constraint::Required if self.inside.is_some() => {
                out.push_str("is required; it is inside ");
                push_cut(out, self.inside.as_deref().unwrap_or_default());
                out.push_str(", as markup");
            }
            constraint => {
                constraint.write(out);
                let lists_null = |value: &Text| &**value == "null";
                if let Constraint::Enum(_) | Constraint::Values(_) = constraint
                    && !matches!(constraint, Constraint::Values(values) if values.iter().any(lists_null))
                    && self.expected.is_nullable()
                {
                    out.push_str(" or null");
                }
            }
        }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_escaped_text(self))
    }
}

/// Writes the text after the path: `must be at most 14`.
impl WriteText for Constraint {
    fn write(&self, out: &mut String) {
        match self {
            Self::Required => out.push_str("is required"),
            Self::UnknownField { allowed } if allowed.is_empty() => out.push_str("is not a known field"),
            Self::UnknownField { allowed } => {
                out.push_str("is not a known field (known: ");
                write_list(out, ", ", allowed.iter(), |out, name| out.push_str(name));
                out.push(')');
            }
            Self::Wrapper { .. } => out.push_str("is not a field; its content belongs at the top level"),
            Self::RepeatedField { other_name: None } => out.push_str("must be given only once"),
            Self::RepeatedField { other_name: Some(name) } => {
                out.push_str("must not be given beside ");
                push_cut(out, name);
                out.push_str(", which means the same");
            }
            Self::Type(types) => write_types(out, types),
            Self::Enum(allowed) | Self::Discriminator { allowed, is_key: false, .. } => {
                out.push_str("must be ");
                write_allowed(out, allowed);
            }
            Self::Values(allowed) => {
                out.push_str(if allowed.len() > 1 { "must be one of " } else { "must be " });
                write_list(out, ", ", allowed.iter(), |out, value| out.push_str(value));
            }
            Self::Discriminator { allowed, is_key: true, .. } => {
                out.push_str("must be named ");
                write_allowed(out, allowed);
            }
            Self::Minimum(bound) => write_bound(out, "must be at least ", bound),
            Self::Maximum(bound) => write_bound(out, "must be at most ", bound),
            Self::ExclusiveMinimum(bound) => write_bound(out, "must be above ", bound),
            Self::ExclusiveMaximum(bound) => write_bound(out, "must be below ", bound),
            Self::MultipleOf(divisor) => write_bound(out, "must be a multiple of ", divisor),
            Self::MinLength(length) => write_length(out, "least", *length, ("character", "characters")),
            Self::MaxLength(length) => write_length(out, "most", *length, ("character", "characters")),
            Self::MinItems(length) => write_length(out, "least", *length, ("item", "items")),
            Self::MaxItems(length) => write_length(out, "most", *length, ("item", "items")),
            Self::MinProperties(length) => write_length(out, "least", *length, ("property", "properties")),
            Self::MaxProperties(length) => write_length(out, "most", *length, ("property", "properties")),
            Self::UniqueItems { first, second } => {
                write_count(out, "must have unique items, but [", *second);
                write_count(out, "] repeats [", *first);
                out.push(']');
            }
            Self::Pattern(pattern) => {
                out.push_str("must match the pattern ");
                push_cut(out, pattern);
            }
            Self::Format(format) => {
                let noun = format.expectation();
                out.extend(["must be ", article(noun), noun]);
            }
            Self::AnyOf { variants } => {
                out.push_str("must be one of: ");
                write_list(out, "; ", variants.iter(), |out, variant| out.push_str(variant));
            }
            Self::Custom(rejection) => push_cut(out, rejection.message()),
            Self::Syntax { offset } => write_count(out, "are not valid JSON at byte ", *offset),
            Self::Depth { limit } => {
                write_count(out, "are nested more than ", *limit);
                out.push_str(" levels deep");
            }
            Self::Keyword { text, .. } => push_cut(out, text),
            // The text was cut before it was stored.
            Self::Stored { text, .. } => out.push_str(text),
            Self::MultipleDocuments { offset } => {
                write_count(out, "must be one JSON value, but a second one begins at byte ", *offset);
            }
            Self::Incomplete => out.push_str("end before the JSON is complete"),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_escaped_text(self))
    }
}

/// Writes, for example, `must be at most 14`.
fn write_bound(out: &mut String, words: &str, bound: &Number) {
    out.push_str(words);
    bound.push(out);
}

/// Writes, for example, `are not valid JSON at byte 14`.
fn write_count(out: &mut String, words: &str, count: usize) {
    out.push_str(words);
    push_count(out, count);
}

/// Writes, for example, `must have at least 1 character`.
fn write_length(out: &mut String, end: &str, length: u64, (noun, nouns): (&str, &str)) {
    out.extend(["must have at ", end, " "]);
    push_length(out, length);
    out.extend([" ", if length == 1 { noun } else { nouns }]);
}

/// Writes, for example, `must be an integer, a string or null`.
fn write_types(out: &mut String, types: &[JsonType]) {
    out.push_str("must be ");
    for (index, json_type) in types.iter().enumerate() {
        let separator = match index {
            0 => "",
            _ if index + 1 == types.len() => " or ",
            _ => ", ",
        };
        out.extend([separator, article(json_type.name()), json_type.name()]);
    }
}

/// Writes `one of "a", "b"`, or only the value if there is just one.
pub(super) fn write_allowed(out: &mut String, allowed: &[Text]) {
    if allowed.len() > 1 {
        out.push_str("one of ");
    }
    write_list(out, ", ", allowed.iter(), |out, name| write_visible(out, name));
}
