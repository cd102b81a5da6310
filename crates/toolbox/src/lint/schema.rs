//! The checks of a single schema. They find rules that can never hold or have no effect, unknown keywords, and constructs that providers
//! reject.
//!
//! Each finding contains the JSON Pointer (RFC 6901) of its location. Each subschema is visited once, and references are not followed.

use crate::private::bounded;
use crate::private::json::{Json, JsonType, Node, as_number};
use crate::private::suggest::nearest;
use tool_runtime::tool_schema::issue::Path;

use super::finding::Finding;
use super::keywords::{KNOWN, NAMED_SCHEMAS, SCHEMA, SCHEMAS, judges};

/// Pairs of bounds; the first must not be greater than the second.
const BOUNDS: [(&str, &str); 5] = [
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
];

/// Pairs of bounds; the first must be less than the second.
const OPEN_BOUNDS: [(&str, &str); 3] =
    [("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "exclusiveMaximum")];

/// Keywords whose schemas apply to the same value as the surrounding schema.
const PARTS: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// The maximum length of a property name for Anthropic.
const LONGEST_KEY: usize = 64;

pub(super) fn inspect(schema: &Json<'_>, findings: &mut Vec<Finding>) {
    root(schema, findings);
    below(schema, &Path::root(), false, findings);
}

/// Checks the requirements of providers for the root schema.
fn root(schema: &Json<'_>, findings: &mut Vec<Finding>) {
    if !matches!(types(schema)[..], [] | [JsonType::Object]) {
        findings.push(Finding::error(
            "root",
            "/type",
            "the arguments of a tool must be an object: write `\"type\": \"object\"`",
        ));
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if schema.get(keyword).is_some() {
            let message = format!("OpenAI and Anthropic reject {keyword} at the root; put it into a property");
            findings.push(Finding::warning("root", &format!("/{keyword}"), message));
        }
    }
}

/// Checks a schema and its subschemas. `is_part` is `true` if the schema applies to the same value as the surrounding schema, which may
/// then list the keys. The recursion is bounded, because the nesting of `Json` is.
fn below(schema: &Json<'_>, at: &Path, is_part: bool, findings: &mut Vec<Finding>) {
    if !matches!(schema.node, Node::Object(_)) {
        return;
    }
    let pointer = at.pointer();
    words(schema, &pointer, findings);
    rules(schema, &pointer, findings);
    properties(schema, &pointer, is_part, findings);
    for member in schema.members() {
        let place = at.clone().key(&*member.key);
        let is_part = PARTS.contains(&&*member.key);
        if SCHEMA.contains(&&*member.key) {
            below(&member.value, &place, is_part, findings);
        }
        if SCHEMAS.contains(&&*member.key) {
            for (index, branch) in member.value.items().iter().enumerate() {
                below(branch, &place.clone().index(index), is_part, findings);
            }
        }
        if NAMED_SCHEMAS.contains(&&*member.key) {
            for named in member.value.members() {
                below(&named.value, &place.clone().key(&*named.key), is_part, findings);
            }
        }
    }
}

/// Finds unknown keywords that are similar to a known keyword.
fn words(schema: &Json<'_>, pointer: &str, findings: &mut Vec<Finding>) {
    for member in schema.members() {
        let key = &*member.key;
        if KNOWN.contains(&key) || key.starts_with("x-") {
            continue;
        }
        if let Some(meant) = nearest(key, KNOWN.iter().copied()) {
            let message = format!("no validator knows `{key}`; did you mean `{meant}`?");
            findings.push(Finding::warning("unknown_keyword", pointer, message));
        }
    }
}

/// Finds rules that do not apply to the stated types, or that no value can satisfy.
fn rules(schema: &Json<'_>, pointer: &str, findings: &mut Vec<Finding>) {
    let types = types(schema);
    for member in schema.members() {
        let Some(judged) = judges(&member.key) else { continue };
        let applies = types.is_empty() || types.iter().any(|t| judged.contains(t));
        if !applies {
            let names: Vec<_> = types.iter().map(|t| t.name()).collect();
            let message = format!("{} has no effect on a value of type {}", member.key, names.join(" or "));
            findings.push(Finding::warning("dead_rule", pointer, message));
        }
    }
    let closed = BOUNDS.map(|pair| (pair, "above"));
    let open = OPEN_BOUNDS.map(|pair| (pair, "not below"));
    for ((low, high), is) in closed.into_iter().chain(open) {
        let bound = |key| Some(as_number(schema.get(key)?)?.value());
        if let (Some(least), Some(most)) = (bound(low), bound(high))
            && (least.compare(most).is_gt() || is != "above" && least.compare(most).is_eq())
        {
            let message = format!("{low} {least} is {is} {high} {most}: no value fits");
            findings.push(Finding::error("impossible", pointer, message));
        }
    }
    if let Some(value) = schema.get("const")
        && !types.is_empty()
        && !fits(value, &types)
    {
        let message = format!("the const {} does not have the stated type: no value fits", bounded::json(value, 64));
        findings.push(Finding::error("impossible", pointer, message));
    }
    let Some(values) = schema.get("enum") else { return };
    if values.items().is_empty() {
        findings.push(Finding::error("impossible", pointer, "an empty enum: no value fits"));
    } else if !types.is_empty() && !values.items().iter().any(|value| fits(value, &types)) {
        let names: Vec<_> = types.iter().map(|t| t.name()).collect();
        let message = format!("no value of the enum is of type {}", names.join(" or "));
        findings.push(Finding::error("impossible", pointer, message));
    }
    if let Some(default) = schema.get("default")
        && !values.items().iter().any(|value| value.same_value(default))
    {
        let message = format!("the default {} is not in the enum", bounded::json(default, 64));
        findings.push(Finding::warning("default", pointer, message));
    }
}

/// Checks the properties of an object.
fn properties(schema: &Json<'_>, pointer: &str, is_part: bool, findings: &mut Vec<Finding>) {
    let declared = schema.get("properties");
    for member in declared.map(Json::members).unwrap_or_default() {
        let place = format!("{pointer}/properties");
        let taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if member.key.is_empty() || member.key.len() > LONGEST_KEY || !member.key.chars().all(taken) {
            let message = format!(
                "Anthropic rejects the key {:?}: a key must have 1 to 64 letters, digits, `_`, `.` and `-`",
                member.key
            );
            findings.push(Finding::warning("key", &place, message));
        }
        let described = ["description", "$ref", "const"].iter().any(|key| member.value.get(key).is_some());
        // Pydantic gives every property a title that repeats its key: `Max Count` for `max_count`.
        let letters = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
        let title = member.value.get("title").and_then(Json::as_str);
        let described = described || title.is_some_and(|title| letters(title) != letters(&member.key));
        if matches!(member.value.node, Node::Object(_)) && !described {
            let message = format!("{} has no description", member.key);
            findings.push(Finding::warning("description", &place, message));
        }
    }
    // A branch or a pattern may declare the key.
    let elsewhere = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if", "dependentSchemas"];
    if is_part || elsewhere.iter().any(|key| schema.get(key).is_some()) {
        return;
    }
    for key in schema.get("required").map(Json::items).unwrap_or_default() {
        let Some(key) = key.as_str() else { continue };
        if declared.is_none_or(|declared| declared.get(key).is_none()) {
            let closed = schema.get("additionalProperties").and_then(Json::as_bool) == Some(false);
            let message = format!("{key} is required, but `properties` does not list it");
            findings.push(if closed {
                Finding::error("impossible", pointer, message + ", and other keys are rejected")
            } else {
                Finding::warning("undeclared", pointer, message)
            });
        }
    }
}

/// Returns `true` if a value has one of these types. `5.0` counts as an integer.
fn fits(value: &Json<'_>, types: &[JsonType]) -> bool {
    let is = |json_type| types.contains(&json_type);
    match value.json_type() {
        JsonType::Integer | JsonType::Number => is(JsonType::Integer) || is(JsonType::Number),
        other => is(other),
    }
}

/// Returns the types that a schema names. The upper case of older Gemini SDKs is accepted.
fn types(schema: &Json<'_>) -> Vec<JsonType> {
    let Some(stated) = schema.get("type") else { return Vec::new() };
    let one = |value: &Json<'_>| {
        let word = value.as_str()?.to_ascii_lowercase();
        ALL.into_iter().find(|t| t.name() == word)
    };
    match &stated.node {
        Node::Array(several) => several.iter().filter_map(one).collect(),
        _ => one(stated).into_iter().collect(),
    }
}

const ALL: [JsonType; 7] = [
    JsonType::Null,
    JsonType::Boolean,
    JsonType::Integer,
    JsonType::Number,
    JsonType::String,
    JsonType::Array,
    JsonType::Object,
];
