//! The tree itself: [`Json`], its nodes, members and spans, and the questions one asks of a node.
//!
//! It borrows from the text where it can and becomes independent through [`Json::into_owned`].
//! Equality with `==` compares what was written (`1` is not `1.0`, the order of keys counts) and ignores spans;
//! [`Json::same_value`] is the equality of JSON Schema. Trees built here are never deeper than [`DEPTH_LIMIT`](super::DEPTH_LIMIT).

use std::{borrow::Cow, fmt};

use super::NumberText;

/// A JSON value as it was written, with its place in the text.
///
/// ```
/// use tool_runtime::json::{Json, JsonType};
///
/// let json = Json::parse(r#"{"b": 1, "a": 5.0, "b": [true]}"#)?;
/// let keys: Vec<_> = json.members().iter().map(|member| &*member.key).collect();
/// assert_eq!(keys, ["b", "a", "b"]);
/// assert_eq!(json.get("a").map(Json::json_type), Some(JsonType::Integer));
/// assert_eq!(json.get("b").map(|last| last.span.start), Some(24));
/// # Ok::<(), tool_runtime::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Json<'a> {
    /// The value.
    pub node: Node<'a>,
    /// Where it stands in the text; empty where there was no text.
    pub span: Span,
}

/// One value of the six kinds that JSON has.
///
/// ```
/// use tool_runtime::json::{Json, Node};
///
/// assert_eq!(Json::parse("1.50")?.node, Node::Number("1.50".into()));
/// # Ok::<(), tool_runtime::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The number's own text.
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
/// use tool_runtime::json::{Json, Span};
///
/// let object = Json::parse(r#"{ "days": 3 }"#)?;
/// assert_eq!(object.members()[0].key_span, Span::new(2, 8));
/// # Ok::<(), tool_runtime::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The key with its escapes resolved.
    pub key: Cow<'a, str>,
    /// Where the key stands, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Json<'a>,
}

/// A range of bytes in the text.
///
/// ```
/// use tool_runtime::json::{Json, Span};
///
/// assert_eq!(Json::parse(" null ")?.span, Span { start: 1, end: 5 });
/// # Ok::<(), tool_runtime::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// The types of JSON Schema. An integer is any number without a fractional part, however it is written.
///
/// ```
/// use tool_runtime::json::JsonType;
///
/// assert_eq!(JsonType::Boolean.to_string(), "boolean");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// The type in the words of JSON Schema: `5.0` and `1e3` are integers.
    ///
    /// ```
    /// use tool_runtime::json::{Json, JsonType};
    ///
    /// assert_eq!(Json::parse("1e3")?.json_type(), JsonType::Integer);
    /// assert_eq!(Json::parse("0.5")?.json_type(), JsonType::Number);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
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

    /// Whether it is `null`.
    ///
    /// ```
    /// assert!(tool_runtime::json::Json::parse("null")?.is_null());
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub const fn is_null(&self) -> bool {
        matches!(self.node, Node::Null)
    }

    /// Its value where it is a boolean.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::Json::parse("true")?.as_bool(), Some(true));
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub const fn as_bool(&self) -> Option<bool> {
        if let Node::Bool(value) = self.node { Some(value) } else { None }
    }

    /// Its text where it is a number.
    ///
    /// ```
    /// use tool_runtime::json::{Json, NumberText};
    ///
    /// assert_eq!(Json::parse("1e3")?.as_number(), Some(NumberText("1e3")));
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn as_number(&self) -> Option<NumberText<'_>> {
        if let Node::Number(text) = &self.node { Some(NumberText(text)) } else { None }
    }

    /// Its text where it is a string.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::Json::parse(r#""a\u0062""#)?.as_str(), Some("ab"));
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn as_str(&self) -> Option<&str> {
        if let Node::String(text) = &self.node { Some(text) } else { None }
    }

    /// The items of an array; empty for anything else.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::Json::parse("[1, 2]")?.items().len(), 2);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn items(&self) -> &[Self] {
        if let Node::Array(items) = &self.node { items } else { &[] }
    }
}

impl<'a> Json<'a> {
    /// A node without a place in any text.
    ///
    /// ```
    /// use tool_runtime::json::{Json, Node};
    ///
    /// assert_eq!(Json::new(Node::Bool(true)).to_text(), "true");
    /// ```
    pub fn new(node: Node<'a>) -> Self {
        Self { node, span: Span::default() }
    }

    /// The members of an object, in order and with repetitions; empty for anything else.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::Json::parse(r#"{"a": 1, "a": 2}"#)?.members().len(), 2);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn members(&self) -> &[Member<'a>] {
        if let Node::Object(members) = &self.node { members } else { &[] }
    }

    /// The value of a key: the last one where the key is repeated, as in the maps of serde.
    ///
    /// ```
    /// use tool_runtime::json::Json;
    ///
    /// let object = Json::parse(r#"{"a": false, "a": true}"#)?;
    /// assert_eq!(object.get("a").and_then(Json::as_bool), Some(true));
    /// assert_eq!(object.get("b"), None);
    /// # Ok::<(), tool_runtime::json::SyntaxError>(())
    /// ```
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.members().iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The same tree, independent of the text that it came from.
    ///
    /// ```
    /// use tool_runtime::json::{Json, SyntaxError};
    ///
    /// fn read(text: String) -> Result<Json<'static>, SyntaxError> {
    ///     Json::parse(&text).map(Json::into_owned)
    /// }
    /// assert_eq!(read("[1]".to_owned())?.to_text(), "[1]");
    /// # Ok::<(), SyntaxError>(())
    /// ```
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
    /// From the first byte to the one after the last; offsets that do not fit stop at the largest that does.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::Span::new(2, 5).end, 5);
    /// ```
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end) }
    }
}

impl JsonType {
    /// Its name in JSON Schema.
    ///
    /// ```
    /// assert_eq!(tool_runtime::json::JsonType::Integer.name(), "integer");
    /// ```
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
