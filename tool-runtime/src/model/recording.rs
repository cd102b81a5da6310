//! A line of a recording: a request and its answer, without secrets.
//!
//! In: messages, definitions, options, and the answer. Out: the same as data that can be written and compared. What always holds: a value
//! under a key that is a secret's is not in it, wherever in arguments or answers it stands; the definitions are kept as a hash, because
//! they are long and the same in every line.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Message, ModelError, Options, Request, Response, ToolCall};
use crate::issue::REDACTED;
use crate::schema::Definition;
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

/// A request with its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) request: Recorded,
    #[serde(flatten)]
    pub(super) answer: Answer,
}

/// A request as it is written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Recorded {
    pub(super) messages: Vec<Message>,
    /// The names of the tools, which a reader wants to see.
    pub(super) tools: Vec<String>,
    /// All of their definitions.
    pub(super) definitions: String,
    pub(super) options: Options,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Response(Response),
    Error(ModelError),
}

impl Line {
    pub(super) fn of(request: Request<'_>, answer: &Result<Response, ModelError>, redaction: &Redaction) -> Self {
        let answer = match answer {
            Ok(response) => {
                let calls = response.calls.iter().map(|call| redaction.call(call)).collect();
                Answer::Response(Response { calls, ..response.clone() })
            }
            Err(error) => Answer::Error(error.clone()),
        };
        Self { request: Recorded::of(request, redaction), answer }
    }
}

impl Recorded {
    pub(super) fn of(request: Request<'_>, redaction: &Redaction) -> Self {
        let name = |definition: &Definition| {
            let json = definition.as_json();
            let named = json.get("name").or_else(|| json.get("function")?.get("name"));
            named.and_then(|name| name.as_str()).unwrap_or_default().to_owned()
        };
        Self {
            messages: request.messages.iter().map(|message| redaction.message(message)).collect(),
            tools: request.tools.iter().map(name).collect(),
            definitions: format!("fnv1a:{:016x}", fnv1a(request.tools.to_string().as_bytes())),
            options: request.options.clone(),
        }
    }
}

/// A hash that is the same in every build: FNV-1a, 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
