//! The description of an input.

mod format;

pub use format::Format;
