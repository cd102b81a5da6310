//! Judges calls under rewritten definitions: [`Advertised`].
//!
//! In: the text of a call. Out: an issue, if the tool gets arguments that its schema rejects, if a value does not come
//! back, or if the rejection names a key or a form that the model was not shown. `jsonschema` decides about validity, and
//! the shown schema about keys and forms. The body of the fuzz target `inverse`.

use std::collections::HashSet;
use std::sync::Arc;

use jsonschema::Validator;
use serde_json::{Value, json};
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::Dialect;
use tool_runtime::session::{Outcome, Session};
use tool_runtime::tool::Payload;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{ToolError, Toolbox};
use tool_schema::dialect::Inverse;
use tool_schema::issue::{Constraint, Issue, Segment};
use tool_schema::json::Json;
use tool_schema::shape::Text;

use super::forward::In;
use super::recorded::Tool;
use super::values::{Dice, spoilt, value};
use crate::providers::schema_of;

/// The text in place of a key or a value that may be a secret.
const HIDDEN: &str = "<redacted>";

/// A tool that a session has advertised in a rewritten form.
pub struct Advertised {
    own: Value,
    shown: Value,
    accepts: Validator,
    shows: Validator,
    inverse: Arc<Inverse>,
    /// Two sessions: one rejects with JSON, the other with marked-up arguments.
    sessions: [Session; 2],
}

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The tool ran with arguments that its schema accepts.
    Ran,
    /// The call was rejected.
    Rejected,
}

impl Advertised {
    /// Advertises a tool; `None` if the dialect does not rewrite its values.
    ///
    /// # Panics
    ///
    /// If the schema does not compile.
    pub fn of(dialect: Dialect, tool: &Tool) -> Option<Self> {
        let sessions = [FeedbackForm::Json, FeedbackForm::Markdown].map(|form| {
            let echo = DynamicTool::builder("do_it", "Does it.", &tool.value).unknown_fields(UnknownFields::Reject);
            let echo = echo.sync_handler(|arguments, _| Ok::<_, ToolError>(Value::Object(arguments).to_string()));
            let builder = Toolbox::builder().for_provider(dialect).feedback(form).no_throttle();
            builder.tool(echo.expect("a schema")).build().expect("one tool").session()
        });
        drop(sessions[1].definitions());
        let definitions = sessions[0].definitions();
        let definition = definitions.first()?;
        let shown = shown(dialect.name(), &definition.to_value())?;
        let compiled = |schema| jsonschema::options().build(schema).expect("a schema compiles");
        Some(Self {
            accepts: compiled(&tool.value),
            shows: compiled(&shown),
            own: tool.value.clone(),
            shown,
            inverse: Arc::clone(definition.inverse()?),
            sessions,
        })
    }

    /// Returns the text of a call: a value in the shown form or in the tool's own form, unchanged or changed.
    pub fn text(&self, dice: &mut Dice) -> String {
        let schema = if dice.below(3) == 0 { &self.own } else { &self.shown };
        let mut sent = value(In::root(schema), dice, 8);
        for _ in 0..dice.below(4) {
            sent = spoilt(&sent, dice);
        }
        sent.to_string()
    }

    /// Makes a call.
    ///
    /// # Errors
    ///
    /// Returns the issue.
    ///
    /// # Panics
    ///
    /// If the tool gets arguments that are not JSON.
    pub fn judge(&self, text: &str) -> Result<Judged, String> {
        let sent: Option<Value> = Json::parse(text).ok().map(|sent| sent.to_value());
        let called = |session: &Session| pollster::block_on(session.call("call_1", "do_it", text));
        let outcome = called(&self.sessions[0]);
        let got = outcome.is_ok().then(|| text_of(&outcome));
        if let Some(got) = got.as_ref().filter(|got| !self.accepts.is_valid(got)) {
            return Err(format!("the tool gets {got}"));
        }
        let Some(sent) = sent else { return Ok(if got.is_some() { Judged::Ran } else { Judged::Rejected }) };
        self.judge_inverse(&sent, text, got.as_ref())?;
        if got.is_some() {
            return Ok(Judged::Ran);
        }
        self.judge_rejection(&sent, &outcome)?;
        self.judge_markup(&sent, &called(&self.sessions[1]).to_text())?;
        Ok(Judged::Rejected)
    }

    /// Compares the arguments that a tool gets with the result of the inverse.
    fn judge_inverse(&self, sent: &Value, text: &str, got: Option<&Value>) -> Result<(), String> {
        let restored = |text: &str| {
            let json = Json::parse(text).map_err(|error| error.to_string())?;
            self.inverse.restore(json).map(|own| own.to_value()).map_err(|issues| format!("{issues:?}"))
        };
        if self.accepts.is_valid(sent) {
            let shown = self.inverse.show(Json::parse(text).map_err(|error| error.to_string())?).to_text();
            let back = restored(&shown)?;
            if back != *sent {
                return Err(format!("it is shown as {shown}, which comes back as {back}"));
            }
            let shown = serde_json::from_str(&shown).map_err(|error| error.to_string())?;
            if sent.is_object() && !self.shows.is_valid(&shown) {
                return Err(format!("it is shown as {shown}, which the shown schema rejects"));
            }
        }
        match restored(text) {
            Ok(own) if self.accepts.is_valid(&own) => match got {
                Some(got) if *got == own => Ok(()),
                got => Err(format!("the inverse returns {own}, and the tool gets {got:?}")),
            },
            _ => Ok(()),
        }
    }

    /// Judges the issues and the hint of a rejection.
    fn judge_rejection(&self, sent: &Value, outcome: &Outcome) -> Result<(), String> {
        let failure = outcome.failure().ok_or("a rejection without a failure")?;
        if failure.issues().is_empty() {
            return Err(format!("the rejection has no issues: {}", outcome.to_text()));
        }
        for issue in failure.issues() {
            self.judge_issue(sent, issue).map_err(|fault| format!("{fault}: {}", outcome.to_text()))?;
        }
        let text = outcome.to_text();
        let (mut own, mut shown) = (HashSet::new(), HashSet::new());
        keys(&self.own, &mut own);
        keys(&self.shown, &mut shown);
        // Short keys and words may be a part of anything.
        let is_odd = |key: &str| key.len() > 3 && !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let hidden = own.difference(&shown).filter(|key| is_odd(key) && !has_key(sent, key));
        if let Some(key) = hidden.into_iter().find(|key| text.contains(**key)) {
            return Err(format!("the rejection names {key}, which is not shown: {text}"));
        }
        let wire: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let example = &wire["retry_hint"]["example_input"];
        if !example.is_null() && !self.is_shown(&[&self.shown], &Value::Null, example) {
            return Err(format!("the example {example} has a form that was not shown: {wire}"));
        }
        Ok(())
    }

    fn judge_issue(&self, sent: &Value, issue: &Issue) -> Result<(), String> {
        let (mut schemas, mut at) = (vec![&self.shown], Some(sent));
        let mut around = schemas.clone();
        for segment in issue.path.segments() {
            around = self.flattened(&schemas);
            (schemas, at) = match segment {
                Segment::Key(key) => (below(&around, key), at.and_then(|at| at.get(&**key))),
                Segment::Index(index) => (items(&around), at.and_then(|at| at.get(index))),
            };
            let is_sent = at.is_some() || matches!(segment, Segment::Key(key) if has_key(sent, key));
            if schemas.is_empty() && !is_sent {
                return Err(format!("{} is neither shown nor sent", issue.path));
            }
        }
        let allowed = match &issue.constraint {
            Constraint::UnknownField { allowed } => allowed.iter().map(Text::as_str).collect(),
            _ => Vec::new(),
        };
        let suggestion = issue.suggestion.as_ref().map(Text::as_str);
        let foreign = allowed.into_iter().chain(suggestion).find(|key| {
            let is_value = |schema: &&Value| names_value(schema, key);
            below(&around, key).is_empty() && !self.flattened(&schemas).iter().any(is_value)
        });
        foreign.map_or(Ok(()), |key| Err(format!("{} names {key:?}, which is not shown", issue.path)))
    }

    fn judge_markup(&self, sent: &Value, text: &str) -> Result<(), String> {
        let Some((_, marked)) = text.split_once('\n') else { return Ok(()) };
        let plain: Vec<_> = marked.lines().map(|line| line.split(" // ").next().unwrap_or_default()).collect();
        // Long values are shortened, so that they are no JSON.
        let Ok(marked) = serde_json::from_str::<Value>(&plain.join("\n")) else { return Ok(()) };
        if self.is_shown(&[&self.shown], sent, &marked) {
            return Ok(());
        }
        Err(format!("the marked-up arguments have a form that was neither shown nor sent: {text}"))
    }

    /// Returns `true` if each part of a value has a form that was shown, or was sent.
    fn is_shown(&self, schemas: &[&Value], sent: &Value, value: &Value) -> bool {
        let schemas = self.flattened(schemas);
        let has = |name: &str| schemas.iter().any(|schema| is_of_type(schema, name));
        let is_shown = match value {
            Value::Object(members) => {
                let is_shown = |(key, value): (&String, &Value)| {
                    let below = below(&schemas, key);
                    // Keys that may be secrets are hidden together with their values.
                    let is_hidden = key == HIDDEN && value == HIDDEN;
                    let is_known = !below.is_empty() || has_key(sent, key);
                    is_hidden || is_known && self.is_shown(&below, sent, value)
                };
                has("object") && members.iter().all(is_shown)
            }
            Value::Array(all) => has("array") && all.iter().all(|item| self.is_shown(&items(&schemas), sent, item)),
            _ => true,
        };
        is_shown || contains(sent, value)
    }

    /// Returns the schemas behind references and unions.
    fn flattened<'v>(&'v self, schemas: &[&'v Value]) -> Vec<&'v Value> {
        let (mut waiting, mut found) = (schemas.to_vec(), Vec::new());
        for _ in 0..200 {
            let Some(schema) = waiting.pop() else { break };
            let target =
                schema.get("$ref").and_then(Value::as_str).and_then(|to| self.shown.pointer(to.strip_prefix('#')?));
            waiting.extend(target);
            waiting.extend(["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten());
            found.push(schema);
        }
        found
    }
}

/// Adds the keys of all properties of a schema.
fn keys<'v>(schema: &'v Value, found: &mut HashSet<&'v str>) {
    match schema {
        Value::Object(keywords) => {
            let named = keywords.get("properties").and_then(Value::as_object);
            found.extend(named.into_iter().flatten().map(|(key, _)| key.as_str()));
            keywords.values().for_each(|value| keys(value, found));
        }
        Value::Array(parts) => parts.iter().for_each(|part| keys(part, found)),
        _ => {}
    }
}

/// Returns `true` if a value is a part of another.
fn contains(whole: &Value, part: &Value) -> bool {
    whole == part
        || match whole {
            Value::Array(items) => items.iter().any(|item| contains(item, part)),
            Value::Object(members) => members.values().any(|value| contains(value, part)),
            _ => false,
        }
}

fn has_key(whole: &Value, key: &str) -> bool {
    match whole {
        Value::Array(items) => items.iter().any(|item| has_key(item, key)),
        Value::Object(members) => members.contains_key(key) || members.values().any(|value| has_key(value, key)),
        _ => false,
    }
}

fn below<'v>(schemas: &[&'v Value], key: &str) -> Vec<&'v Value> {
    let listed = |schema: &&'v Value| schema.get("properties").and_then(|named| named.get(key));
    let other = |schema: &&'v Value| schema.get("additionalProperties").filter(|others| others.is_object());
    schemas.iter().filter_map(|schema| listed(schema).or_else(|| other(schema))).collect()
}

fn items<'v>(schemas: &[&'v Value]) -> Vec<&'v Value> {
    schemas.iter().filter_map(|schema| schema.get("items")).collect()
}

fn is_of_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|own| own == name),
        Some(own) => own == name,
        None => false,
    }
}

/// Returns `true` if a schema lists a text as a value, which a suggestion may name.
fn names_value(schema: &Value, text: &str) -> bool {
    schema.get("const").is_some_and(|only| only == text)
        || schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().any(|value| value == text))
}

/// Returns the schema that a model sees, in standard JSON Schema: `nullable` becomes the type `null`.
pub fn shown(name: &str, definition: &Value) -> Option<Value> {
    fn spelt(schema: &mut Value) {
        match schema {
            Value::Array(items) => items.iter_mut().for_each(spelt),
            Value::Object(members) => {
                members.values_mut().for_each(spelt);
                if members.remove("nullable").is_none() {
                    return;
                }
                let null = Value::from("null");
                if let Some(branches) = members.get_mut("anyOf").and_then(Value::as_array_mut) {
                    branches.push(json!({"type": "null"}));
                } else if let Some(name) = members.get("type").cloned() {
                    members.insert("type".to_owned(), Value::from(vec![name, null]));
                    if let Some(values) = members.get_mut("enum").and_then(Value::as_array_mut) {
                        values.push(Value::Null);
                    }
                }
            }
            _ => {}
        }
    }
    let mut schema = schema_of(name, definition)?.clone();
    if name == "gemini-schema" {
        spelt(&mut schema);
    }
    Some(schema)
}

/// Returns the arguments that an echo returned as a text, without a remark after them.
fn text_of(outcome: &Outcome) -> Value {
    let text = outcome.payload().map(Payload::as_str);
    serde_json::from_str(text.unwrap_or_default()).expect("an echo")
}
