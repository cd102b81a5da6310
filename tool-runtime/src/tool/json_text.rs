//! [`JsonText`], a text that is JSON.

use std::ops::Deref;

/// The text of one JSON value, created by [`Payload::json`](super::Payload::json) and [`Payload::from_json_text`](super::Payload::from_json_text).
///
/// ```
/// use tool_runtime::tool::Payload;
///
/// let payload = Payload::json(&["22 °C"])?;
/// assert!(matches!(&payload, Payload::Json(text) if text.as_str() == r#"["22 °C"]"#));
/// # Ok::<(), tool_runtime::tool::CallError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// Wraps a text produced by the project's own encoder.
    pub(crate) const fn written(text: String) -> Self {
        Self(text)
    }

    #[inline]
    pub(crate) fn into_text(self) -> String {
        self.0
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for JsonText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
