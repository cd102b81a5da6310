//! The stored form of a [`Payload`].
//!
//! Invariant: a result that is read back equals the stored one. Therefore, JSON is stored as its text: a parsed tree could lose the order
//! of keys or the spelling of numbers, and a parser may reject deep nesting.

use std::borrow::Cow;

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Content, ContentParts, JsonText, Payload};

/// A result as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored<'p> {
    Done,
    Text(Cow<'p, str>),
    Json(Cow<'p, str>),
    Parts {
        content: Cow<'p, [Content]>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        structured: Option<Cow<'p, str>>,
    },
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = match self {
            Self::Done => Stored::Done,
            Self::Text(text) => Stored::Text(text.into()),
            Self::Json(json) => Stored::Json(json.as_str().into()),
            Self::Parts(parts) => Stored::Parts {
                content: parts.contents().into(),
                structured: parts.structured_content().map(|json| json.as_str().into()),
            },
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = |text: Cow<'_, str>| match serde_json::from_str::<IgnoredAny>(&text) {
            Ok(_) => Ok(JsonText::written(text.into_owned())),
            Err(error) => Err(D::Error::custom(format_args!("a stored result is not valid JSON: {error}"))),
        };
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Done => Self::Done,
            Stored::Text(text) => Self::Text(text.into_owned()),
            Stored::Json(text) => Self::Json(json(text)?),
            Stored::Parts { content, structured } => {
                Self::Parts(ContentParts::from_contents(content.into_owned(), structured.map(json).transpose()?))
            }
        })
    }
}
