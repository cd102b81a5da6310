//! The stored form of a [`Failure`].
//!
//! Invariants: a failure that is read back has the same text for the model, even if a later version of this crate would word it
//! differently; the details for the observer are not stored, because they may repeat secrets.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Addition, EscalatedMessage, Failure, Row};

/// A failure as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored<'f> {
    tool: Cow<'f, str>,
    row: Cow<'f, Row>,
    /// The text that the model read.
    text: Cow<'f, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    escalation: Option<Cow<'f, EscalatedMessage>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_bare: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_cut_off: bool,
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored {
            tool: self.tool_name().into(),
            row: Cow::Borrowed(self.row()),
            text: self.text_in_form().map_or_else(|| self.to_json().into(), Cow::Borrowed),
            escalation: self.escalation().map(Cow::Borrowed),
            is_bare: !self.has_sent(),
            is_cut_off: self.is_limited(),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Failure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { tool, row, text, escalation, is_bare, is_cut_off } = Stored::deserialize(deserializer)?;
        let row = row.into_owned();
        // The text of such a row is about its first issue, so there must be one.
        if matches!(&row, Row::ValidationError(issues) | Row::InvalidJson(issues) if issues.is_empty()) {
            return Err(D::Error::custom("a rejection of arguments has no issue"));
        }
        let escalation = escalation.map(Cow::into_owned);
        let addition = Addition { escalation, text: Some(text.into_owned()), is_bare, is_cut_off };
        Ok(Self { tool: tool.into_owned(), row, details: None, addition: Some(Box::new(addition)) })
    }
}
