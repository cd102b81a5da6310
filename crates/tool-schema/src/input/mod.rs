//! What can be an argument: the trait [`ToolInput`], its implementations for std types, and the rules on typed values.
//!
//! `#[derive(ToolInput)]` writes the trait for the user's types. What always holds: `SHAPE` says what `Deserialize` accepts and
//! `guard` what the shape's rules accept; neither allocates, neither runs before it is asked.

use serde::de::DeserializeOwned;

use crate::shape::Shape;

/// A type that a model can fill in.
///
/// Derive it beside `Deserialize`; for a type of another crate put `#[tool(schemars)]` on the field.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::ToolInput;
///
/// /// A place to sleep.
/// #[derive(Deserialize, ToolInput)]
/// struct Room {
///     /// Number of beds.
///     #[tool(range(min = 1, max = 4))]
///     beds: u8,
/// }
/// assert_eq!(Room::SHAPE.doc, "A place to sleep.");
/// assert!(!Room { beds: 9 }.guard());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `ToolInput`, so it has no schema for a model",
    label = "`ToolInput` is not implemented for `{Self}`",
    note = "add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `{Self}`, or put `#[tool(schemars)]` on this parameter or field if it implements `schemars::JsonSchema`",
    note = "a `std::time::Duration` is written as `input::Seconds` or `input::Milliseconds`, which say its unit; types of `jiff`, `uuid` and `url` need the feature `jiff02`, `uuid1` or `url2`"
)]
pub trait ToolInput: DeserializeOwned + Send + 'static {
    /// The description of the type.
    const SHAPE: &'static Shape;

    /// Whether a field of this type may be absent: `Option<T>`, and what stands for one (`Box<Option<T>>`, a transparent wrapper of it).
    const OPTIONAL: bool = false;

    /// Whether [`guard`](Self::guard) can refuse anything; `false` lets a container of many values skip the walk.
    ///
    /// Containers ask their items, so a type that may be recursive must not ask its fields: the derive leaves it `true`.
    const GUARDED: bool = true;

    /// Whether the value surely satisfies the rules of its type, nested ones included. Where it says no, the complete check decides; so a
    /// type that is converted from another one (`#[serde(from = "…")]`) says no wherever the other one has rules.
    fn guard(&self) -> bool;
}

mod arguments;
mod crates;
pub(crate) mod key;
pub(crate) mod rules;
mod std_types;

pub use arguments::Arguments;
pub(crate) use key::MapKey;
pub use std_types::{Milliseconds, Seconds};
