//! Indented JSON for people: each array and object is on one line if it fits.

use tool_runtime::__private_0_1_0::json::{self, Json};

/// The maximum length of a line that is not wrapped.
const WIDTH: usize = 140;

/// Formats a text if it is JSON, and returns it unchanged otherwise.
///
/// ```
/// assert_eq!(examples::layout::laid_out("done"), "done");
/// assert_eq!(examples::layout::laid_out(r#"{"a": [1, 2]}"#), r#"{"a": [1, 2]}"#);
/// ```
#[must_use]
pub fn laid_out(text: &str) -> String {
    Json::parse(text).map_or_else(|_| text.to_owned(), |json| json::laid_out(&json, WIDTH))
}
