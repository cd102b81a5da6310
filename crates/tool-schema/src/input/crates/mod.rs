//! `ToolInput` for types of other crates, each behind a feature that is named after the crate and its major version.
//!
//! A shape describes the standard form. If the crate's own `Deserialize` accepts more spellings, so does decoding, although the schema does
//! not mention them. If it accepts fewer, a call with such a value is refused with a `custom` issue. Each file documents the differences.

#[cfg(feature = "jiff02")]
mod jiff02;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;
