//! Decoding of arguments, defaults, examples and descriptions in generated code.

use std::sync::OnceLock;

use serde_json::de::StrRead;

use crate::bounded::DESCRIPTION;
use crate::decode::{Care, Rejected, decode_with_care};
use crate::input::{Arguments, ToolInput};
use crate::shape::const_loop::characters;

/// Decodes the arguments of a tool. `care` caches the precautions that decoding this type requires.
pub fn decode<'a, T: ToolInput>(
    care: &'static OnceLock<Care>,
    arguments: &Arguments<'a>,
) -> Result<T, Box<Rejected<'a>>> {
    decode_with_care(care, arguments)
}

/// Decodes a default or an example. Returns an error for a mistake that the compiler could not detect; `build()` reports such a mistake
/// too.
pub fn literal<T: ToolInput>(json: &str) -> Result<T, String> {
    match sent(json, |deserializer| T::from_sent(deserializer)) {
        Ok(value) if value.guard() => Ok(value),
        Ok(_) => Err(format!("{json} breaks a rule of its type")),
        Err(error) => Err(format!("{json} does not decode: {error}")),
    }
}

/// Decodes a default or an example of a type that only `schemars` describes.
pub fn foreign_literal<T>(json: &str, from_sent: FromSent<T>) -> Result<T, String> {
    sent(json, from_sent).map_err(|error| format!("{json} does not decode: {error}"))
}

/// A function that decodes the value of a key that was sent.
type FromSent<T> = fn(&mut serde_json::Deserializer<StrRead<'_>>) -> serde_json::Result<T>;

fn sent<T>(json: &str, from_sent: FromSent<T>) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let value = from_sent(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Returns a description from a `const` or a file, after checking its length.
///
/// # Panics
///
/// Panics if the description is too long. Generated code calls this in a `const`, so the panic is a compile error.
#[track_caller]
pub const fn description(text: &'static str) -> &'static str {
    assert!(characters(text.trim_ascii()) <= DESCRIPTION, "a description has at most 1024 characters: shorten it");
    text
}

/// Returns the text of an included file without the blank lines at its beginning and end.
#[must_use]
pub const fn trimmed(text: &'static str) -> &'static str {
    text.trim_ascii()
}
