//! Tools of `rig` as ours, and ours as its.
//!
//! In: a tool of one side. Out: the same for the other. What always holds: what a session refuses or repairs, it refuses and repairs under
//! rig as well, in the words of its feedback; a tool of rig is run only with arguments that its schema accepts.

mod call;
mod into_rig;
mod of_rig;

pub use call::call;
pub use into_rig::tools;
pub use of_rig::{dynamic_tool, tool};
/// The library whose tools these are.
pub use rig_core;
