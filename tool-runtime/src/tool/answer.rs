//! What a tool gives back: a [`Payload`], or the [`CallError`] that says who refused.

use crate::issue::ValidationError;

/// What a call of a tool comes to.
pub type Answer = Result<Payload, CallError>;

/// The result of a tool, encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Payload {
    /// `()`: the tool did its work and has nothing to say.
    Done,
    /// A `String`, as it is.
    Text(String),
    /// Anything else, as compact JSON text.
    Json(String),
}

/// Why a tool did not give a result.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments are not acceptable; nothing ran.
    Invalid(ValidationError),
}
