//! Conversions between [`Json`] and `serde_json::Value`.
//!
//! The tree borrows the strings of a `Value` and has no spans. The code compiles and works with and without the features `preserve_order`
//! and `arbitrary_precision` of `serde_json`.

use std::borrow::Cow;

use serde_json::Value;

use super::{DEPTH_LIMIT, Json, Member, Node, Span, SyntaxError};

impl<'a> Json<'a> {
    /// Converts a `serde_json::Value`, with the keys in the order of its map and empty spans.
    ///
    /// # Errors
    ///
    /// Returns [`SyntaxError::Depth`] with an offset of zero if the value is nested deeper than a text may be.
    pub fn from_value(value: &'a Value) -> Result<Self, SyntaxError> {
        bounded(value, DEPTH_LIMIT)
    }

    /// Converts the tree to the nearest `serde_json::Value`.
    ///
    /// The result has no spans, loses the order of keys (unless `preserve_order` is on), keeps only the last of repeated keys, and loses
    /// digits that `serde_json` does not keep (unless `arbitrary_precision` is on). A number that `serde_json` rejects becomes a string of
    /// its text.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// assert_eq!(Json::parse(r#"{"a": 1, "a": [2]}"#)?.to_value(), serde_json::json!({"a": [2]}));
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn to_value(&self) -> Value {
        match &self.node {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(*value),
            Node::Number(text) => text.parse().map_or_else(|_| Value::String(text.to_string()), Value::Number),
            Node::String(text) => Value::String(text.to_string()),
            Node::Array(items) => items.iter().map(Json::to_value).collect(),
            Node::Object(members) => {
                members.iter().map(|member| (member.key.to_string(), member.value.to_value())).collect()
            }
        }
    }
}

fn bounded<'a>(value: &'a Value, levels: usize) -> Result<Json<'a>, SyntaxError> {
    let inner = levels.checked_sub(1).ok_or(SyntaxError::depth(0));
    Ok(Json::from_node(match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => Node::Number(Cow::Owned(number.to_string())),
        Value::String(text) => Node::String(Cow::Borrowed(text)),
        Value::Array(items) => {
            let levels = inner?;
            Node::Array(items.iter().map(|item| bounded(item, levels)).collect::<Result<_, _>>()?)
        }
        Value::Object(map) => {
            let levels = inner?;
            let member = |(key, value): (&'a String, &'a Value)| {
                Ok(Member {
                    key: Cow::Borrowed(key.as_str()),
                    key_span: Span::default(),
                    value: bounded(value, levels)?,
                })
            };
            Node::Object(map.iter().map(member).collect::<Result<_, _>>()?)
        }
    }))
}
