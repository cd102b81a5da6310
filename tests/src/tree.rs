//! `Tree`: JSON as it is written, for tests.
//!
//! It keeps what `serde_json::Value` does not: the order of keys, repeated keys, and the text of numbers. It is a plain enum that
//! borrows nothing of the crate under test, so that what is generated owes nothing to what is judged.

use std::fmt;

/// A JSON value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The number's own text.
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
    /// An integer.
    pub fn integer(value: i128) -> Self {
        Self::Number(value.to_string())
    }

    /// A string.
    pub fn text(value: &str) -> Self {
        Self::String(value.to_owned())
    }

    /// An object with one member.
    pub fn member(key: &str, value: Self) -> Self {
        Self::Object(vec![(key.to_owned(), value)])
    }

    /// The members of an object; empty for anything else.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The items of an array; empty for anything else.
    pub fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    /// The value of a key.
    pub fn member_of(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The value at a place, where there is one.
    pub fn at_mut(&mut self, path: &[Step]) -> Option<&mut Self> {
        path.iter().try_fold(self, |tree, step| match (tree, step) {
            (Self::Object(members), Step::Key(key)) => {
                members.iter_mut().find(|(known, _)| known == key).map(|(_, value)| value)
            }
            (Self::Array(items), Step::Index(index)) => items.get_mut(*index),
            _ => None,
        })
    }

    /// Whether any value in the tree satisfies a condition.
    pub fn any(&self, condition: &mut dyn FnMut(&Self) -> bool) -> bool {
        condition(self)
            || self.items().iter().any(|item| item.any(condition))
            || self.members().iter().any(|(_, value)| value.any(condition))
    }
}

impl fmt::Display for Tree {
    /// Compact JSON.
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

/// A path as WIRE prints it: `customer.items[2].quantity`, the root as `$`, odd keys as `["x y"]`.
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
