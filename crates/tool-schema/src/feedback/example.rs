//! Makes a small valid value for a shape: [`example`].
//!
//! The result is JSON text that the checker accepts. Only the tool's author can supply a value for a custom rule, or for a pattern without
//! a known match. If the author gave no example for such a rule, there is no result.

use crate::check::accepts;
use crate::hint::example_value;
use crate::issue::Expected;
use crate::json::Json;
use crate::shape::{Ref, Shape};

/// Returns a small valid value without optional fields: the author's examples and defaults if there are any, or else the smallest values
/// that the rules allow.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, feedback::example};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Trip {
///     /// Destination.
///     #[tool(example = "Oslo")]
///     to: String,
///     /// Number of travellers.
///     #[tool(range(min = 1))]
///     people: u8,
///     /// A note.
///     note: Option<String>,
/// }
///
/// assert_eq!(example(Trip::SHAPE).as_deref(), Some(r#"{"to":"Oslo","people":1}"#));
/// ```
pub fn example(shape: &Shape) -> Option<String> {
    let text = example_value(&Expected::from_shape(Ref::Shared(shape.clone().into())))?;
    Json::parse(&text).is_ok_and(|json| accepts(shape, &json)).then_some(text)
}
