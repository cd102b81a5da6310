//! Types for arguments: the trait [`ToolInput`], its implementations for std types, and the rules on typed values.
//!
//! `#[derive(ToolInput)]` implements the trait for the user's types. Invariant: `SHAPE` describes the values that `Deserialize` accepts,
//! and `guard` checks the shape's rules.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};

use crate::shape::Shape;

/// A type that a model can fill in.
///
/// Derive it beside `Deserialize`. For a type of another crate, put `#[tool(schemars)]` on the field.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::ToolInput;
///
/// /// A place to sleep.
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
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
    note = "a `std::time::Duration` is written as `input::Seconds` or `input::Milliseconds`, which say its unit; types of `chrono`, `jiff`, `rust_decimal`, `url` and `uuid` need the feature `chrono04`, `jiff02`, `rust_decimal1`, `url2` or `uuid1`; the guide `types` of `tool-runtime` lists all types"
)]
pub trait ToolInput: DeserializeOwned + Send + 'static {
    /// The description of the type.
    const SHAPE: &'static Shape;

    /// `true` if a field of this type may be absent, as for `Option<T>` and types with the same form (`Box<Option<T>>`, a transparent
    /// wrapper of `Option<T>`).
    const OPTIONAL: bool = false;

    /// `true` if `null` is another value than an absent key, as for `Option<Option<T>>`: `Some(None)` and `None`.
    const DISTINCT_NULL: bool = false;

    /// `true` if [`guard`](Self::guard) can reject a value. If it is `false`, a container of such values need not visit them.
    ///
    /// Containers use the constant of their items, so a type that may be recursive must not use the constants of its fields: the derive
    /// leaves `GUARDED` at `true`.
    const GUARDED: bool = true;

    /// Returns `true` if the value certainly satisfies the rules of its type, including nested ones.
    ///
    /// `false` means that the complete check decides. A type that is converted from another type (`#[serde(from = "…")]`) returns `false`
    /// if the other type has rules.
    fn guard(&self) -> bool;

    /// Decodes the value of a key that was sent. The result differs from that of `Deserialize` only if
    /// [`DISTINCT_NULL`](Self::DISTINCT_NULL) is `true`.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be decoded.
    #[inline]
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <Self as Deserialize<'de>>::deserialize(deserializer)
    }
}

pub(crate) mod absent;
mod arguments;
mod crates;
pub(crate) mod key;
pub(crate) mod rules;
mod std_types;

pub use absent::double_option;
pub use arguments::Arguments;
pub(crate) use key::MapKey;
pub use std_types::{Milliseconds, Seconds};
