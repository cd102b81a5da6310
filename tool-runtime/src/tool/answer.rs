//! The results of tools: [`Payload`] and [`CallError`].
//!
//! Invariants: [`Payload::Json`] always contains valid JSON, which the tool encoded once. Errors of the encoding always reach the session.

use std::error::Error;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::json_text::JsonText;
use super::{Content, ContentParts};
use crate::failure::ToolError;
use crate::issue::ValidationError;

/// The answer of a tool to a call.
///
/// ```
/// use tool_runtime::ToolError;
/// use tool_runtime::tool::{Answer, Payload};
///
/// fn divide(a: u32, b: u32) -> Answer {
///     let quotient = a.checked_div(b).ok_or_else(|| ToolError::retry("Nothing can be divided by 0.").field("b"))?;
///     Payload::json(&quotient)
/// }
/// assert!(divide(4, 2).is_ok_and(|payload| payload.as_str() == "2") && divide(4, 0).is_err());
/// ```
pub type Answer = Result<Payload, CallError>;

/// The encoded result of a tool.
///
/// ```
/// use tool_runtime::tool::Payload;
///
/// let texts = [Payload::Done, Payload::Text("22 °C".to_owned()), Payload::from_json_text("[22]")?];
/// assert_eq!(texts.each_ref().map(Payload::as_str), ["done", "22 °C", "[22]"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Payload {
    /// `()`: the tool succeeded without a value.
    Done,
    /// A text, shown to the model without quotes.
    Text(String),
    /// Any other value, as JSON.
    Json(JsonText),
    /// Several parts, or a single image, sound or resource.
    Parts(ContentParts),
}

impl Payload {
    /// Encodes a value as compact JSON.
    ///
    /// ```
    /// use tool_runtime::tool::{CallError, Payload};
    ///
    /// assert_eq!(Payload::json(&[1, 2])?.as_str(), "[1,2]");
    /// // Numbers that JSON cannot represent become `null`. Return an error if they mean one.
    /// assert_eq!(Payload::json(&[1.5, f64::NAN])?.as_str(), "[1.5,null]");
    /// # Ok::<(), CallError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`CallError::Malformed`] for a value that JSON cannot represent, such as a map with keys that are not
    /// strings.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, CallError> {
        serde_json::to_string(value).map(|text| Self::Json(JsonText::written(text))).map_err(|_| {
            // Encodes the value a second time, to keep the part before the error. Only failed encodings have this cost.
            let mut begun = Vec::new();
            let _ = serde_json::to_writer(&mut begun, value);
            CallError::Malformed(String::from_utf8_lossy(&begun).into_owned())
        })
    }

    /// Wraps a text that is already JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not one JSON value.
    pub fn from_json_text(text: impl Into<String>) -> serde_json::Result<Self> {
        let text = text.into();
        serde_json::from_str::<IgnoredAny>(&text)?;
        Ok(Self::Json(JsonText::written(text)))
    }

    /// Returns the text for the model: strings and JSON unchanged, parts as text, `done` for [`Payload::Done`].
    pub fn as_str(&self) -> &str {
        // Most results are texts, and a comparison takes less time than a jump to one of four places.
        if let Self::Text(text) = self {
            return text;
        }
        match self {
            Self::Done => "done",
            Self::Text(text) => text,
            Self::Json(text) => text,
            Self::Parts(parts) => parts.as_str(),
        }
    }

    /// Returns the text for the model, without a copy of a text or of JSON.
    #[inline]
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json.into_text(),
            other => other.as_str().to_owned(),
        }
    }

    /// Returns the size of the result in bytes. Binary data counts with the length of its base64 text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Parts(parts) => parts.bytes(),
            _ => self.as_str().len(),
        }
    }

    /// Returns the result as parsed JSON: `null` for [`Payload::Done`], and a string for [`Payload::Text`]. For [`Payload::Parts`], returns
    /// the structured data, or the parts as text if there is no structured data.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Done => Value::Null,
            Self::Text(text) => Value::String(text.clone()),
            Self::Json(json) => parsed(json),
            Self::Parts(parts) => {
                parts.structured_content().map_or_else(|| Value::String(parts.as_str().to_owned()), |json| parsed(json))
            }
        }
    }
}

/// Parses JSON. Returns the text as a string if `serde_json` cannot represent its nesting or numbers.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

impl From<ContentParts> for Payload {
    fn from(parts: ContentParts) -> Self {
        Self::Parts(parts)
    }
}

impl From<Content> for Payload {
    fn from(content: Content) -> Self {
        Self::Parts(content.into())
    }
}

impl From<()> for Payload {
    fn from((): ()) -> Self {
        Self::Done
    }
}

impl From<&str> for Payload {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Converts `null` to [`Payload::Done`] and a string to [`Payload::Text`], as the runtime does with `()` and `String` returned by a tool.
impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Done,
            Value::String(text) => Self::Text(text),
            value => Self::Json(JsonText::written(value.to_string())),
        }
    }
}

/// The reason why a tool returned no result.
///
/// ```
/// use tool_runtime::ToolError;
/// use tool_runtime::tool::CallError;
///
/// let error: CallError = ToolError::new("The account is closed.").into();
/// assert!(matches!(error, CallError::Tool(error) if error.to_string() == "The account is closed."));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments are not acceptable, and nothing ran.
    Invalid(ValidationError),
    /// The tool returned an error that tells the model what to do.
    Tool(ToolError),
    /// The tool failed with another type of error. The toolbox decides whether the model sees its `Display` text. A boxed [`ToolError`] is
    /// treated like [`CallError::Tool`].
    Failed(Box<dyn Error + Send + Sync>),
    /// The tool ran, but its result cannot be encoded as JSON. Contains the part of the result that was encoded before the error occurred.
    Malformed(String),
}

impl From<ValidationError> for CallError {
    fn from(error: ValidationError) -> Self {
        Self::Invalid(error)
    }
}

impl From<ToolError> for CallError {
    fn from(error: ToolError) -> Self {
        Self::Tool(error)
    }
}
