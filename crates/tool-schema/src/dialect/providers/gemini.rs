//! Gemini: `parametersJsonSchema`, which accepts JSON Schema, and `parameters`, which accepts a subset of `OpenAPI`.
//!
//! Gemini documents the keywords that it reads in `parametersJsonSchema`. It ignores all others, so they are repeated in words.
//! `parameters` also rejects references, objects without properties, values of an `enum` that are not strings or are empty ("enum[2]: cannot
//! be empty"), lists of types, and keywords beside `anyOf` ("When using `any_of`, it must be the only field set"). It is not known if
//! `parametersJsonSchema` accepts an empty value, so such an `enum` is in words there too.

use super::envelope::{CHAT, named};
use crate::dialect::rules::{AnswerRules, Form, Keys, Names, Parts, References, Rules, Values};
use crate::json::build::{boolean, member, object, string};
use crate::json::{Json, Member, Node};

const NAMES: Names = Names { least: 1, most: 63, others: b"_.-", starts_with_letter: true };

pub(super) static JSON_SCHEMA: Rules = Rules { answer: Some(&ANSWER), ..JSON_SCHEMA_RULES };

const JSON_SCHEMA_RULES: Rules =
    Rules { name: "gemini", wrap: json_schema, names: NAMES, plain: &JSON_SCHEMA_FORM, ..CHAT };

pub(super) static OPEN_API: Rules = Rules { answer: Some(&OPEN_API_ANSWER), ..OPEN_API_RULES };

const OPEN_API_RULES: Rules =
    Rules { name: "gemini-schema", wrap: open_api, names: NAMES, plain: &OPEN_API_FORM, ..CHAT };

/// Models before Gemini 3 reject a request that has both an answer in a schema and tools ("Function calling with a response mime type:
/// 'application/json' is unsupported").
static ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: json_schema_answer, ..JSON_SCHEMA_RULES },
    only_strict: false,
    beside_tools: false,
};

static OPEN_API_ANSWER: AnswerRules =
    AnswerRules { rules: Rules { wrap: open_api_answer, ..OPEN_API_RULES }, only_strict: false, beside_tools: false };

static JSON_SCHEMA_FORM: Form = Form {
    keywords: Some(&[
        "type",
        "format",
        "enum",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "prefixItems",
        "additionalProperties",
        "propertyOrdering",
    ]),
    values: Values::StringsAndNumbers,
    any_of_only: true,
    references: References::AloneAndOptional,
    ..Form::AS_WRITTEN
};

static OPEN_API_FORM: Form = Form {
    keywords: Some(&[
        "type",
        "format",
        "enum",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
    ]),
    keeps_unread: false,
    formats: Some(&["date-time", "int32", "int64", "float", "double"]),
    values: Values::Strings,
    maps_as_entries: true,
    needs_types: true,
    rejects_empty: true,
    needs_objects: true,
    any_of_only: true,
    references: References::Inlined,
    root_branches: false,
    keys: Some(Keys { most: 64, others: b"_", starts_with_letter: true, rejects: None }),
    finish: Some(open_api_schema),
    ..Form::AS_WRITTEN
};

fn json_schema(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    members.push(member("parametersJsonSchema", parts.input));
    object(members)
}

fn json_schema_answer(parts: Parts<'_>) -> Json<'static> {
    generation_config("responseJsonSchema", parts.input)
}

fn open_api_answer(mut parts: Parts<'_>) -> Json<'static> {
    move_into_branches(&mut parts.input);
    generation_config("responseSchema", parts.input)
}

fn generation_config(key: &'static str, schema: Json<'static>) -> Json<'static> {
    let config = object([member("responseMimeType", string("application/json")), member(key, schema)]);
    object([member("generationConfig", config)])
}

/// Builds a declaration. A tool without arguments gets no `parameters`, because an object without properties is rejected.
fn open_api(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    let mut input = parts.input;
    if input.get("properties").is_some_and(|properties| !properties.members().is_empty()) {
        move_into_branches(&mut input);
        members.push(member("parameters", input));
    }
    object(members)
}

/// Moves the keywords beside every `anyOf` into its first branch. A copy in each branch could make the definition much longer. The recursion
/// is bounded, because the nesting of `Json` is.
fn move_into_branches(schema: &mut Json<'static>) {
    let Node::Object(members) = &mut schema.node else { return };
    if let Some(at) = members.iter().position(|entry| entry.key == "anyOf") {
        let mut branches = members.swap_remove(at);
        let beside = std::mem::take(members);
        if let Node::Array(branches) = &mut branches.value.node
            && let Some(Json { node: Node::Object(first), .. }) = branches.first_mut()
        {
            for entry in beside {
                add(first, entry);
            }
        }
        members.push(branches);
    }
    for entry in members {
        match (&*entry.key, &mut entry.value.node) {
            ("properties", Node::Object(named)) => {
                for property in named {
                    move_into_branches(&mut property.value);
                }
            }
            ("anyOf", Node::Array(branches)) => branches.iter_mut().for_each(move_into_branches),
            ("items", _) => move_into_branches(&mut entry.value),
            _ => {}
        }
    }
}

/// Adds a keyword to a branch; a description comes before the one of the branch.
fn add(branch: &mut Vec<Member<'static>>, entry: Member<'static>) {
    match branch.iter_mut().find(|own| own.key == entry.key) {
        None => branch.push(entry),
        Some(own) if own.key == "description" => {
            let parts = [&entry.value, &own.value].map(|part| part.as_str().unwrap_or_default());
            own.value = Json::from_node(Node::String(parts.join("\n").into()));
        }
        Some(_) => {}
    }
}

/// Rewrites a schema for `parameters`, where the keyword `nullable` stands for `null`, and a schema has either one type or only branches.
fn open_api_schema(members: Vec<Member<'static>>) -> Vec<Member<'static>> {
    let (mut is_nullable, mut types, mut branches) = (false, Vec::new(), Vec::new());
    let mut rest = Vec::new();
    for entry in members {
        match (&*entry.key, entry.value.node) {
            ("type", Node::Array(names)) => types = names,
            ("type", Node::String(name)) => types = vec![Json::from_node(Node::String(name))],
            ("anyOf", Node::Array(parts)) => branches = parts,
            (_, node) => rest.push(Member { value: Json { node, span: entry.value.span }, ..entry }),
        }
    }
    let is_null = |json: &Json<'static>| json.as_str() == Some("null");
    types.retain(|name| {
        is_nullable |= is_null(name);
        !is_null(name)
    });
    let count = branches.len();
    let is_only_null = |branch: &Json<'static>| {
        branch.get("nullable").is_some() && branch.get("type").is_none() && branch.get("anyOf").is_none()
    };
    branches.retain(|branch| !is_only_null(branch));
    is_nullable |= branches.len() < count;
    let alone = |name: Json<'static>| {
        let rest = rest_of(&rest, name.as_str().unwrap_or_default());
        object([member("type", name)].into_iter().chain(rest))
    };
    match (types.len(), branches.len()) {
        (0, 1) => {
            let Node::Object(only) = branches.swap_remove(0).node else { return rest };
            rest.retain(|own| own.key == "description");
            let others = only.into_iter().filter(|own| !rest.iter().any(|known| known.key == own.key));
            let others: Vec<_> = others.collect();
            rest = others.into_iter().chain(rest).collect();
        }
        (0, 2..) => rest.insert(0, member("anyOf", Json::from_node(Node::Array(branches)))),
        (1, _) => rest.insert(0, member("type", types.swap_remove(0))),
        (2.., _) => {
            let parts = types.into_iter().map(alone).collect();
            rest.retain(|own| own.key == "description");
            rest.insert(0, member("anyOf", Json::from_node(Node::Array(parts))));
        }
        (0, 0) => {}
    }
    if is_nullable && !rest.iter().any(|own| own.key == "nullable") {
        rest.push(member("nullable", boolean(true)));
    }
    rest
}

/// From a schema with several types, returns the keywords that apply to one of them.
fn rest_of(members: &[Member<'static>], json_type: &str) -> Vec<Member<'static>> {
    let is_about = |key: &str| match key {
        "enum" | "format" | "minLength" | "maxLength" | "pattern" => json_type == "string",
        "minItems" | "maxItems" | "items" => json_type == "array",
        "properties" | "required" | "minProperties" | "maxProperties" => json_type == "object",
        "minimum" | "maximum" => matches!(json_type, "integer" | "number"),
        _ => false,
    };
    members.iter().filter(|member| is_about(&member.key)).cloned().collect()
}
