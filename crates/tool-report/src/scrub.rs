//! Removal of secrets from one text: [`Scrubber`].
//!
//! Invariants: JSON inside strings is searched down to [`MOST_WRAPS`] levels, and hidden as a whole below that. The depth limit of the
//! parser bounds the recursion.

use serde_json::{Map, Value};

use crate::private::issue::REDACTED;

/// The maximum number of levels of JSON inside strings that are searched.
const MOST_WRAPS: usize = 4;

/// A search for secrets in a text.
pub(super) struct Scrubber<'r> {
    /// The keys whose values are secret, in lower case and without separators.
    pub(super) keys: &'r [String],
}

impl Scrubber<'_> {
    /// Returns the text with its secrets replaced, or `None` if it contains none.
    pub(super) fn text(&self, text: &str) -> Option<String> {
        // An escape sequence may hide a key.
        let is_suspicious =
            |text: &str| (self.mentions(text) || text.contains("\\u")) && text.contains(['{', '[', '=', ':']);
        self.wrapped(text, 0, is_suspicious)
    }

    /// Searches a text inside `wraps` strings. A text that cannot be parsed is hidden if it is suspicious.
    fn wrapped(&self, text: &str, wraps: usize, is_suspicious: impl FnOnce(&str) -> bool) -> Option<String> {
        if !text.contains('\\') && !self.mentions(text) {
            return None;
        }
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(_) | Value::Array(_) | Value::String(_)) if wraps > MOST_WRAPS => {
                Some(REDACTED.to_owned())
            }
            Ok(mut value) => self.value(&mut value, wraps).then(|| value.to_string()),
            Err(_) => is_suspicious(text).then(|| REDACTED.to_owned()),
        }
    }

    /// Replaces the secrets in a value. Returns `true` if there were any.
    fn value(&self, value: &mut Value, wraps: usize) -> bool {
        match value {
            _ if self.is_hidden_as_a_whole(value) => {
                *value = REDACTED.into();
                true
            }
            Value::Object(members) => self.object(members, wraps),
            Value::Array(items) => items.iter_mut().fold(false, |hidden, item| self.value(item, wraps) | hidden),
            Value::String(text) => {
                let is_json = text.trim_start().starts_with(['{', '[', '"']);
                let hidden = if is_json {
                    self.wrapped(text, wraps + 1, |text| self.mentions(text) || text.contains("\\u"))
                } else {
                    self.is_line(text).then(|| REDACTED.to_owned())
                };
                hidden.map(|hidden| *text = hidden).is_some()
            }
            _ => false,
        }
    }

    /// Returns `true` for an object with a secret in a key (`{"password: hunter2": 1}`), and for a pair of a secret key and its value.
    fn is_hidden_as_a_whole(&self, value: &Value) -> bool {
        match value {
            Value::Object(members) => members.keys().any(|key| self.is_line(key)),
            Value::Array(items) => matches!(items.as_slice(), [Value::String(key), _] if self.is_secret(key)),
            _ => false,
        }
    }

    fn object(&self, members: &mut Map<String, Value>, wraps: usize) -> bool {
        // A list of headers: `{"name": "Authorization", "value": "…"}`.
        let names_a_secret = ["name", "key", "header"]
            .iter()
            .any(|key| members.get(*key).and_then(Value::as_str).is_some_and(|name| self.is_secret(name)));
        let mut hidden = false;
        for (key, value) in members {
            let is_secret = self.is_secret(key) || names_a_secret && key == "value";
            hidden |= if is_secret {
                *value = REDACTED.into();
                true
            } else {
                self.value(value, wraps)
            };
        }
        hidden
    }

    fn is_secret(&self, key: &str) -> bool {
        let key = folded(key);
        self.keys.iter().any(|secret| key.ends_with(&**secret))
    }

    /// Returns `true` for a line such as `Authorization: Bearer …` or `token=…`.
    fn is_line(&self, text: &str) -> bool {
        let mut parts = text.rsplit([':', '=']);
        parts.next().is_some() && parts.any(|part| self.is_secret(part))
    }

    fn mentions(&self, text: &str) -> bool {
        let text = folded(text);
        self.keys.iter().any(|key| text.contains(&**key))
    }
}

/// Returns a text in lower case and without separators.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
