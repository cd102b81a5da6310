//! What was sent at a place: [`Got`], bounded, and empty-handed where the field is sensitive.

use crate::json::JsonType;

/// What was sent at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Got {
    /// The JSON type; `None` where nothing was sent.
    pub json_type: Option<JsonType>,
    /// The value as JSON text, where that takes at most 200 bytes and the field is not sensitive.
    pub json: Option<Box<str>>,
    /// The value for people: the JSON text, or its beginning and `…`, or `<redacted>`.
    pub preview: Box<str>,
    /// The length of the value as compact JSON text, in bytes.
    pub bytes: usize,
}
