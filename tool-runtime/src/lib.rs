//! Typed tools for language models.

mod bounded;

pub mod check;
pub mod context;
pub mod decode;
pub mod failure;
pub mod feedback;
pub mod hint;
pub mod input;
pub mod issue;
pub mod json;
pub mod schema;
pub mod shape;
pub mod suggest;
pub mod tool;

#[doc(hidden)]
pub mod __private;

pub use failure::{Failure, ToolError};
pub use input::ToolInput;
pub use shape::Rejection;
