//! Typed tools for language models.

pub mod check;
pub mod container;
pub mod context;
pub mod decode;
pub mod event;
pub mod failure;
pub mod feedback;
pub mod input;
pub mod issue;
pub mod json;
mod repair;
pub mod schema;
pub mod session;
pub mod shape;
pub mod suggest;
pub mod tool;
pub mod toolbox;

#[doc(hidden)]
pub mod __private;

pub use container::Container;
pub use context::CallContext;
pub use event::{Observer, ToolEvent};
pub use failure::ToolError;
pub use input::ToolInput;
pub use repair::{Repair, RepairRule};
pub use schema::Format;
pub use session::{Outcome, Session};
pub use shape::Rejection;
pub use tool::TypedTool;
pub use tool_macros::{ToolInput, plugin_container, tool};
pub use toolbox::{BuildError, Toolbox};
