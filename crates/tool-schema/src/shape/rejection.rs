//! What a rule of the user's own says against a value: [`Rejection`].
//!
//! In comes a sentence, where it helps with a code and with what would be accepted; out go the words of an issue. What always holds: words
//! that stand in the program can be told from words that were made at run time, which may repeat the value.

use std::borrow::Cow;

/// Why a `custom` rule refuses a value: one sentence for the model, and what it should have been.
///
/// ```
/// use tool_schema::Rejection;
///
/// fn weekday(day: &String) -> Result<(), Rejection> {
///     if day.ends_with("day") { Ok(()) } else { Err("must be the name of a weekday".into()) }
/// }
/// assert_eq!(weekday(&"noon".to_owned()).unwrap_err().message(), "must be the name of a weekday");
///
/// let coded = Rejection::new("is fully booked").code("FULLY_BOOKED").expected("a date with a free table");
/// assert_eq!(coded.code_or_default(), "FULLY_BOOKED");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Rejection {
    message: Cow<'static, str>,
    code: Option<&'static str>,
    expected: Option<Cow<'static, str>>,
}

impl Rejection {
    /// A refusal; the sentence goes behind the field's name: "`day` must be …".
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::new("must be even").message(), "must be even");
    /// ```
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), code: None, expected: None }
    }

    /// Gives the refusal a code of its own, in place of `CUSTOM`.
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::new("is taken").code("TAKEN").code_or_default(), "TAKEN");
    /// ```
    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// Says in a few words what would be accepted.
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::new("is taken").expected("a free seat").expectation(), Some("a free seat"));
    /// ```
    #[must_use]
    pub fn expected(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// The refusal without words that were made at run time, which may repeat the value; those that stand in the program cannot.
    pub(crate) fn without_made_words(self) -> Self {
        let message = match self.message {
            Cow::Borrowed(message) => message,
            Cow::Owned(_) => "was not accepted",
        };
        let expected = self.expected.filter(|expected| matches!(expected, Cow::Borrowed(_)));
        Self { message: Cow::Borrowed(message), expected, ..self }
    }

    /// The sentence, without the field's name.
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::from("must be even").message(), "must be even");
    /// ```
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The rule's own code, or `CUSTOM`.
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::new("must be even").code_or_default(), "CUSTOM");
    /// ```
    pub fn code_or_default(&self) -> &'static str {
        self.code.unwrap_or("CUSTOM")
    }

    /// What would be accepted, where the rule says so.
    ///
    /// ```
    /// use tool_schema::Rejection;
    ///
    /// assert_eq!(Rejection::new("must be even").expectation(), None);
    /// ```
    pub fn expectation(&self) -> Option<&str> {
        self.expected.as_deref()
    }
}

impl From<&'static str> for Rejection {
    fn from(message: &'static str) -> Self {
        Self::new(message)
    }
}

impl From<String> for Rejection {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
