//! JSON as it was written: an ordered tree, its parser, its numbers and its writer.
//!
//! In comes text, bytes or a `serde_json::Value`; out goes a [`Json`] that keeps the order of keys, repeated keys, the text of
//! numbers and the byte span of every node, or a [`SyntaxError`] with its offset. Out again goes compact or indented text.
//! What always holds: nothing here panics on any input, takes more than linear time (sorting aside) or nests deeper than
//! [`DEPTH_LIMIT`], which is the depth at which `serde_json` stops too. This room imports nothing of ours.

mod convert;
mod decimal;
mod equality;
mod error;
mod number;
mod parse;
mod render;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use equality::has_duplicates;
pub use error::SyntaxError;
pub use number::{NotInteger, Number, NumberText};
pub use parse::DEPTH_LIMIT;
pub use render::{Preview, write_string};
pub use tree::{Json, JsonType, Member, Node, Span};
pub use write::{ObjectWriter, Writer};
