//! The normalisation of schemas to standard JSON Schema.
//!
//! These spellings are replaced: `"type": "STRING"` (older Gemini SDKs), `"nullable": true` next to a `type` (`OpenAPI` 3.0.3, "Schema
//! Object"), a reference or a combination, and, if `$schema` is missing, the boolean `exclusiveMinimum` of draft-04.
//!
//! Invariants: the order of keys is kept. If a key is repeated, only the last member is kept, as in `serde_json`. Standard JSON Schema is
//! not changed.

use std::borrow::Cow;
use std::collections::HashSet;

use tool_runtime::tool_schema::json::{Json, Member, Node};

use crate::private::decode::keep_last;
use crate::private::json::build::{list, member, object, string};
use crate::private::json::pointer::tokens;
use crate::private::schema::keywords::{AppliesTo, each_subschema_mut};

const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "null"];

/// Normalises the whole document.
pub(super) fn normalise(root: &mut Json<'static>) {
    keep_last(root);
    let has_dialect = root.get("$schema").is_some();
    let mut references = Vec::new();
    schema(root, has_dialect, &mut references);
    // The target of a reference may be at a location that is not under a schema keyword, so the traversal does not find it.
    let mut seen = HashSet::new();
    while let Some(reference) = references.pop() {
        if !seen.insert(reference.clone()) || is_walked(&reference) {
            continue;
        }
        if let Some(target) = at_mut(root, &reference) {
            schema(target, has_dialect, &mut references);
        }
    }
}

/// Returns `true` if the traversal from the root visits this location.
fn is_walked(pointer: &str) -> bool {
    let mut tokens = tokens(pointer);
    matches!(
        (tokens.next().as_deref(), tokens.next(), tokens.next()),
        (None, ..) | (Some("$defs" | "definitions" | "properties"), Some(_), None)
    )
}

fn at_mut<'s>(root: &'s mut Json<'static>, pointer: &str) -> Option<&'s mut Json<'static>> {
    tokens(pointer).try_fold(root, |json, token| match &mut json.node {
        Node::Object(members) => members.iter_mut().find(|member| member.key == token).map(|member| &mut member.value),
        Node::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
        _ => None,
    })
}

fn schema(json: &mut Json<'static>, has_dialect: bool, references: &mut Vec<String>) {
    if let Some(pointer) = json.get("$ref").and_then(Json::as_str).and_then(|reference| reference.strip_prefix('#')) {
        references.push(pointer.to_owned());
    }
    each_subschema_mut(json, &mut |_: AppliesTo, _, inner| schema(inner, has_dialect, references));
    let Node::Object(members) = &mut json.node else { return };
    for member in members.iter_mut().filter(|member| member.key == "type") {
        match &mut member.value.node {
            Node::String(name) => lower(name),
            Node::Array(names) => {
                for name in names {
                    if let Node::String(name) = &mut name.node {
                        lower(name);
                    }
                }
            }
            _ => {}
        }
    }
    nullable(members);
    if !has_dialect {
        exclusive(members, "minimum", "exclusiveMinimum");
        exclusive(members, "maximum", "exclusiveMaximum");
    }
}

fn lower(name: &mut Cow<'static, str>) {
    if let Some(known) = TYPES.iter().find(|known| known.to_ascii_uppercase() == **name) {
        *name = Cow::Borrowed(known);
    }
}

/// Allows `null` next to `"nullable": true`: adds it to the `type` and to the branches of `anyOf`, and puts any other combination into a
/// branch of its own beside `null`. `nullable` alone has no effect, and it never adds `null` to an `enum`.
///
/// `OpenAPI` 3.0.3 gives `nullable` an effect only beside `type`, but authors write it beside references and combinations too.
fn nullable(members: &mut Vec<Member<'static>>) {
    let is_nullable = |member: &Member<'_>| member.key == "nullable" && member.value.as_bool() == Some(true);
    let position = |members: &[Member<'_>], keyword: &str| members.iter().position(|member| member.key == keyword);
    let Some(at) = members.iter().position(is_nullable) else { return };
    let name = || string("null");
    let null = || object([member("type", name())]);
    let mut has_effect = false;
    if let Some(of) = position(members, "type") {
        has_effect = true;
        let types = &mut members[of].value;
        match &mut types.node {
            Node::String(known) if known != "null" => {
                *types = list([string(known.clone()), name()]);
            }
            Node::Array(names) if !names.contains(&name()) => names.push(name()),
            _ => {}
        }
    }
    if let Some(of) = position(members, "anyOf") {
        if let Node::Array(branches) = &mut members[of].value.node {
            has_effect = true;
            branches.push(null());
        }
    } else if let Some(of) = ["oneOf", "allOf", "$ref"].iter().find_map(|keyword| position(members, keyword)) {
        has_effect = true;
        let whole = std::mem::replace(&mut members[of], member("anyOf", null()));
        members[of].value = list([object([whole]), null()]);
    }
    if has_effect {
        members.remove(at);
    }
}

/// Converts `"minimum": 5, "exclusiveMinimum": true` to `"exclusiveMinimum": 5`.
fn exclusive(members: &mut Vec<Member<'static>>, inclusive: &str, exclusive: &'static str) {
    let Some(at) = members.iter().position(|member| member.key == exclusive) else { return };
    let Some(is_exclusive) = members[at].value.as_bool() else { return };
    members.remove(at);
    if is_exclusive && let Some(bound) = members.iter_mut().find(|member| member.key == inclusive) {
        bound.key = Cow::Borrowed(exclusive);
    }
}
