//! What was sent at a place: [`Got`], bounded, and empty-handed where the field is sensitive.
//!
//! What always holds: no text in it is longer than 200 bytes, and a redacted one says nothing but the JSON type.

use super::list::beginning;
use crate::json::{Json, JsonType};
use crate::shape::{Shape, Text};

/// What stands for a value that nobody may read.
#[doc(hidden)]
pub const REDACTED: &str = "<redacted>";

/// How many bytes of a value are shown.
const LONGEST: usize = 200;

/// What was sent at a place.
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let text = format!("[{}1]", "1,".repeat(500));
/// let got = check(&Shape::of(Kind::Boolean), &Json::parse(&text)?).remove(0).got;
/// assert_eq!((got.bytes, got.json, got.preview.len()), (1003, None, 200));
/// assert!(got.preview.ends_with("1,…"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Got {
    /// The JSON type; `None` where nothing was sent.
    pub json_type: Option<JsonType>,
    /// The value as JSON text, where that takes at most 200 bytes and the field is not sensitive.
    pub json: Option<Text>,
    /// The value for people: the JSON text, or its beginning and `…`, or `<redacted>`.
    pub preview: Text,
    /// The length of the value as compact JSON text, in bytes; zero where it is redacted.
    pub bytes: usize,
}

impl Got {
    /// Nothing was sent.
    #[doc(hidden)]
    pub fn absent() -> Self {
        Self { json_type: None, json: None, preview: Text::new("nothing"), bytes: 0 }
    }

    /// Something was sent that nobody may read.
    pub(crate) fn redacted(json_type: JsonType) -> Self {
        Self { json_type: Some(json_type), json: None, preview: Text::new(REDACTED), bytes: 0 }
    }

    /// A value at a place of this shape: one that may hold a secret is not told.
    pub(crate) fn at(shape: &Shape, json: &Json<'_>) -> Self {
        if shape.has_secrets() { Self::redacted(json.json_type()) } else { Self::from_node(json) }
    }

    /// A value, or its beginning.
    #[doc(hidden)]
    pub fn from_node(json: &Json<'_>) -> Self {
        Self::rendered(json, &mut String::new())
    }

    /// Renders a value in a buffer that is reused; its former content is lost.
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
