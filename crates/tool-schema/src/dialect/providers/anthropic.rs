//! Anthropic Messages, plain and strict.
//!
//! A property whose key does not match `^[a-zA-Z0-9_.-]{1,64}$` makes the API reject the whole request, strict or not, and so
//! does a schema that is not valid in JSON Schema 2020-12, such as a list in `items`. The strict form
//! leaves optional properties out of `required`, because the API allows 24 optional properties, but only 16 unions with `null`.

use super::envelope::{CHAT, named};
use crate::dialect::rules::{AnswerRules, Arrays, Budget, Form, Keys, Names, Parts, References, Rules, Values};
use crate::json::Json;
use crate::json::build::{boolean, member, object, string};

const KEYS: Keys = Keys { most: 64, others: b"_.-", starts_with_letter: false, rejects: None };

const RULES: Rules = Rules {
    name: "anthropic",
    wrap: tool,
    names: Names { least: 1, most: 128, others: b"_-", starts_with_letter: false },
    plain: &PLAIN_FORM,
    budget: BUDGET,
    ..CHAT
};

pub(super) static PLAIN: Rules = Rules { answer: Some(&ANSWER), ..RULES };

pub(super) static STRICT: Rules =
    Rules { name: "anthropic-strict", strict: Some(&STRICT_FORM), answer: Some(&ANSWER), ..RULES };

/// The envelope of Anthropic around the schemas that the tools themselves accept, for a list of tools inside a text.
pub(super) static AS_WRITTEN: Rules = Rules {
    name: "as-written",
    names: Names { least: 1, most: usize::MAX, others: b"_.-", starts_with_letter: false },
    plain: &Form { root_branches: false, ..Form::AS_WRITTEN },
    ..RULES
};

static ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: output_config, strict: Some(&STRICT_FORM), ..RULES },
    only_strict: true,
    beside_tools: true,
};

pub(super) const BUDGET: Budget = Budget { tools: 20, optionals: 24, unions: 16 };

pub(super) static PLAIN_FORM: Form =
    Form { arrays: Arrays::Positions, root_branches: false, keys: Some(KEYS), ..Form::AS_WRITTEN };

pub(super) static STRICT_FORM: Form = Form {
    keywords: Some(&["type", "enum", "const", "default", "format", "minItems"]),
    keeps_unread: false,
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]),
    most_min_items: 1,
    values: Values::Primitives,
    closes_objects: true,
    maps_as_entries: true,
    needs_types: true,
    needs_objects: true,
    any_of_only: true,
    references: References::AloneAndFinite,
    root_branches: false,
    keys: Some(KEYS),
    ..Form::AS_WRITTEN
};

fn tool(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    members.push(member("input_schema", parts.input));
    if parts.is_strict {
        members.push(member("strict", boolean(true)));
    }
    object(members)
}

/// Builds `{"output_config": {"format": {…}}}`, the request for an answer in a schema.
fn output_config(parts: Parts<'_>) -> Json<'static> {
    let format = object([member("type", string("json_schema")), member("schema", parts.input)]);
    object([member("output_config", object([member("format", format)]))])
}
