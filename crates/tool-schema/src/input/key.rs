//! `MapKey`: the types that can be the key of a map.
//!
//! Keys in JSON are strings. A key is therefore a string, a unit-only enum, an integer (which `serde_json` parses from its decimal text),
//! or a newtype of one of these. A key has the shape of its Rust type; as the shape of a key, an integer stands for an integer written as a
//! string.

use std::borrow::Cow;

use super::ToolInput;

/// A type that can be the key of a map.
///
/// `#[derive(ToolInput)]` implements it for enums whose variants are all units, and for newtypes of a key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "is not read from a string",
    note = "keys in JSON are strings: use `String`, an integer, an enum without payloads or a newtype of one of them that derives `ToolInput`; for other keys use a `Vec` of key and value"
)]
pub trait MapKey: ToolInput {}

#[cfg(feature = "rc")]
impl MapKey for std::sync::Arc<str> {}

macro_rules! keys {
    ($($key:ty)+) => {$(impl MapKey for $key {})+};
}

keys! {
    String Box<str> Cow<'static, str> char
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
}
