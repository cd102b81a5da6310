//! A small valid value for a shape: [`example`].
//!
//! In comes a shape; out goes JSON text that the checker accepts, or nothing where only an author could write one: a rule of his own, or
//! a pattern that no text was found for, without an example.

use crate::check::accepts;
use crate::hint::example_value;
use crate::issue::Expected;
use crate::json::Json;
use crate::shape::{Ref, Shape};

/// A small valid value: authors' examples and defaults where there are some, else the least that the rules allow, without optional fields.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, feedback::example};
///
/// #[derive(Deserialize, ToolInput)]
/// struct Trip {
///     /// Where it goes.
///     #[tool(example = "Oslo")]
///     to: String,
///     /// How many come.
///     #[tool(range(min = 1))]
///     people: u8,
///     /// What to remember.
///     note: Option<String>,
/// }
///
/// assert_eq!(example(Trip::SHAPE).as_deref(), Some(r#"{"to":"Oslo","people":1}"#));
/// ```
pub fn example(shape: &Shape) -> Option<String> {
    let text = example_value(&Expected::of(Ref::Shared(shape.clone().into())))?;
    Json::parse(&text).is_ok_and(|json| accepts(shape, &json)).then_some(text)
}
