//! The tree: [`Json`], its nodes, members and spans.
//!
//! The tree borrows from the text where possible and becomes owned by [`Json::into_owned`]. `==` compares the spelling (`1` is not `1.0`,
//! the order of keys matters) and ignores spans; [`Json::same_value`] is the equality of JSON Schema. The parser and the conversions never
//! build a tree that is deeper than [`DEPTH_LIMIT`].

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of nested arrays and objects, the same as in `serde_json`.
///
/// ```
/// use tool_schema::json::{DEPTH_LIMIT, Json};
///
/// let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
/// assert!(Json::parse(&nested(DEPTH_LIMIT)).is_ok());
/// assert!(Json::parse(&nested(DEPTH_LIMIT + 1)).is_err());
/// ```
pub const DEPTH_LIMIT: usize = 127;

/// A JSON value in its original spelling, with its position in the text.
///
/// ```
/// use tool_schema::json::{Json, JsonType};
///
/// let json = Json::parse(r#"{"b": 1, "a": 5.0, "b": [true]}"#)?;
/// let keys: Vec<_> = json.members().iter().map(|member| &*member.key).collect();
/// assert_eq!(keys, ["b", "a", "b"]);
/// assert_eq!(json.get("a").map(Json::json_type), Some(JsonType::Integer));
/// assert_eq!(json.get("b").map(|last| last.span.start), Some(24));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub struct Json<'a> {
    /// The value.
    pub node: Node<'a>,
    /// The position in the text; empty for a value without a text.
    pub span: Span,
}

/// A value of one of the six kinds that JSON has.
///
/// ```
/// use tool_schema::json::{Json, Node};
///
/// assert_eq!(Json::parse("1.50")?.node, Node::Number("1.50".into()));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, PartialEq)]
pub enum Node<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The text of the number.
    Number(Cow<'a, str>),
    /// The string with its escapes resolved.
    String(Cow<'a, str>),
    /// Items in order.
    Array(Vec<Json<'a>>),
    /// Members in order, repeated keys included.
    Object(Vec<Member<'a>>),
}

/// A key and its value in an object.
///
/// ```
/// use tool_schema::json::{Json, Span};
///
/// let object = Json::parse(r#"{ "days": 3 }"#)?;
/// assert_eq!(object.members()[0].key_span, Span::new(2, 8));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub struct Member<'a> {
    /// The key with its escapes resolved.
    pub key: Cow<'a, str>,
    /// The position of the key with its quotes.
    pub key_span: Span,
    /// The value.
    pub value: Json<'a>,
}

/// A range of bytes in the text.
///
/// ```
/// use tool_schema::json::{Json, Span};
///
/// assert_eq!(Json::parse(" null ")?.span, Span { start: 1, end: 5 });
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl<'a> Json<'a> {
    /// Creates a node without a position.
    pub fn from_node(node: Node<'a>) -> Self {
        Self { node, span: Span::default() }
    }

    /// Converts the tree into one that does not borrow from the text.
    pub fn into_owned(self) -> Json<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        let node = match self.node {
            Node::Null => Node::Null,
            Node::Bool(value) => Node::Bool(value),
            Node::Number(text) => Node::Number(own(text)),
            Node::String(text) => Node::String(own(text)),
            Node::Array(items) => Node::Array(items.into_iter().map(Json::into_owned).collect()),
            Node::Object(members) => Node::Object(
                members
                    .into_iter()
                    .map(|Member { key, key_span, value }| Member {
                        key: own(key),
                        key_span,
                        value: value.into_owned(),
                    })
                    .collect(),
            ),
        };
        Json { node, span: self.span }
    }

    /// Sorts the members of every object by key.
    ///
    /// A `Value` of `serde_json` has this order unless a crate of the program turns on `preserve_order`; sorting makes the result
    /// independent of that feature. The recursion is bounded by the depth of the tree.
    pub(crate) fn sorted(mut self) -> Self {
        self.sort();
        self
    }

    fn sort(&mut self) {
        self.parts_mut().for_each(Self::sort);
        if let Node::Object(members) = &mut self.node {
            members.sort_by(|one, other| one.key.cmp(&other.key));
        }
    }
}

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl PartialEq for Member<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Span {
    /// Creates a span from the first byte and the byte after the last; offsets that are too large saturate.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end) }
    }
}

/// Shows only the structure of the tree, because any argument may be a secret.
impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({:?})", self.node)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(_) => f.write_str("Bool"),
            Self::Number(text) => write!(f, "Number of {} bytes", text.len()),
            Self::String(text) => write!(f, "String of {} bytes", text.len()),
            Self::Array(items) => write!(f, "Array of {} items", items.len()),
            Self::Object(members) => write!(f, "Object of {} members", members.len()),
        }
    }
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Member({:?})", self.value.node)
    }
}
