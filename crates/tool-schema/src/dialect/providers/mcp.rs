//! The Model Context Protocol: any JSON Schema 2020-12 that describes an object.
//!
//! A client has to drop a tool with an invalid `x-mcp-header`, so an invalid header is removed from the schema. The keyword is valid on a
//! string, an integer or a boolean that is reached through `properties` alone, and only one property may name a given header.

use std::collections::HashSet;

use super::envelope::{CHAT, named};
use crate::dialect::definition::Definition;
use crate::dialect::rules::{Names, Parts, Rules};
use crate::json::build::{member, object, string};
use crate::json::{Json, Node};

pub(super) static PLAIN: Rules = Rules {
    name: "mcp",
    wrap: tool,
    names: Names { least: 1, most: 128, others: b"_.-", starts_with_letter: false },
    ..CHAT
};

fn tool(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    let mut input = parts.input;
    check_headers(&mut input, true, &mut HashSet::new());
    members.push(member("inputSchema", input));
    members.extend(parts.declaration.result_schema().map(|output| member("outputSchema", output)));
    members.extend(parts.declaration.hints.to_json().map(|hints| member("annotations", hints)));
    object(members)
}

/// Adds members to a definition. For each pair in `headers`, adds the name of an HTTP header (`x-mcp-header`) to a parameter. A parameter
/// that is not visible, or that accepts several JSON types, gets no header, because clients drop a tool with such a header.
pub(crate) fn extended<'h>(
    mut definition: Definition,
    members: impl IntoIterator<Item = (&'static str, Json<'static>)>,
    headers: impl IntoIterator<Item = (&'h str, &'h str)>,
) -> Definition {
    definition.edit(|json| {
        let Node::Object(own) = &mut json.node else { return };
        own.extend(members.into_iter().map(|(key, value)| member(key, value)));
        let Some(properties) = member_mut(json, "inputSchema").and_then(|schema| member_mut(schema, "properties"))
        else {
            return;
        };
        for (parameter, header) in headers {
            if let Some(property) = member_mut(properties, parameter) {
                add_header(property, header);
            }
        }
    });
    definition
}

fn member_mut<'j>(json: &'j mut Json<'static>, key: &str) -> Option<&'j mut Json<'static>> {
    let Node::Object(members) = &mut json.node else { return None };
    members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
}

/// Adds `x-mcp-header` to a parameter. The schema of an optional parameter loses `null`, because the header requires a single type; the
/// argument can still be left out.
fn add_header(property: &mut Json<'static>, header: &str) {
    for keyword in ["type", "enum"] {
        if let Some(Json { node: Node::Array(items), .. }) = member_mut(property, keyword) {
            items.retain(|item| {
                !matches!(item.node, Node::Null) && (keyword == "enum" || item.as_str() != Some("null"))
            });
        }
    }
    if let Some(types) = member_mut(property, "type")
        && let Node::Array(names) = &mut types.node
        && let [_] = &names[..]
        && let Some(only) = names.pop()
    {
        *types = only;
    }
    let is_single = property.get("type").is_some_and(|types| types.as_str().is_some());
    if let Node::Object(keywords) = &mut property.node
        && is_single
    {
        keywords.push(member(HEADER, string(header.to_owned())));
    }
}

const HEADER: &str = "x-mcp-header";

/// Removes invalid headers. The recursion is bounded, because the nesting of `Json` is.
fn check_headers(schema: &mut Json<'static>, is_reached: bool, names: &mut HashSet<String>) {
    let members = match &mut schema.node {
        Node::Object(members) => members,
        Node::Array(parts) => return parts.iter_mut().for_each(|part| check_headers(part, false, names)),
        _ => return,
    };
    for entry in members {
        match (&*entry.key, &mut entry.value.node) {
            // The values of these keywords are data, not schemas.
            ("const" | "enum" | "default" | "examples", _) => {}
            ("properties", Node::Object(properties)) => {
                for property in properties {
                    let is_valid = is_reached && names_header(&property.value, names);
                    if let Node::Object(keywords) = &mut property.value.node {
                        keywords.retain(|keyword| keyword.key != HEADER || is_valid);
                    }
                    check_headers(&mut property.value, is_reached, names);
                }
            }
            _ => check_headers(&mut entry.value, false, names),
        }
    }
}

/// Returns `true` if a property may name its header, and records the header as taken.
fn names_header(property: &Json<'static>, names: &mut HashSet<String>) -> bool {
    let json_type = property.get("type").and_then(Json::as_str);
    let is_plain = json_type.is_some_and(|name| matches!(name, "string" | "integer" | "boolean"));
    let is_token = |name: &&str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let name = property.get(HEADER).and_then(Json::as_str).filter(is_token);
    name.is_some_and(|name| is_plain && names.insert(name.to_ascii_lowercase()))
}
