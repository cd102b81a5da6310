//! Accessors of a node: its type in JSON Schema, its value, its members.
//!
//! They borrow from the [`Json`], return `None` for another type, and never convert: a string is never parsed as a number.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Json, Member, Node, NumberText};
use crate::fast_hash::RandomHashState;

/// The largest number of keys that are compared with each other.
const FEW: usize = 16;

/// The types of JSON Schema. An integer is any number without a fractional part, in any spelling.
///
/// ```
/// use tool_schema::json::{Json, JsonType};
///
/// assert_eq!(Json::parse("1e3")?.json_type(), JsonType::Integer);
/// assert_eq!(Json::parse("0.5")?.json_type(), JsonType::Number);
/// assert_eq!(Json::parse("true")?.json_type().to_string(), "boolean");
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonType {
    /// `null`
    Null,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

impl Json<'_> {
    /// Returns the type in JSON Schema: `5.0` and `1e3` are integers.
    pub fn json_type(&self) -> JsonType {
        match &self.node {
            Node::Null => JsonType::Null,
            Node::Bool(_) => JsonType::Boolean,
            Node::Number(text) if NumberText(text).is_integral() => JsonType::Integer,
            Node::Number(_) => JsonType::Number,
            Node::String(_) => JsonType::String,
            Node::Array(_) => JsonType::Array,
            Node::Object(_) => JsonType::Object,
        }
    }

    /// Returns `true` for `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self.node, Node::Null)
    }

    /// Returns the value of a boolean.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Node::Bool(value) = self.node { Some(value) } else { None }
    }

    /// Returns the text of a number.
    pub(crate) fn as_number(&self) -> Option<NumberText<'_>> {
        if let Node::Number(text) = &self.node { Some(NumberText(text)) } else { None }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Node::String(text) = &self.node { Some(text) } else { None }
    }

    /// Returns the items of an array; empty for other types.
    pub fn items(&self) -> &[Self] {
        if let Node::Array(items) = &self.node { items } else { &[] }
    }
}

impl<'a> Json<'a> {
    /// Returns the members of an object, in order and with repetitions; empty for other types.
    pub fn members(&self) -> &[Member<'a>] {
        if let Node::Object(members) = &self.node { members } else { &[] }
    }

    /// Returns `true` if an object has a key twice. Comparing a few keys takes less time than hashing them.
    pub(crate) fn has_repeated_key(&self) -> bool {
        let mut keys = self.members().iter().map(|member| &*member.key);
        if keys.len() <= FEW {
            return keys.clone().enumerate().any(|(index, key)| keys.clone().take(index).any(|earlier| earlier == key));
        }
        let mut seen = HashSet::with_capacity_and_hasher(keys.len(), RandomHashState::default());
        !keys.all(|key| seen.insert(key))
    }

    /// Returns the items of an array, or the values of an object.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Json<'a>> {
        self.items().iter().chain(self.members().iter().map(|member| &member.value))
    }

    /// Returns the items of an array, or the values of an object.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Json<'a>> {
        let (items, members) = match &mut self.node {
            Node::Array(items) => (items.as_mut_slice(), Default::default()),
            Node::Object(members) => (Default::default(), members.as_mut_slice()),
            _ => Default::default(),
        };
        items.iter_mut().chain(members.iter_mut().map(|member| &mut member.value))
    }

    /// Returns the number of nodes in the tree, whose depth is bounded.
    pub(crate) fn nodes(&self) -> u64 {
        1 + self.parts().map(Json::nodes).sum::<u64>()
    }

    /// Returns the value of a key. If the key is repeated, the last value counts, as when serde decodes a map.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.members().iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }
}

impl JsonType {
    /// Returns the name in JSON Schema.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Json, NumberText};

    #[test]
    fn as_number() -> Result<(), crate::json::SyntaxError> {
        assert_eq!(Json::parse("1e3")?.as_number(), Some(NumberText("1e3")));
        Ok(())
    }
}
