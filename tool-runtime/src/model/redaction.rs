//! What a recording does not say: [`Redaction`].
//!
//! In: texts of calls and of answers. Out: the same without the values of secrets. What always holds: a value under a key that is a
//! secret's is not in it, however the key is escaped and in however many strings the JSON is wrapped; what cannot be read is hidden whole
//! where it may hold one; a text without secrets is the text that was sent.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Message, ToolCall};
use crate::issue::REDACTED;
use crate::shape::{Kind, Shape};
use crate::toolbox::Toolbox;

/// What keys hold secrets.
///
/// A key is a secret's if its name, without case and separators, ends in one of these: `authorization`, `apikey`, `token`, `password`,
/// `passwd`, `secret`, `cookie`, `credentials`, or in one that is added. Fields that are `#[tool(sensitive)]` are added by
/// [`toolbox`](Self::toolbox). What stands in prose is not searched.
///
/// ```
/// use tool_runtime::model::Redaction;
///
/// let redaction = Redaction::new().key("iban");
/// assert_eq!(redaction.redacted(r#"{"IBAN": "DE02", "X-Api-Key": "k", "days": 3}"#), r#"{"IBAN":"<redacted>","X-Api-Key":"<redacted>","days":3}"#);
/// assert_eq!(redaction.redacted("no JSON"), "no JSON");
/// ```
#[derive(Clone, Debug)]
pub struct Redaction {
    keys: Vec<String>,
}

const KEYS: [&str; 8] = ["authorization", "apikey", "token", "password", "passwd", "secret", "cookie", "credentials"];

impl Redaction {
    /// The usual keys.
    ///
    /// ```
    /// assert_eq!(tool_runtime::model::Redaction::new().redacted(r#"{"token": 1}"#), r#"{"token":"<redacted>"}"#);
    /// ```
    pub fn new() -> Self {
        Self { keys: KEYS.map(str::to_owned).to_vec() }
    }

    /// One key more.
    ///
    /// ```
    /// use tool_runtime::model::Redaction;
    ///
    /// assert_eq!(Redaction::new().key("pin").redacted(r#"{"pin": 1234}"#), r#"{"pin":"<redacted>"}"#);
    /// ```
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        let key = folded(key);
        if !key.is_empty() {
            self.keys.push(key);
        }
        self
    }

    /// The names and aliases of all fields of a toolbox's tools that are `#[tool(sensitive)]`, of members of containers too.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, model::Redaction, tool};
    ///
    /// /// Logs the user in.
    /// #[tool]
    /// fn log_in(
    ///     /// The PIN.
    ///     #[tool(sensitive)]
    ///     pin: String,
    /// ) {
    ///     drop(pin);
    /// }
    ///
    /// let redaction = Redaction::new().toolbox(&Toolbox::builder().tool(LogInTool).build()?);
    /// assert_eq!(redaction.redacted(r#"{"pin": "1234"}"#), r#"{"pin":"<redacted>"}"#);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn toolbox(mut self, toolbox: &Toolbox) -> Self {
        for entry in &toolbox.parts().catalog.tools {
            let input = entry.tool.spec().input.shape();
            let mut names = sensitive(&input);
            input.walk(|_, shape| {
                names.extend(sensitive(shape));
                true
            });
            self = names.iter().fold(self, |redaction, name| redaction.key(name));
        }
        self
    }

    /// A JSON text without the values of secrets; a text that is no JSON as it is, unless it names a secret's key: then nothing of it.
    ///
    /// ```
    /// use tool_runtime::model::Redaction;
    ///
    /// assert_eq!(Redaction::new().redacted(r#"{"password": "hunter2""#), "<redacted>");
    /// ```
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let folded = folded(text);
        if !self.keys.iter().any(|key| folded.contains(&**key)) {
            return Cow::Borrowed(text);
        }
        match serde_json::from_str::<Value>(text) {
            Ok(mut value) => {
                self.redact(&mut value);
                Cow::Owned(value.to_string())
            }
            // It cannot be told where the value stands: what is no whole object is hidden where it looks like the beginning of one.
            Err(_) if text.contains(['{', '=', ':']) => Cow::Borrowed(REDACTED),
            Err(_) => Cow::Borrowed(text),
        }
    }

    /// The depth is bounded by that of the parser.
    fn redact(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    if self.keys.iter().any(|secret| folded(key).ends_with(&**secret)) {
                        *value = REDACTED.into();
                    } else {
                        self.redact(value);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact(item)),
            _ => {}
        }
    }

    fn call(&self, call: &ToolCall) -> ToolCall {
        ToolCall::new(&*call.id, &*call.name, self.redacted(&call.arguments))
    }

    fn message(&self, message: &Message) -> Message {
        match message {
            Message::Assistant { text, calls } => {
                Message::Assistant { text: text.clone(), calls: calls.iter().map(|call| self.call(call)).collect() }
            }
            Message::Tool { call_id, name, text } => {
                Message::Tool { call_id: call_id.clone(), name: name.clone(), text: self.redacted(text).into_owned() }
            }
            other => other.clone(),
        }
    }
}

impl Default for Redaction {
    fn default() -> Self {
        Self::new()
    }
}

/// The names of an object's own fields that are sensitive.
fn sensitive(shape: &Shape) -> Vec<String> {
    let Kind::Object(object) = &shape.kind else { return Vec::new() };
    let fields = object.fields.iter().filter(|field| field.sensitive);
    fields.flat_map(|field| std::iter::once(&field.name).chain(&field.aliases)).map(ToString::to_string).collect()
}

/// A name or a text without case and separators.
fn folded(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
