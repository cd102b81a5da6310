//! Redaction of recordings: [`Redaction`].
//!
//! Invariants: a value under a secret key is removed, however the key is escaped and however deeply its JSON is nested in strings. Text
//! that cannot be parsed but may contain such a value is hidden as a whole. Text without secrets is not changed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::private::feedback::redact_arguments;
use crate::private::internal;
use crate::private::issue::REDACTED;
use crate::private::shape::{Kind, Ref, Shape, has_secrets, walk};
use serde::de::IgnoredAny;
use serde_json::Value;
use tool_runtime::Arguments;
use tool_runtime::tool_schema::ToolInput;
use tool_runtime::tool_schema::json::Node;
use tool_runtime::toolbox::Toolbox;

use crate::scrub::{Scrubber, folded};

/// The keys whose values a recording hides.
///
/// A key is secret if its name, without case and separators, ends with one of these words: `authorization`, `apikey`, `accesskey`,
/// `authkey`, `privatekey`, `token`, `password`, `passwd`, `passphrase`, `secret`, `cookie`, `credential`, `credentials`, or a word that
/// was added with [`add_key`](Self::add_key). The `value` beside such a `name`, as in lists of headers, is secret too. Fields with
/// `#[tool(sensitive)]` are added by [`add_toolbox`](Self::add_toolbox).
///
/// Arguments and answers of tools are searched. Other messages are searched if they are JSON as a whole; prose is not searched.
///
/// ```
/// use tool_report::Redaction;
///
/// let redaction = Redaction::new().add_key("iban");
/// assert_eq!(redaction.redact_json(r#"{"IBAN": "DE02", "X-Api-Key": "k", "days": 3}"#), r#"{"IBAN":"<redacted>","X-Api-Key":"<redacted>","days":3}"#);
/// assert_eq!(redaction.redact_json("no JSON"), "no JSON");
/// ```
#[derive(Clone, Debug)]
pub struct Redaction {
    keys: Vec<String>,
    /// The inputs of the tools by advertised name; `None` for a tool without sensitive fields.
    tools: BTreeMap<String, Option<Ref>>,
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
    /// Creates a redaction with the usual keys.
    pub fn new() -> Self {
        Self { keys: KEYS.map(str::to_owned).to_vec(), tools: BTreeMap::new() }
    }

    /// Adds a key.
    #[must_use]
    pub fn add_key(mut self, key: &str) -> Self {
        let key = folded(key);
        if !key.is_empty() && !self.keys.contains(&key) {
            self.keys.push(key);
        }
        self
    }

    /// Adds the names and aliases of all fields with `#[tool(sensitive)]` in a toolbox, including those of members of containers.
    ///
    /// In calls of a tool with such a field, the values of these fields are hidden, and so are unknown keys with their values, and texts,
    /// arrays and objects where the tool expects another type. Arguments that are not a JSON object are hidden as a whole, and so are the
    /// arguments of unknown tools, unless they are empty.
    ///
    /// ```
    /// use tool_report::Redaction;
    /// use tool_runtime::{Toolbox, tool};
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
    /// let redaction = Redaction::new().add_toolbox(&Toolbox::builder().tool(LogInTool).build()?);
    /// assert_eq!(redaction.redact_json(r#"{"pin": "1234"}"#), r#"{"pin":"<redacted>"}"#);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn add_toolbox<S>(mut self, toolbox: &Toolbox<S>) -> Self {
        for (name, tool) in toolbox.tools() {
            let input = &tool.spec().input;
            // Another toolbox may have a tool of the same name without secrets.
            let known = self.tools.entry(name.to_owned()).or_default();
            if has_secrets(&input.shape()) {
                *known = Some(input.clone());
            }
            self = secret_keys(&input.shape()).iter().fold(self, |redaction, name| redaction.add_key(name));
        }
        self
    }

    /// Adds the names and aliases of all fields with `#[tool(sensitive)]` in a type of answers. They are also hidden in a call of the tool that
    /// stands for the answer.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_report::Redaction;
    /// use tool_runtime::ToolInput;
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Account {
    ///     /// The PIN.
    ///     #[tool(sensitive)]
    ///     pin: String,
    /// }
    ///
    /// let redaction = Redaction::new().add_answer_type::<Account>();
    /// assert_eq!(redaction.redact_json(r#"{"pin": "1234"}"#), r#"{"pin":"<redacted>"}"#);
    /// ```
    #[must_use]
    pub fn add_answer_type<T: ToolInput>(mut self) -> Self {
        // The second name is used if a tool of the host has the first.
        for name in ["final_answer", "final_answer_2"] {
            self.tools.entry(name.to_owned()).or_default();
        }
        secret_keys(T::SHAPE).iter().fold(self, |redaction, name| redaction.add_key(name))
    }

    /// Replaces the values of secret keys in a JSON text, also in JSON inside its strings. Text that is not valid JSON is returned
    /// unchanged, unless it contains a secret key and may be the beginning of JSON. In that case, the whole text is hidden.
    ///
    /// ```
    /// use tool_report::Redaction;
    ///
    /// assert_eq!(Redaction::new().redact_json(r#"{"password": "hunter2""#), "<redacted>");
    /// ```
    pub fn redact_json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Scrubber { keys: &self.keys }.text(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Returns `true` if a tool has a sensitive field.
    pub(crate) fn takes_secrets(&self) -> bool {
        self.tools.values().any(Option::is_some)
    }

    /// Returns the arguments of a call, given as text, without secrets. The documentation of [`add_toolbox`](Self::add_toolbox) says what is hidden.
    ///
    /// ```
    /// use tool_report::Redaction;
    ///
    /// let arguments = r#"{"token": "b", "url": "a"}"#;
    /// assert_eq!(Redaction::new().redact_arguments("fetch", arguments), r#"{"token":"<redacted>","url":"a"}"#);
    /// ```
    pub fn redact_arguments<'t>(&self, name: &str, text: &'t str) -> Cow<'t, str> {
        match self.tool(name) {
            Some(Some(input)) => self.by_position(input, text),
            None if self.takes_secrets() => match Arguments::from(text) {
                nothing if nothing.is_empty() => Cow::Borrowed(text),
                _ if *internal::call_tool().name == *name => self.through_call_tool(text),
                _ => REDACTED.into(),
            },
            Some(None) | None => self.redact_json(text),
        }
    }

    /// Returns the input of a tool, even if the name is spelled with other separators or in another case.
    fn tool(&self, name: &str) -> Option<&Option<Ref>> {
        let alike = || {
            let mut alike =
                self.tools.iter().filter(|(other, _)| folded(other) == folded(name)).map(|(_, input)| input);
            let first = alike.next();
            alike.find(|input| input.is_some()).or(first)
        };
        self.tools.get(name).or_else(alike)
    }

    /// Redacts the arguments of a tool with sensitive fields.
    fn by_position<'t>(&self, input: &Ref, text: &'t str) -> Cow<'t, str> {
        let arguments = Arguments::from(text);
        if arguments.is_empty() {
            return Cow::Borrowed(text);
        }
        let Ok(json) = arguments.to_json() else { return REDACTED.into() };
        let shown = redact_arguments(&input.shape(), &json);
        if !matches!(shown.node, Node::Object(_)) {
            return REDACTED.into();
        }
        let shown = if shown.to_text() == json.to_text() { Cow::Borrowed(text) } else { Cow::Owned(shown.to_text()) };
        match self.redact_json(&shown) {
            Cow::Owned(hidden) => Cow::Owned(hidden),
            Cow::Borrowed(_) => shown,
        }
    }

    /// Redacts the arguments of `call_tool`, which contain the name of another tool and the arguments for it. A known name is kept.
    fn through_call_tool(&self, text: &str) -> Cow<'static, str> {
        let Ok(Value::Object(mut members)) = serde_json::from_str(text) else { return REDACTED.into() };
        let (name, inner) = (members.remove("tool"), members.remove("arguments"));
        let (Some(Value::String(name)), true) = (name, members.is_empty()) else { return REDACTED.into() };
        if self.tool(&name).is_none() {
            return REDACTED.into();
        }
        let inner = inner.map(|inner| match inner {
            Value::String(text) => Value::String(self.redact_arguments(&name, &text).into_owned()),
            value => {
                let hidden = self.redact_arguments(&name, &value.to_string()).into_owned();
                serde_json::from_str(&hidden).unwrap_or(Value::String(hidden))
            }
        });
        members.insert("tool".to_owned(), name.into());
        members.extend(inner.map(|inner| ("arguments".to_owned(), inner)));
        Value::Object(members).to_string().into()
    }

    /// Returns a message without secrets. A message that is JSON as a whole is searched; prose is not, because it may mention a password without
    /// containing one.
    ///
    /// ```
    /// use tool_report::Redaction;
    ///
    /// assert_eq!(Redaction::new().redact_message(r#"{"token": "b"}"#), r#"{"token":"<redacted>"}"#);
    /// assert_eq!(Redaction::new().redact_message("The password is too short."), "The password is too short.");
    /// ```
    pub fn redact_message<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_json = text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok();
        if is_json { self.redact_json(text) } else { Cow::Borrowed(text) }
    }
}

impl Default for Redaction {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the keys of all sensitive fields of an input, at any depth.
fn secret_keys(input: &Shape) -> Vec<String> {
    let mut keys = Vec::new();
    let mut add = |shape: &Shape| {
        let Kind::Object(object) = &shape.kind else { return };
        for field in object.fields.iter().filter(|field| field.sensitive) {
            if field.flatten {
                // The field itself has no key, so the keys of the flattened type are secret.
                flattened(&field.shape, MOST_FLATTENED, &mut keys);
            } else {
                keys.extend(std::iter::once(&field.name).chain(&field.aliases).map(ToString::to_string));
            }
        }
    };
    add(input);
    walk(input, |_, shape| {
        add(shape);
        true
    });
    keys
}

/// The maximum depth of flattened types.
const MOST_FLATTENED: usize = 16;

/// Adds the keys that a flattened shape adds to the object around it.
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
