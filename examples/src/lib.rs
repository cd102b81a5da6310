//! Tools for the examples. Each module belongs to one example program, and `replay` runs recorded calls against all tools.

pub mod files;
pub mod layout;
pub mod math;
pub mod trouble;
pub mod weather;
