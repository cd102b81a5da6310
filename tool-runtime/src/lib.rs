//! Typed tools for language models.

pub mod check;
pub mod context;
pub mod decode;
pub mod input;
pub mod issue;
pub mod json;
pub mod shape;
pub mod suggest;
pub mod tool;

#[doc(hidden)]
pub mod __private;

pub use input::ToolInput;
pub use shape::Rejection;
pub use tool_macros::ToolInput;
