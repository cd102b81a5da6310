//! Sources of a schema: text, a `serde_json::Value`, or a [`Json`] tree.

use std::borrow::Cow;

use serde_json::Value;
use tool_runtime::tool_schema::json::{Json, Node};

use super::SchemaError;
use crate::private::json::build::object;

/// A schema as JSON text, as a `serde_json::Value` or as a [`Json`] tree. Text keeps the order of keys, which is the order of the
/// properties for the model. A `Value` loses that order, unless the feature `preserve_order` of `serde_json` is on.
///
/// ```
/// use serde_json::json;
/// use tool_dynamic::InputSchema;
///
/// let text = InputSchema::parse(r#"{"type": "object", "properties": {"b": {}, "a": {}}}"#)?;
/// assert_eq!(text.to_text(), r#"{"type":"object","properties":{"b":{},"a":{}}}"#);
/// let value = InputSchema::parse(json!({"type": "object", "required": ["b", "a"]}))?;
/// assert_eq!(value.check(&"{}".into())[0].message(), "b is required");
/// # Ok::<(), tool_dynamic::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RawSchema<'a> {
    /// JSON text.
    Text(Cow<'a, str>),
    /// Parsed JSON.
    Value(Cow<'a, Value>),
    /// Parsed JSON with ordered keys.
    Json(Json<'a>),
}

impl RawSchema<'_> {
    /// Returns the schema as a tree. `null` stands for a tool without arguments, for which any object is valid.
    pub(super) fn to_json(&self) -> Result<Json<'static>, SchemaError> {
        let json = match self {
            Self::Text(text) => Json::parse(text)?.into_owned(),
            Self::Value(value) => Json::from_value(value)?.into_owned(),
            Self::Json(json) => json.clone().into_owned(),
        };
        match json.node {
            Node::Null => Ok(object([])),
            Node::Object(_) | Node::Bool(_) => Ok(json),
            _ => Err(SchemaError::Keyword {
                path: String::new(),
                keyword: String::new(),
                reason: format!("a schema must be an object, but this is a value of type {}", json.json_type()),
            }),
        }
    }
}

impl<'a> From<&'a str> for RawSchema<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a String> for RawSchema<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for RawSchema<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a Value> for RawSchema<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Value(Cow::Borrowed(value))
    }
}

impl From<Value> for RawSchema<'_> {
    fn from(value: Value) -> Self {
        Self::Value(Cow::Owned(value))
    }
}

impl<'a> From<Json<'a>> for RawSchema<'a> {
    fn from(json: Json<'a>) -> Self {
        Self::Json(json)
    }
}
