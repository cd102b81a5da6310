//! `Tree`: JSON in its text form, for tests.
//!
//! Unlike `serde_json::Value`, it keeps the order of keys, repeated keys, and the text of numbers. It is independent of the crates under
//! test.

use std::fmt;

/// A JSON value in its text form.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// The value `null`.
    Null,
    /// The value `true` or `false`.
    Bool(bool),
    /// A number as text.
    Number(String),
    /// A string.
    String(String),
    /// Items in order.
    Array(Vec<Tree>),
    /// Members in order, repeated keys included.
    Object(Vec<(String, Tree)>),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the member of an object.
    Key(String),
    /// Into the item of an array.
    Index(usize),
}

impl Tree {
    /// Returns an integer.
    pub fn integer(value: i128) -> Self {
        Self::Number(value.to_string())
    }

    /// Returns a string.
    pub fn text(value: &str) -> Self {
        Self::String(value.to_owned())
    }

    /// Returns an object with one member.
    pub fn member(key: &str, value: Self) -> Self {
        Self::Object(vec![(key.to_owned(), value)])
    }

    /// Returns the members of an object, or nothing for other values.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// Returns the items of an array, or nothing for other values.
    pub fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    /// Returns the value of a key.
    pub fn member_of(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// Returns the value at a path.
    pub fn at_mut(&mut self, path: &[Step]) -> Option<&mut Self> {
        path.iter().try_fold(self, |tree, step| match (tree, step) {
            (Self::Object(members), Step::Key(key)) => {
                members.iter_mut().find(|(known, _)| known == key).map(|(_, value)| value)
            }
            (Self::Array(items), Step::Index(index)) => items.get_mut(*index),
            _ => None,
        })
    }

    /// Returns `true` if any value in the tree satisfies the condition.
    pub fn any(&self, condition: &mut dyn FnMut(&Self) -> bool) -> bool {
        condition(self)
            || self.items().iter().any(|item| item.any(condition))
            || self.members().iter().any(|(_, value)| value.any(condition))
    }
}

impl fmt::Display for Tree {
    /// Formats compact JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(text) => f.write_str(text),
            Self::String(text) => quoted(text, f),
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    quoted(key, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

/// Returns a path as in `docs/wire.md`: `customer.items[2].quantity`, the root as `$`, unusual keys as `["x y"]`.
pub fn path_text(path: &[Step]) -> String {
    let plain = |key: &str| {
        key.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$'))
            && key.chars().all(|other| other.is_alphanumeric() || matches!(other, '_' | '-' | '$'))
    };
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) if plain(key) && text.is_empty() => text.push_str(key),
            Step::Key(key) if plain(key) => text = format!("{text}.{key}"),
            Step::Key(key) => text = format!("{text}[{}]", Tree::text(key)),
            Step::Index(index) => text = format!("{text}[{index}]"),
        }
    }
    if text.is_empty() { "$".to_owned() } else { text }
}
