//! The Model Context Protocol: any JSON Schema 2020-12 that describes an object.
//!
//! A client has to drop a tool with an invalid `x-mcp-header`, so an invalid header is removed from the schema. The keyword is valid on a
//! string, an integer or a boolean that is reached through `properties` alone, and only one property may name a given header.

use std::collections::HashSet;

use super::envelope::{member, named, object};
use crate::dialect::rules::{Budget, Form, Names, Parts, Rules};
use crate::json::{Json, Node};

pub(super) static PLAIN: Rules = Rules {
    name: "mcp",
    wrap: tool,
    names: Names { least: 1, most: 128, others: b"_.-", starts_with_letter: false },
    tools: None,
    plain: &Form::AS_WRITTEN,
    strict: None,
    budget: Budget::UNLIMITED,
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
