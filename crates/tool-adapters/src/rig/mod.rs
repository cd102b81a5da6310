//! The conversion of tools between `rig` and this framework, in both directions.
//!
//! Invariants: under rig too, a session checks, repairs and rejects calls, and the model reads the same feedback. In a session, a tool of
//! rig only runs with arguments that its schema accepts.

mod call;
mod from_rig;
mod into_rig;

pub use call::answer_call;
pub use from_rig::{from_rig_dynamic_tool, from_rig_tool};
pub use into_rig::session_tools;
/// The library whose tools are converted.
pub use rig_core;
