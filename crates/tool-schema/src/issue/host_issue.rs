//! Constructors for issues that a host or a tool reports. Such issues are shown, counted and included in hints in the same way as issues of
//! the checker.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use super::{Constraint, Expected, Got, Issue, Path};
use crate::shape::{CustomRuleError, Text};

impl Issue {
    /// Creates an issue with the rest of a sentence that begins with the path: `must be in the future`.
    ///
    /// ```
    /// use tool_schema::Issue;
    ///
    /// let issue = Issue::custom("trip.day", "must be in the future").with_expected("a day after today");
    /// assert_eq!(issue.message(), "trip.day must be in the future");
    /// ```
    pub fn custom(path: impl Into<Path>, message: impl Into<Cow<'static, str>>) -> Self {
        let constraint = Constraint::Custom(CustomRuleError::new(message));
        Self::new(path.into(), constraint, Expected::from_text("another value".into()), Got::absent())
    }

    /// Creates an issue for a missing field. A hint lists the field under `missing_fields` and asks for its value.
    ///
    /// ```
    /// use tool_schema::{Issue, RetryHint};
    ///
    /// let issue = Issue::missing("city").with_field_description("City and country").with_example("Paris, France");
    /// let hint = RetryHint::from_issues("get_weather", &[issue]);
    /// assert_eq!(hint.clarifying_question(), Some("Which city (City and country) should get_weather use?"));
    /// assert_eq!(hint.example_input(), Some(serde_json::json!({"city": "Paris, France"})));
    /// ```
    pub fn missing(path: impl Into<Path>) -> Self {
        Self::new(path.into(), Constraint::Required, Expected::from_text("a value".into()), Got::absent())
    }

    /// Sets a short description of the expected value: `a day after today`.
    #[must_use]
    pub fn with_expected(mut self, words: impl Into<Text>) -> Self {
        Arc::make_mut(&mut self.expected).text = Some(words.into());
        self
    }

    /// Adds an example of an accepted value. A value that JSON cannot represent is left out.
    #[must_use]
    pub fn with_example(mut self, example: impl Serialize) -> Self {
        Arc::make_mut(&mut self.expected).example = serde_json::to_string(&example).ok().map(Text::from);
        self
    }

    /// Adds a description of the field. A question to the user quotes the description.
    #[must_use]
    pub fn with_field_description(mut self, description: impl Into<Text>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the name or value that was probably meant.
    #[must_use]
    pub fn with_suggestion(mut self, suggestion: impl Into<Text>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }
}
