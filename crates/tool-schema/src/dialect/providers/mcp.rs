//! The Model Context Protocol: any JSON Schema 2020-12 of an object.

use super::envelope::{member, named, object};
use crate::dialect::rules::{Budget, Form, Names, Parts, Rules};
use crate::json::Json;

pub(super) static PLAIN: Rules = Rules {
    name: "mcp",
    wrap: tool,
    names: Names { most: 128, others: b"_.-", starts_with_letter: false },
    plain: &Form::AS_WRITTEN,
    strict: None,
    budget: Budget::UNLIMITED,
};

fn tool(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    members.push(member("inputSchema", parts.input));
    members.extend(parts.declaration.result_schema().map(|output| member("outputSchema", output)));
    members.extend(parts.declaration.hints.to_json().map(|hints| member("annotations", hints)));
    object(members)
}
