//! Rewrites keywords about a single value: each stays a keyword or becomes a sentence.

use super::super::rules::{References, Values};
use super::schema_builder::SchemaBuilder;
use super::{Rewriter, is_silent};
use crate::json::build::{list, member};
use crate::json::{Json, JsonType, Member, Node};

impl Rewriter<'_> {
    /// Writes a keyword, or its sentence.
    pub(super) fn keyword(&mut self, entry: &Member<'static>, types: &[JsonType], draft: &mut SchemaBuilder) {
        let (key, value) = (&*entry.key, &entry.value);
        if key == "description" {
            if value.as_str().is_some() {
                draft.members.push(entry.clone());
            }
            return;
        }
        let Some(read) = self.form.keywords else {
            if !matches!(key, "$defs" | "definitions") {
                let copy = self.copy_keyword(entry);
                draft.members.push(copy);
            }
            return;
        };
        let is_read = read.contains(&key);
        if is_read && self.takes(key, value, types) {
            return draft.members.push(entry.clone());
        }
        // `const` can be written as an `enum` with one value.
        if key == "const" && read.contains(&"enum") {
            let values = list([value.clone()]);
            if self.takes("enum", &values, types) {
                return draft.members.push(member("enum", values));
            }
        }
        if is_silent(key) {
            return;
        }
        if !is_about(key, types) {
            return;
        }
        draft.say_keyword(key, value);
        // A reference in a keyword that the provider ignores could still break the provider's rules.
        let is_safe = self.form.references == References::WithSiblings || !holds_schemas(entry);
        if !is_read && self.form.keeps_unread && is_safe {
            let copy = self.copy_keyword(entry);
            draft.members.push(copy);
        }
    }

    /// Copies a keyword. References in it are adapted to the new definitions.
    fn copy_keyword(&mut self, entry: &Member<'static>) -> Member<'static> {
        if !holds_schemas(entry) {
            return entry.clone();
        }
        let value = self.verbatim(&entry.value);
        Member { value, ..entry.clone() }
    }

    /// Returns `true` if the provider accepts this value of a supported keyword.
    fn takes(&self, key: &str, value: &Json<'static>, types: &[JsonType]) -> bool {
        match key {
            "format" => match (self.form.formats, value.as_str()) {
                (Some(formats), Some(format)) => formats.contains(&format),
                (None, _) => true,
                (Some(_), None) => false,
            },
            "pattern" => {
                value.as_str().is_some_and(|pattern| !pattern.contains("(?") || pattern.contains("(?:"))
                    && !looks_around(value)
            }
            "minItems" => value
                .as_number()
                .and_then(|number| number.0.parse::<u64>().ok())
                .is_some_and(|number| number <= self.form.most_min_items),
            "enum" => {
                let fits_type = match self.form.values {
                    Values::Strings => types == [JsonType::String],
                    Values::OfOneType => value.items().iter().all(|value| is_of(value, types)),
                    _ => true,
                };
                !value.items().is_empty()
                    && fits_type
                    && value.items().iter().all(|value| is_listed(value, self.form.values))
            }
            "const" => is_listed(value, self.form.values),
            _ => is_about(key, types),
        }
    }
}

/// Returns `true` if the value of a keyword may have schemas in it.
fn holds_schemas(entry: &Member<'static>) -> bool {
    let is_data = matches!(&*entry.key, "const" | "enum" | "default" | "examples" | "example" | "type" | "required");
    !is_data && matches!(entry.value.node, Node::Array(_) | Node::Object(_))
}

/// Returns `true` if a pattern has a look-around, which grammar engines do not support.
fn looks_around(pattern: &Json<'static>) -> bool {
    let Some(pattern) = pattern.as_str() else { return true };
    ["(?=", "(?!", "(?<"].iter().any(|part| pattern.contains(part))
}

/// Returns `true` if a value has the only type.
fn is_of(value: &Json<'static>, types: &[JsonType]) -> bool {
    match types {
        [JsonType::Number] => matches!(value.node, Node::Number(_)),
        [only] => value.json_type() == *only,
        _ => false,
    }
}

/// Returns `true` if a keyword applies to values of these types.
fn is_about(key: &str, types: &[JsonType]) -> bool {
    types.is_empty() || about(key).is_none_or(|about| types.iter().any(|own| about.contains(own)))
}

/// Returns the types of the values to which a keyword applies; `None` for all.
pub(super) fn about(key: &str) -> Option<&'static [JsonType]> {
    Some(match key {
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => {
            &[JsonType::String]
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &[JsonType::Integer, JsonType::Number]
        }
        "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains" | "maxContains" => &[JsonType::Array],
        "dependentRequired" | "dependentSchemas" | "dependencies" => &[JsonType::Object],
        _ => return None,
    })
}

/// Returns `true` if an `enum` may list a value.
fn is_listed(value: &Json<'static>, values: Values) -> bool {
    match values {
        Values::Any => true,
        Values::Primitives => !matches!(value.node, Node::Array(_) | Node::Object(_)),
        Values::StringsAndNumbers | Values::OfOneType => is_text(value) || matches!(value.node, Node::Number(_)),
        Values::Strings => is_text(value),
    }
}

/// Returns `true` for a text that is not empty.
fn is_text(value: &Json<'static>) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}
