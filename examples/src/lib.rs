//! Tools for the examples: each module is a small program's worth, and `replay` runs recorded calls against all of them.

pub mod files;
pub mod layout;
pub mod math;
pub mod trouble;
pub mod weather;
