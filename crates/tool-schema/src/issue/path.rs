//! Locations in arguments: `Path`, formatted for people and models (`customer.items[2].quantity`) and for programs (RFC 6901).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::bounded_text_list::{WriteText, push_count, to_escaped_text};
use crate::json::pointer::push_token;
use crate::json::{Json, write_visible};
use crate::shape::Text;
use crate::visible::is_hidden;

/// A location in the arguments of a call.
///
/// ```
/// use tool_schema::issue::Path;
///
/// let path = Path::root().key("customer").key("items").index(2).key("unit price");
/// assert_eq!(path.to_string(), r#"customer.items[2]["unit price"]"#);
/// assert_eq!(path.pointer(), "/customer/items/2/unit price");
/// assert_eq!(path.parent().and_then(|parent| parent.parent()), Some(Path::from("customer.items")));
/// assert_eq!(Path::root().to_string(), "$");
/// assert_eq!(serde_json::to_string(&path)?, r#"["customer","items",2,"unit price"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(Vec<Segment>);

/// One step of a [`Path`].
///
/// ```
/// use tool_schema::issue::{Path, Segment};
///
/// let path: Path = [Segment::Key("items".into()), Segment::Index(2)].into_iter().collect();
/// assert_eq!(path.to_string(), "items[2]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Segment {
    /// The key of an object's member.
    Key(Text),
    /// The index of an array's item, counted from zero.
    Index(usize),
}

/// Returns the value to which these steps lead.
pub fn value_at<'j, 'a>(json: &'j Json<'a>, steps: &[Segment]) -> Option<&'j Json<'a>> {
    steps.iter().try_fold(json, |json, step| match step {
        Segment::Key(key) => json.get(key),
        Segment::Index(index) => json.items().get(*index),
    })
}

impl Path {
    /// Returns the path of the arguments as a whole.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Appends the key of a member.
    #[must_use]
    pub fn key(mut self, key: impl Into<Box<str>>) -> Self {
        self.0.push(Segment::Key(Text::from(String::from(key.into()))));
        self
    }

    /// Appends the index of an item.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    pub(crate) fn with_capacity(depth: usize) -> Self {
        Self(Vec::with_capacity(depth))
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    /// Returns the segments, starting at the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Returns `true` for the path of the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path without its last segment; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.split_last().map(|(_, front)| Self(front.to_vec()))
    }

    /// Returns `true` if two paths are equal. They are compared from the end, because paths of one call mostly differ there.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).rev().all(|(one, other)| one == other)
    }

    /// Returns the last segment if it is a key.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last() {
            Some(Segment::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Returns the JSON Pointer (RFC 6901); empty for the root.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for segment in &self.0 {
            match segment {
                Segment::Key(key) => push_token(&mut pointer, key),
                Segment::Index(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

/// Returns `true` if a key needs no quotes in a path, because it is an identifier (hyphens and `$` are allowed). Hangul fillers need
/// quotes, although they are letters, because they are invisible. The key `$` needs them because `$` is the path of the arguments
/// themselves.
fn is_plain(key: &str) -> bool {
    // Nearly all keys are ASCII, which needs no Unicode table.
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$');
    let is_other = |byte: &u8| is_letter(*byte) || byte.is_ascii_digit() || *byte == b'-';
    let is_word = match key.as_bytes() {
        [first, others @ ..] => is_letter(*first) && others.iter().all(is_other),
        [] => false,
    };
    if is_word || key.is_ascii() {
        return is_word && key != "$";
    }
    let mut characters = key.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'))
        && characters.all(|other| other.is_alphanumeric() || matches!(other, '_' | '-' | '$'))
        && !key.contains(is_hidden)
}

impl WriteText for Path {
    fn write(&self, out: &mut String) {
        if self.0.is_empty() {
            out.push('$');
        }
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if is_plain(key) => {
                    if position > 0 {
                        out.push('.');
                    }
                    out.push_str(key);
                }
                Segment::Key(key) => {
                    out.push('[');
                    write_visible(out, key);
                    out.push(']');
                }
                Segment::Index(index) => {
                    out.push('[');
                    push_count(out, *index);
                    out.push(']');
                }
            }
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_escaped_text(self))
    }
}
