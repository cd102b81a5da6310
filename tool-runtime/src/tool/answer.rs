//! What a tool gives back: a [`Payload`], or the [`CallError`] that says who refused.
//!
//! In: the value that a tool returned. Out: its encoding, made once, by the tool that knows the type. Invariants: a
//! [`Payload::Json`] is JSON, and no encoding error is lost on the way to the session.

use std::error::Error;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::json_text::JsonText;
use super::{Content, Parts};
use crate::failure::ToolError;
use crate::issue::ValidationError;

/// What a call of a tool comes to.
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

/// The result of a tool, encoded.
///
/// ```
/// use tool_runtime::tool::Payload;
///
/// let texts = [Payload::Done, Payload::Text("22 °C".to_owned()), Payload::from_json("[22]")?];
/// assert_eq!(texts.each_ref().map(Payload::as_str), ["done", "22 °C", "[22]"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Payload {
    /// `()`: the tool did its work and has nothing to say.
    Done,
    /// A `String`, as it is.
    Text(String),
    /// Anything else, as JSON text.
    Json(JsonText),
    /// Several parts, or one that is not a text: images, sounds, resources.
    Parts(Parts),
}

impl Payload {
    /// Encodes a value as compact JSON.
    ///
    /// ```
    /// use tool_runtime::tool::{CallError, Payload};
    ///
    /// assert_eq!(Payload::json(&[1, 2])?.as_str(), "[1,2]");
    /// // A number that JSON does not have is no failure: the rest is shown. Return an error where it means one.
    /// assert_eq!(Payload::json(&[1.5, f64::NAN])?.as_str(), "[1.5,null]");
    /// # Ok::<(), CallError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CallError::Malformed`] for a value that JSON cannot hold, such as a map with keys that are not strings.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, CallError> {
        serde_json::to_string(value).map(|text| Self::Json(JsonText::written(text))).map_err(|_| {
            // Only now is it worth keeping what was written before the value turned out not to fit.
            let mut begun = Vec::new();
            let _ = serde_json::to_writer(&mut begun, value);
            CallError::Malformed(String::from_utf8_lossy(&begun).into_owned())
        })
    }

    /// Takes a text that is JSON already.
    ///
    /// ```
    /// use tool_runtime::tool::Payload;
    ///
    /// assert_eq!(Payload::from_json("[1]")?.to_value(), serde_json::json!([1]));
    /// assert!(Payload::from_json("[1").is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not one JSON value; the error says where and why.
    pub fn from_json(text: impl Into<String>) -> serde_json::Result<Self> {
        let text = text.into();
        serde_json::from_str::<IgnoredAny>(&text)?;
        Ok(Self::Json(JsonText::written(text)))
    }

    /// The text for the model: a string as it is, JSON as it is, `done` where there is nothing to say.
    ///
    /// ```
    /// use tool_runtime::tool::Payload;
    ///
    /// assert_eq!(Payload::Text("22 °C".to_owned()).as_str(), "22 °C");
    /// assert_eq!(Payload::Done.as_str(), "done");
    /// ```
    pub fn as_str(&self) -> &str {
        match self {
            Self::Done => "done",
            Self::Text(text) => text,
            Self::Json(text) => text,
            Self::Parts(parts) => parts.as_str(),
        }
    }

    /// Counts the bytes of the result; binary data counts as it is encoded.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Parts(parts) => parts.bytes(),
            _ => self.as_str().len(),
        }
    }

    /// The result as parsed JSON: `null` for [`Payload::Done`], a string for [`Payload::Text`], the structured data of [`Payload::Parts`], or
    /// its text if it has none.
    ///
    /// ```
    /// use tool_runtime::tool::Payload;
    ///
    /// assert_eq!(Payload::from_json("[1]")?.to_value(), serde_json::json!([1]));
    /// assert_eq!(Payload::Text("[1]".to_owned()).to_value(), serde_json::json!("[1]"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
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

/// Deeper than `serde_json` reads a value, or with a number that it does not hold: the text.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

impl From<Parts> for Payload {
    fn from(parts: Parts) -> Self {
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

/// `null` is [`Payload::Done`] and a string is a text, as for what a tool returns.
impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Done,
            Value::String(text) => Self::Text(text),
            value => Self::Json(JsonText::written(value.to_string())),
        }
    }
}

/// Why a tool did not give a result.
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
    /// The arguments are not acceptable; nothing ran.
    Invalid(ValidationError),
    /// The tool itself refused, and says what the model should do.
    Tool(ToolError),
    /// The tool failed with an error of any other type; the toolbox decides whether the model reads its `Display`. A [`ToolError`]
    /// in the box is as good as [`CallError::Tool`].
    Failed(Box<dyn Error + Send + Sync>),
    /// The tool ran, but its result could not be encoded as JSON; as much of it as could be saved.
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
