//! What a host hands over as arguments: text, bytes or parsed JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The arguments of a call, as the model's client delivers them.
#[derive(Clone, Debug)]
pub enum Arguments<'a> {
    /// JSON text.
    Text(Cow<'a, str>),
    /// JSON text that may not be UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Parsed JSON.
    Value(Cow<'a, Value>),
    /// A parsed JSON object.
    Map(Cow<'a, Map<String, Value>>),
}
