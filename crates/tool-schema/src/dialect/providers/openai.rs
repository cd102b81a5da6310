//! `OpenAI`: Chat Completions and Responses, plain and strict.
//!
//! Strict mode accepts a list of keywords, and rejects the whole request if a schema has any other keyword. If the
//! documentation contradicts itself (`minLength`, `default`), the keyword counts as rejected. A root with branches and
//! an array without `items` are rejected in both forms ("array schema missing items").

use super::envelope::{self, chat_answer, named, schema_and_name};
use crate::dialect::rules::{AnswerRules, Arrays, Form, Limits, Parts, References, Rules, Values};
use crate::json::Json;
use crate::json::build::{boolean, member, object, string};

pub(super) static CHAT: Rules = Rules { answer: Some(&CHAT_ANSWER), ..CHAT_RULES };

pub(super) static CHAT_STRICT: Rules =
    Rules { name: "openai-strict", strict: Some(&STRICT_FORM), answer: Some(&CHAT_ANSWER), ..CHAT_RULES };

pub(super) static RESPONSES: Rules =
    Rules { name: "openai-responses", wrap: function, answer: Some(&RESPONSES_ANSWER), ..CHAT_RULES };

pub(super) static RESPONSES_STRICT: Rules = Rules {
    name: "openai-responses-strict",
    wrap: function,
    strict: Some(&STRICT_FORM),
    answer: Some(&RESPONSES_ANSWER),
    ..CHAT_RULES
};

const CHAT_RULES: Rules = Rules { name: "openai", tools: Some(128), plain: &PLAIN_FORM, ..envelope::CHAT };

static CHAT_ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: chat_answer, strict: Some(&STRICT_FORM), ..CHAT_RULES },
    only_strict: false,
    beside_tools: true,
};

static RESPONSES_ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: text_format, strict: Some(&STRICT_FORM), ..CHAT_RULES },
    only_strict: false,
    beside_tools: true,
};

pub(super) static PLAIN_FORM: Form = Form { arrays: Arrays::OneSchema, root_branches: false, ..Form::AS_WRITTEN };

pub(super) static STRICT_FORM: Form = Form {
    keywords: Some(&[
        "type",
        "enum",
        "const",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ]),
    keeps_unread: false,
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    values: Values::Any,
    closes_objects: true,
    requires_all: true,
    maps_as_entries: true,
    needs_types: true,
    needs_objects: true,
    any_of_only: true,
    references: References::Alone,
    root_branches: false,
    limits: Limits { properties: 5_000, levels: 10, characters: 120_000, values: 1_000, long_enum: 15_000 },
    ..Form::AS_WRITTEN
};

/// Builds the flat definition of the Responses API, in which a tool is strict unless its definition turns strictness
/// off.
fn function(parts: Parts<'_>) -> Json<'static> {
    let mut members = vec![member("type", string("function"))];
    members.extend(named(&parts));
    members.push(member("parameters", parts.input));
    members.push(member("strict", boolean(parts.is_strict)));
    object(members)
}

/// Builds `{"text": {"format": {…}}}`, the request of the Responses API for an answer in a schema.
fn text_format(parts: Parts<'_>) -> Json<'static> {
    let mut format = vec![member("type", string("json_schema"))];
    format.extend(schema_and_name(parts));
    object([member("text", object([member("format", object(format))]))])
}
