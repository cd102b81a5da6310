//! What a recording does not say: [`Redaction`].
//!
//! In: texts of calls and of answers. Out: the same without the values of secrets. What always holds: a value under a key that is a
//! secret's is not in it, however the key is escaped and in however many strings the JSON is wrapped; what cannot be read is hidden whole
//! where it may hold one; a text without secrets is the text that was sent.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::de::IgnoredAny;
use serde_json::Value;

use super::hiding::Hiding;
use super::{Message, ToolCall};
use crate::shape::{Field, Kind, Ref, Shape, Tagging};
use crate::toolbox::Toolbox;

/// What keys hold secrets.
///
/// A key is a secret's if its name, without case and separators, ends in one of these: `authorization`, `apikey`, `accesskey`, `authkey`,
/// `privatekey`, `token`, `password`, `passwd`, `passphrase`, `secret`, `cookie`, `credential`, `credentials`, or in one that is added. So is
/// the `value` beside such a `name`, as lists of headers have it. Fields that are `#[tool(sensitive)]` are added by
/// [`toolbox`](Self::toolbox). Arguments and answers of tools are searched, and what anybody says where all of it is JSON; prose is not.
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
    /// By the advertised name of a tool the keys of its own that are no secrets; `None` where it takes none.
    tools: HashMap<String, Option<HashSet<String>>>,
    /// What stands for a tool that there is not, once there is one with secrets.
    elsewhere: Option<HashSet<String>>,
}

const KEYS: [&str; 13] = [
    "authorization",
    "apikey",
    "accesskey",
    "authkey",
    "privatekey",
    "token",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "cookie",
    "credential",
    "credentials",
];

impl Redaction {
    /// The usual keys.
    ///
    /// ```
    /// assert_eq!(tool_runtime::model::Redaction::new().redacted(r#"{"token": 1}"#), r#"{"token":"<redacted>"}"#);
    /// ```
    pub fn new() -> Self {
        Self { keys: KEYS.map(str::to_owned).to_vec(), tools: HashMap::new(), elsewhere: None }
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
        if !key.is_empty() && !self.keys.contains(&key) {
            self.keys.push(key);
        }
        self
    }

    /// The names and aliases of all fields of a toolbox's tools that are `#[tool(sensitive)]`, of members of containers too.
    ///
    /// In calls of a tool with such a field a value under a key that the tool does not have is hidden as well, because it may be a secret
    /// under a wrong name, and so are arguments that are not a JSON object. The same holds for calls of a name that is no tool's.
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
        let mut elsewhere = self.elsewhere.take().unwrap_or_default();
        for entry in &toolbox.parts().catalog.tools {
            let input = entry.tool.spec().input.shape();
            let Keys { secret, known } = Keys::of(&input);
            elsewhere.extend(known.iter().cloned());
            self.tools.insert(entry.name.to_string(), input.has_secrets().then_some(known));
            self = secret.iter().fold(self, |redaction, name| redaction.key(name));
        }
        let has_secrets = self.tools.values().any(Option::is_some);
        self.elsewhere = has_secrets.then_some(elsewhere);
        self
    }

    /// A JSON text without the values of secrets, also of those in JSON within its strings; a text that is not valid JSON as it is, unless it
    /// names a secret's key and may be the beginning of JSON: then nothing of it.
    ///
    /// ```
    /// use tool_runtime::model::Redaction;
    ///
    /// assert_eq!(Redaction::new().redacted(r#"{"password": "hunter2""#), "<redacted>");
    /// ```
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.without(text, None)
    }

    fn without<'t>(&self, text: &'t str, known: Option<&HashSet<String>>) -> Cow<'t, str> {
        Hiding { keys: &self.keys, known }.text(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn call(&self, call: &ToolCall) -> ToolCall {
        let known = match self.tools.get(&call.name) {
            Some(known) => known.as_ref(),
            None => self.elsewhere.as_ref(),
        };
        ToolCall::new(&*call.id, &*call.name, self.without(&call.arguments, known))
    }

    /// The calls of an answer.
    pub(super) fn calls(&self, calls: &[ToolCall]) -> Vec<ToolCall> {
        calls.iter().map(|call| self.call(call)).collect()
    }

    /// What a provider wants back; the values under the keys of secrets are not in it, and prose is not searched.
    pub(super) fn thoughts(&self, thoughts: &[Value]) -> Vec<Value> {
        let without = |thought: &Value| match self.redacted(&thought.to_string()) {
            Cow::Borrowed(_) => thought.clone(),
            Cow::Owned(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        };
        thoughts.iter().map(without).collect()
    }

    pub(super) fn message(&self, message: &Message) -> Message {
        match message {
            Message::Assistant { text, calls, thoughts } => Message::Assistant {
                text: self.said(text),
                calls: self.calls(calls),
                thoughts: self.thoughts(thoughts),
            },
            Message::Tool { call_id, name, text } => {
                Message::Tool { call_id: call_id.clone(), name: name.clone(), text: self.redacted(text).into_owned() }
            }
            Message::System(text) => Message::System(self.said(text)),
            Message::User(text) => Message::User(self.said(text)),
        }
    }

    /// What somebody says: searched where all of it is JSON, because prose may speak of a password without telling one.
    pub(super) fn said(&self, text: &str) -> String {
        let is_json = text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok();
        if is_json { self.redacted(text).into_owned() } else { text.to_owned() }
    }
}

impl Default for Redaction {
    fn default() -> Self {
        Self::new()
    }
}

/// The keys of a tool's input, however deep.
#[derive(Default)]
struct Keys {
    /// Those of sensitive fields.
    secret: Vec<String>,
    /// All others, folded.
    known: HashSet<String>,
}

impl Keys {
    fn of(input: &Shape) -> Self {
        let mut keys = Self::default();
        keys.add(input);
        input.walk(|_, shape| {
            keys.add(shape);
            true
        });
        keys
    }

    fn add(&mut self, shape: &Shape) {
        match &shape.kind {
            Kind::Object(object) => object.fields.iter().for_each(|field| self.add_field(field)),
            Kind::Union(union) => {
                let names =
                    union.variants.iter().flat_map(|variant| std::iter::once(&variant.name).chain(&variant.aliases));
                self.known.extend(names.map(|name| folded(name)));
                match &union.tagging {
                    Tagging::Internal { tag } => self.known.extend([folded(tag)]),
                    Tagging::Adjacent { tag, content } => self.known.extend([folded(tag), folded(content)]),
                    Tagging::External | Tagging::Untagged => {}
                }
            }
            _ => {}
        }
    }

    fn add_field(&mut self, field: &Field) {
        let names = std::iter::once(&field.name).chain(&field.aliases);
        match (field.sensitive, field.flatten) {
            (true, false) => self.secret.extend(names.map(ToString::to_string)),
            // The field has no key: those of what is flattened are secrets.
            (true, true) => flattened(&field.shape, MOST_FLATTENED, &mut self.secret),
            (false, _) => self.known.extend(names.map(|name| folded(name))),
        }
    }
}

/// Shapes that are flattened into one another; a type with more nobody could read.
const MOST_FLATTENED: usize = 16;

/// The keys that a flattened shape adds to the object around it.
fn flattened(shape: &Ref, hops: usize, keys: &mut Vec<String>) {
    let Some(hops) = hops.checked_sub(1) else { return };
    match &shape.shape().kind {
        Kind::Object(object) => {
            for field in &object.fields {
                if field.flatten {
                    flattened(&field.shape, hops, keys);
                } else {
                    keys.extend(std::iter::once(&field.name).chain(&field.aliases).map(ToString::to_string));
                }
            }
        }
        Kind::Union(union) => {
            let payloads = union.variants.iter().filter_map(|variant| variant.payload.as_ref());
            payloads.for_each(|payload| flattened(payload, hops, keys));
        }
        Kind::Nullable(inner) | Kind::Alias(inner) => flattened(inner, hops, keys),
        _ => {}
    }
}

/// A name or a text without case and separators.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
