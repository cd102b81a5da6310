//! JSON as it was written: an ordered tree, its parser, its numbers and its writer.
//!
//! In comes text, bytes or a `serde_json::Value`; out goes a [`Json`] that keeps the order of keys, repeated keys, the
//! text of numbers and the byte span of every node, or a [`SyntaxError`] with its offset. Out again goes compact or
//! indented text. What always holds: nothing here panics on any input, takes more than linear time (sorting aside) or
//! nests deeper than [`DEPTH_LIMIT`], which is the depth at which `serde_json` stops too. This room imports nothing of
//! ours.

mod access;
mod convert;
mod decimal;
mod deserialize;
mod equality;
mod error;
mod layout;
mod number;
mod number_text;
mod parse;
mod render;
mod sink;
mod strings;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use access::JsonType;
pub use decimal::NotInteger;
pub use equality::has_duplicates;
pub use error::SyntaxError;
pub use number::Number;
pub use number_text::NumberText;
pub(crate) use parse::is_number;
pub use render::Preview;
pub use strings::write_string;
#[doc(hidden)]
pub use strings::{end_of_string, escape, escape_at, plain_prefix, write_visible};
pub use tree::{DEPTH_LIMIT, Json, Member, Node, Span};
pub use write::{ObjectWriter, Writer};
