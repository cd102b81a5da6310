//! JSON with all of its details: an ordered tree, its parser, its numbers and its writer.
//!
//! A [`Json`] keeps the order of keys, repeated keys, the text of numbers and the byte span of every node. Invariant: no function panics on
//! any input, takes more than linear time (except for sorting), or nests deeper than [`DEPTH_LIMIT`], which is also the limit of
//! `serde_json`. The module imports no other module of the crate, except `visible`.

mod access;
pub(crate) mod build;
mod convert;
pub(crate) mod decimal_parts;
mod decode_error;
mod deserialize;
pub(crate) mod equality;
mod error;
mod layout;
mod number;
pub(crate) mod number_text;
mod parse;
pub(crate) mod pointer;
pub(crate) mod render;
mod sink;
pub(crate) mod strings;
pub(crate) mod surrogates;
#[cfg(test)]
mod tests;
mod tree;
pub(crate) mod write;

pub use access::JsonType;
pub use decode_error::DecodeError;
pub(crate) use decode_error::Step;
pub(crate) use equality::find_duplicate;
pub use error::SyntaxError;
pub use number::Number;
pub(crate) use number_text::NumberText;
pub(crate) use parse::is_number;
pub(crate) use strings::{end_of_string, escape_at, escape_byte, plain_prefix_len, write_visible};
pub use tree::{DEPTH_LIMIT, Json, Member, Node, Span};
pub(crate) use write::{ObjectWriter, Writer};
