//! Between [`Json`] and `serde_json::Value`.
//!
//! In comes a value that a host already holds; out goes our tree, borrowing its strings and without spans, and back
//! again. It uses nothing that `preserve_order` or `arbitrary_precision` change, so it works the same with these
//! features on.

use std::borrow::Cow;

use serde_json::Value;

use super::{DEPTH_LIMIT, Json, Member, Node, Span, SyntaxError};

impl<'a> Json<'a> {
    /// Reads a `serde_json::Value`: keys in the order in which its map holds them, spans empty.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// let value = serde_json::json!({"days": 3});
    /// assert_eq!(Json::from_value(&value)?.to_text(), r#"{"days":3}"#);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SyntaxError::Depth`] where it is nested deeper than a text may be; its offset is zero.
    pub fn from_value(value: &'a Value) -> Result<Self, SyntaxError> {
        bounded(value, DEPTH_LIMIT)
    }

    /// The nearest `serde_json::Value`, for hosts that need one.
    ///
    /// What is lost: spans, the order of keys (unless `preserve_order` is on), all but the last of repeated keys, and
    /// digits that `serde_json` does not keep (unless `arbitrary_precision` is on). A number that it refuses becomes a
    /// string of its text.
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
    Ok(Json::new(match value {
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
