//! Arguments from a host: text, bytes or parsed JSON.
//!
//! Borrowed arguments are not copied. Invariant: empty arguments (an empty text, white space, `null`) are equivalent to `{}`.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use crate::json::{Json, Member, Node, Span, SyntaxError};
use crate::parse_counters;

/// The arguments of a call in the form in which the model's client delivers them.
///
/// A `Value` that is a string is parsed as JSON text, because several APIs deliver arguments in this form, and valid arguments are never a
/// string.
///
/// ```
/// use serde_json::json;
/// use tool_schema::input::Arguments;
///
/// assert!(Arguments::from("{\"city\": \"Paris\"}").to_json()?.get("city").is_some());
/// assert!(Arguments::from(&json!("{\"city\": \"Paris\"}")).to_json()?.get("city").is_some());
/// for empty in ["", " \n", "null", "{ }"] {
///     assert!(Arguments::from(empty).is_empty());
///     assert_eq!(Arguments::from(empty).to_json()?.to_text(), "{}");
/// }
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub enum Arguments<'a> {
    /// JSON text.
    Text(Cow<'a, str>),
    /// JSON text in bytes that are possibly not valid UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Parsed JSON.
    Value(Cow<'a, Value>),
    /// A parsed JSON object.
    Map(Cow<'a, Map<String, Value>>),
}

impl Arguments<'_> {
    /// Returns `true` for an empty text, white space, `null` and `{}`.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => is_empty_text(text.as_bytes()),
            Self::Bytes(bytes) => is_empty_text(bytes),
            Self::Value(value) => match &**value {
                Value::Null => true,
                Value::Object(map) => map.is_empty(),
                _ => false,
            },
            Self::Map(map) => map.is_empty(),
        }
    }

    /// Returns the arguments as a JSON tree; empty arguments are an empty object.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not one JSON document.
    pub fn to_json(&self) -> Result<Json<'_>, SyntaxError> {
        self.as_borrowed().tree()
    }
}

impl<'a> Arguments<'a> {
    /// Returns the arguments as a JSON tree that borrows from the host's data instead of from `self`. Owned arguments are copied.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not one JSON document.
    pub(crate) fn tree(&self) -> Result<Json<'a>, SyntaxError> {
        let parsed = match self {
            _ if self.is_empty() => Ok(Json::from_node(Node::Object(Vec::new()))),
            Self::Text(Cow::Borrowed(text)) => Json::parse(text),
            Self::Bytes(Cow::Borrowed(bytes)) => Json::parse_bytes(bytes),
            Self::Value(Cow::Borrowed(value)) => Json::from_value(value),
            Self::Map(Cow::Borrowed(map)) => {
                map.iter().map(member).collect::<Result<_, _>>().map(Node::Object).map(Json::from_node)
            }
            owned => return owned.to_json().map(Json::into_owned),
        };
        parse_counters::parse();
        parsed
    }
}

impl Arguments<'_> {
    /// Returns the arguments as JSON text, without reformatting; empty arguments are `{}`. Invalid UTF-8 is replaced.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            _ if self.is_empty() => Cow::Borrowed("{}"),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Bytes(bytes) => String::from_utf8_lossy(bytes),
            Self::Value(value) => Cow::Owned(value.to_string()),
            // Writing a map of JSON values cannot fail.
            Self::Map(map) => Cow::Owned(serde_json::to_string(&**map).unwrap_or_default()),
        }
    }

    /// Borrows the arguments without a copy.
    #[must_use]
    pub fn as_borrowed(&self) -> Arguments<'_> {
        match self {
            Self::Text(text) => Arguments::Text(Cow::Borrowed(text)),
            Self::Bytes(bytes) => Arguments::Bytes(Cow::Borrowed(bytes)),
            Self::Value(value) => Arguments::Value(Cow::Borrowed(value)),
            Self::Map(map) => Arguments::Map(Cow::Borrowed(map)),
        }
    }

    /// Converts the arguments into owned ones, for a tool that runs on another thread.
    #[must_use]
    pub fn into_owned(self) -> Arguments<'static> {
        match self {
            Self::Text(text) => Arguments::Text(Cow::Owned(text.into_owned())),
            Self::Bytes(bytes) => Arguments::Bytes(Cow::Owned(bytes.into_owned())),
            Self::Value(value) => Arguments::Value(Cow::Owned(value.into_owned())),
            Self::Map(map) => Arguments::Map(Cow::Owned(map.into_owned())),
        }
    }
}

impl Arguments<'_> {
    /// Returns `true` if the arguments may contain an array; `false` means that they certainly contain none.
    pub(crate) fn may_have_array(&self) -> bool {
        match self {
            Self::Text(text) => text.as_bytes().contains(&b'['),
            Self::Bytes(bytes) => bytes.contains(&b'['),
            Self::Value(value) => has_array(vec![value]),
            Self::Map(map) => has_array(map.values().collect()),
        }
    }
}

impl fmt::Debug for Arguments<'_> {
    /// Shows only the form and the size, because any argument may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Value(_) => f.write_str("Value(..)"),
            Self::Map(map) => write!(f, "Map({} members)", map.len()),
        }
    }
}

fn has_array(mut open: Vec<&Value>) -> bool {
    while let Some(value) = open.pop() {
        match value {
            Value::Array(_) => return true,
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

fn member<'a>((key, value): (&'a String, &'a Value)) -> Result<Member<'a>, SyntaxError> {
    Ok(Member { key: Cow::Borrowed(key), key_span: Span::default(), value: Json::from_value(value)? })
}

fn is_empty_text(text: &[u8]) -> bool {
    if let [b'{', b'"', ..] = text {
        // Decides the usual case without trimming both ends.
        return false;
    }
    match trim(text) {
        b"" | b"null" => true,
        [b'{', inside @ .., b'}'] => trim(inside).is_empty(),
        _ => false,
    }
}

/// Removes JSON white space from both ends.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] | [rest @ .., b' ' | b'\t' | b'\n' | b'\r'] = text {
        text = rest;
    }
    text
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Arguments<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Arguments<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<&'a [u8]> for Arguments<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for Arguments<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Cow::Owned(bytes))
    }
}

impl<'a> From<&'a Value> for Arguments<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::String(text) => text.into(),
            value => Self::Value(Cow::Borrowed(value)),
        }
    }
}

impl From<Value> for Arguments<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => text.into(),
            value => Self::Value(Cow::Owned(value)),
        }
    }
}

impl<'a> From<&'a Map<String, Value>> for Arguments<'a> {
    fn from(map: &'a Map<String, Value>) -> Self {
        Self::Map(Cow::Borrowed(map))
    }
}

impl From<Map<String, Value>> for Arguments<'_> {
    fn from(map: Map<String, Value>) -> Self {
        Self::Map(Cow::Owned(map))
    }
}
