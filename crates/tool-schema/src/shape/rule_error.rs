//! The error of a custom rule: [`CustomRuleError`].
//!
//! Invariant: static texts can be distinguished from texts computed at run time, which may repeat the value.

use std::borrow::Cow;

/// The error of a `custom` rule: a sentence for the model, and optionally a code and the expectation.
///
/// ```
/// use tool_schema::CustomRuleError;
///
/// fn weekday(day: &String) -> Result<(), CustomRuleError> {
///     if day.ends_with("day") { Ok(()) } else { Err("must be the name of a weekday".into()) }
/// }
/// assert_eq!(weekday(&"noon".to_owned()).unwrap_err().message(), "must be the name of a weekday");
///
/// let coded = CustomRuleError::new("is fully booked").with_code("FULLY_BOOKED").with_expected("a date with a free table");
/// assert_eq!(coded.code_or_default(), "FULLY_BOOKED");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CustomRuleError {
    message: Cow<'static, str>,
    code: Option<&'static str>,
    expected: Option<Cow<'static, str>>,
}

impl CustomRuleError {
    /// Creates a rejection with the rest of a sentence that begins with the field's name: "`day` must be …".
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), code: None, expected: None }
    }

    /// Sets the `error_code`; the default is `CUSTOM`.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// Sets a short description of accepted values.
    #[must_use]
    pub fn with_expected(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Removes texts that were computed at run time, because they may repeat the value.
    pub(crate) fn without_made_words(self) -> Self {
        let message = match self.message {
            Cow::Borrowed(message) => message,
            Cow::Owned(_) => "was not accepted",
        };
        let expected = self.expected.filter(|expected| matches!(expected, Cow::Borrowed(_)));
        Self { message: Cow::Borrowed(message), expected, ..self }
    }

    /// Returns the sentence without the field's name.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the `error_code`, or `CUSTOM`.
    pub const fn code_or_default(&self) -> &'static str {
        match self.code {
            Some(code) => code,
            None => "CUSTOM",
        }
    }

    /// Returns the description of accepted values, if there is one.
    pub fn expectation(&self) -> Option<&str> {
        self.expected.as_deref()
    }
}

impl From<&'static str> for CustomRuleError {
    fn from(message: &'static str) -> Self {
        Self::new(message)
    }
}

impl From<String> for CustomRuleError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
