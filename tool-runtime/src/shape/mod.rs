//! The description of an input.
//! So far the formats of its strings.

mod format;

pub use format::Format;
