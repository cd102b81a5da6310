//! Short ways to build a tree.

use std::borrow::Cow;
use std::fmt::Display;

use super::tree::{Json, Member, Node, Span};

/// Creates a member.
pub fn member<'a>(key: impl Into<Cow<'a, str>>, value: Json<'a>) -> Member<'a> {
    Member { key: key.into(), key_span: Span::default(), value }
}

/// Creates an object.
pub fn object<'a>(members: impl IntoIterator<Item = Member<'a>>) -> Json<'a> {
    Json::from_node(Node::Object(members.into_iter().collect()))
}

/// Creates an array.
pub fn list<'a>(items: impl IntoIterator<Item = Json<'a>>) -> Json<'a> {
    Json::from_node(Node::Array(items.into_iter().collect()))
}

/// Creates a string.
pub fn string<'a>(text: impl Into<Cow<'a, str>>) -> Json<'a> {
    Json::from_node(Node::String(text.into()))
}

/// Creates a number from its JSON text.
pub fn number<'a>(number: impl Display) -> Json<'a> {
    Json::from_node(Node::Number(number.to_string().into()))
}

/// Creates a boolean.
pub fn boolean<'a>(value: bool) -> Json<'a> {
    Json::from_node(Node::Bool(value))
}
