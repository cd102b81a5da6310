//! The common parts of definitions: names, and the envelopes around a schema.

use crate::dialect::rules::{Budget, Form, Names, Parts, Rules};
use crate::json::build::{boolean, member, object, string};
use crate::json::{Json, Member};

/// Names of at most 64 letters, digits, `_` and `-`, which most providers accept.
pub(super) const WORDS: Names = Names { least: 1, most: 64, others: b"_-", starts_with_letter: false };

/// Any schema in the form of Chat Completions: the rules from which those of each provider differ.
pub(super) const CHAT: Rules = Rules {
    name: "",
    wrap: chat_function,
    names: WORDS,
    tools: None,
    plain: &Form::AS_WRITTEN,
    strict: None,
    budget: Budget::UNLIMITED,
    answer: None,
};

/// Builds `{"type": "function", "function": {…}}`, the form of Chat Completions, which most other providers also use.
pub(super) fn chat_function(parts: Parts<'_>) -> Json<'static> {
    let mut function = named(&parts);
    function.push(member("parameters", parts.input));
    if parts.is_strict {
        function.push(member("strict", boolean(true)));
    }
    object([member("type", string("function")), member("function", object(function))])
}

/// Builds `{"response_format": {"type": "json_schema", "json_schema": {…}}}`, the request of Chat Completions for an answer in a schema.
pub(super) fn chat_answer(parts: Parts<'_>) -> Json<'static> {
    let format = object([member("type", string("json_schema")), member("json_schema", object(schema_and_name(parts)))]);
    object([member("response_format", format)])
}

/// Returns the name, the description, the schema, and whether it is strict, as `OpenAI` names them for answers.
pub(super) fn schema_and_name(parts: Parts<'_>) -> Vec<Member<'static>> {
    let mut members = named(&parts);
    members.push(member("schema", parts.input));
    members.push(member("strict", boolean(parts.is_strict)));
    members
}

/// Returns the name, and the description if there is one.
pub(super) fn named(parts: &Parts<'_>) -> Vec<Member<'static>> {
    let mut members = vec![member("name", string(parts.declaration.name.to_string()))];
    if !parts.declaration.description.trim().is_empty() {
        members.push(member("description", string(parts.declaration.description.to_string())));
    }
    members
}
