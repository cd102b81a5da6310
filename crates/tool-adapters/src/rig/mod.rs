//! Conversion of tools between `rig` and this framework, in both directions.
//!
//! Invariants: a session checks, repairs and refuses calls under rig too, with the text of its own feedback. A tool of rig only runs with
//! arguments that its schema accepts.

mod call;
mod into_rig;
mod of_rig;

pub use call::call;
pub use into_rig::tools;
pub use of_rig::{dynamic_tool, tool};
/// The library that defines these tools.
pub use rig_core;
