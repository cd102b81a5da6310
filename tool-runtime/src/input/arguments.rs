//! What a host hands over as arguments: text, bytes or parsed JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The arguments of a call, as the model's client delivers them.
#[derive(Clone, Debug)]
pub enum Arguments<'a> {
    /// JSON text.
    Text(Cow<'a, str>),
    /// JSON text that may not be UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Parsed JSON.
    Value(Cow<'a, Value>),
    /// A parsed JSON object.
    Map(Cow<'a, Map<String, Value>>),
}

impl Arguments<'_> {
    /// Placeholder: owned by the input room.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => {
                matches!(text.trim(), "" | "null") || text.split_whitespace().collect::<String>() == "{}"
            }
            Self::Bytes(bytes) => Arguments::from(&*String::from_utf8_lossy(bytes)).is_empty(),
            Self::Value(value) => value.is_null() || value.as_object().is_some_and(Map::is_empty),
            Self::Map(map) => map.is_empty(),
        }
    }

    /// Placeholder: owned by the input room.
    pub fn into_owned(self) -> Arguments<'static> {
        match self {
            Self::Text(text) => Arguments::Text(Cow::Owned(text.into_owned())),
            Self::Bytes(bytes) => Arguments::Bytes(Cow::Owned(bytes.into_owned())),
            Self::Value(value) => Arguments::Value(Cow::Owned(value.into_owned())),
            Self::Map(map) => Arguments::Map(Cow::Owned(map.into_owned())),
        }
    }
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<Value> for Arguments<'_> {
    fn from(value: Value) -> Self {
        Self::Value(Cow::Owned(value))
    }
}
