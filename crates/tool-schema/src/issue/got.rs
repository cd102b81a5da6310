//! A bounded view of the value that was sent: [`Got`]. It does not contain the value if the field is sensitive.
//!
//! Invariant: no text is longer than 200 bytes, and of a redacted value only the JSON type is known.

use serde::{Deserialize, Serialize};

use super::bounded_text_list::beginning;
use crate::json::{Json, JsonType};
use crate::shape::{Shape, Text};

/// The text that replaces a hidden value.
pub const REDACTED: &str = "<redacted>";

/// The maximum number of bytes of a value that are shown.
const LONGEST: usize = 200;

/// The value that was sent at a location.
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let text = format!("[{}1]", "1,".repeat(500));
/// let got = check(&Shape::new(Kind::Boolean), &Json::parse(&text)?).remove(0).got;
/// assert_eq!((got.bytes, got.json, got.preview.len()), (1003, None, 200));
/// assert!(got.preview.ends_with("1,…"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Got {
    /// The JSON type; `None` if nothing was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_type: Option<JsonType>,
    /// The value as JSON text, if the text has at most 200 bytes and the field is not sensitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Text>,
    /// The value for display: the JSON text, or its beginning with `…`, or `<redacted>`.
    pub preview: Text,
    /// The length of the value as compact JSON text, in bytes; zero if it is redacted.
    pub bytes: usize,
}

impl Got {
    /// Creates the value for an absent field.
    pub(crate) fn absent() -> Self {
        Self { json_type: None, json: None, preview: Text::from_static("nothing"), bytes: 0 }
    }

    /// Creates the value for a secret.
    pub(crate) fn redacted(json_type: JsonType) -> Self {
        Self { json_type: Some(json_type), json: None, preview: Text::from_static(REDACTED), bytes: 0 }
    }

    /// Creates the value for a location of this shape; a value that may contain a secret is redacted.
    pub(crate) fn for_shape(shape: &Shape, json: &Json<'_>) -> Self {
        if shape.has_secrets() { Self::redacted(json.json_type()) } else { Self::from_node(json) }
    }

    /// Creates the value from a node, shortened if necessary.
    pub(crate) fn from_node(json: &Json<'_>) -> Self {
        Self::rendered(json, &mut String::new())
    }

    /// Renders a node with a reused buffer, whose content is overwritten.
    pub(crate) fn rendered(json: &Json<'_>, room: &mut String) -> Self {
        room.clear();
        let (is_whole, bytes) = json.preview_in(room, LONGEST);
        if !is_whole {
            room.truncate(beginning(room, LONGEST - '…'.len_utf8()).len());
            room.push('…');
        }
        let preview = Text::copied(room);
        Self { json_type: Some(json.json_type()), json: is_whole.then(|| preview.clone()), preview, bytes }
    }
}
