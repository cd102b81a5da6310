//! The members by which the handshakes, requests and results of protocol version 2026-07-28 differ from those of earlier protocol versions.

use rmcp::model::RequestId;

use crate::frame::{Answer, Frame, Message, Splice, json_id};
use crate::members::{CAPABILITIES, CLIENT, Members, SERVER, VERSION, member, parsed, pick, with_name};
use crate::own_messages::json_object;
use crate::private::bounded;
use crate::translate::output::{LEGACY, MODERN, UNNAMED, members};

/// Returns the parameters of `server/discover` for a client that has sent `initialize`, which are also the members of `_meta` of each request.
pub(super) fn info(initialize: &str) -> String {
    let hello = members(initialize);
    json_object(|meta| {
        meta.string(VERSION, MODERN);
        if let Some(client) = hello.get("clientInfo") {
            meta.escaped_json_text(CLIENT, client);
        }
        meta.escaped_json_text(CAPABILITIES, &without(hello.get("capabilities"), &["tasks"]));
    })
}

/// Returns capabilities without some of them.
pub(super) fn without(capabilities: Option<&str>, names: &[&str]) -> String {
    let mut capabilities = members(capabilities.unwrap_or_default());
    capabilities.retain(|name| !names.contains(&name));
    capabilities.to_text()
}

/// Returns the type of a result.
pub(super) fn result_type(result: &str) -> Option<String> {
    parsed(result, "resultType")
}

/// Returns a result as an earlier protocol version has it.
pub(super) fn compatible(result: &str) -> String {
    let mut result = members(result);
    result.remove("resultType");
    if result.get("structuredContent").is_some_and(|content| !content.starts_with('{')) {
        // The earlier protocol versions only have objects here; the same content is in the texts.
        result.remove("structuredContent");
    }
    let tools = result.get("tools").and_then(Members::list);
    if let Some(tools) = tools {
        let tools: Vec<String> = tools.into_iter().map(compatible_tool).collect();
        result.set("tools", format!("[{}]", tools.join(",")));
    }
    result.to_text()
}

/// Returns a definition without an output schema that is not that of an object.
fn compatible_tool(mut tool: Members<'_>) -> String {
    let is_object =
        tool.get("outputSchema").is_none_or(|schema| parsed::<String>(schema, "type").as_deref() == Some("object"));
    if !is_object {
        tool.remove("outputSchema");
    }
    tool.to_text()
}

/// The information of the server about itself.
pub(super) struct ServerInfo {
    pub(super) revision: String,
    pub(super) capabilities: String,
    /// The answer to `server/discover`.
    pub(super) discovered: String,
}

impl ServerInfo {
    /// Parses the answer to `initialize`.
    pub(super) fn of(result: &str) -> Self {
        let hello = members(result);
        let capabilities = without(hello.get("capabilities"), &["tasks"]);
        let discovered = json_object(|result| {
            result.string("resultType", "complete");
            result.escaped_json_text("supportedVersions", &format!(r#"["{MODERN}"]"#));
            result.escaped_json_text("capabilities", &capabilities);
            if let Some(instructions) = hello.get("instructions") {
                result.escaped_json_text("instructions", instructions);
            }
            result.escaped_json_text("ttlMs", "0");
            result.string("cacheScope", "private");
            if let Some(info) = hello.get("serverInfo") {
                result.object("_meta", |meta| meta.escaped_json_text(SERVER, info));
            }
        });
        let revision = hello.string("protocolVersion").unwrap_or_default();
        Self { revision: bounded::name(&revision).into_owned(), capabilities, discovered }
    }
}

/// Returns the parameters of `initialize` for a client whose first request has these parameters, and the capabilities of the client.
pub(super) fn initialize(first: &str) -> (String, String) {
    let meta = members(member(first, "_meta").unwrap_or_default());
    let capabilities = without(meta.get(CAPABILITIES), &["extensions", "tasks"]);
    let hello = json_object(|params| {
        params.string("protocolVersion", LEGACY);
        params.escaped_json_text("capabilities", &capabilities);
        params.escaped_json_text("clientInfo", meta.get(CLIENT).unwrap_or(UNNAMED));
    });
    (hello, capabilities)
}

/// Returns an answer of the server with the id of the client, and with the members that protocol version 2026-07-28 requires of a result.
pub(super) fn completed(client: &RequestId, is_cached: bool, frame: &Frame) -> Frame {
    let mut splices = Vec::with_capacity(3);
    splices.push(Splice { part: frame.id_text(), text: json_id(client).into() });
    if let Message::Response { answer: Answer::Result(result), .. } = frame.message() {
        let mut added = String::new();
        // A member of this name means something else in an earlier protocol version.
        match member(result, "resultType") {
            Some(part) => splices.push(Splice { part, text: r#""complete""#.into() }),
            None => added.push_str(r#","resultType":"complete""#),
        }
        if is_cached {
            let [ttl, scope] = pick(result, ["ttlMs", "cacheScope"]);
            added.push_str(ttl.map_or(r#","ttlMs":0"#, |_| ""));
            added.push_str(scope.map_or(r#","cacheScope":"private""#, |_| ""));
        }
        let inside = result.strip_suffix('}').filter(|inside| !inside[1..].trim_ascii().is_empty());
        splices.push(match inside {
            Some(inside) => Splice { part: &result[inside.len()..inside.len()], text: added.into() },
            None => Splice { part: result, text: format!("{{{}}}", added.trim_start_matches(',')).into() },
        });
    }
    frame.with(&splices)
}

/// Returns the replacement of the `_meta` of parameters, `part`; nothing if they have none. An empty one is removed.
pub(super) fn with_meta<'p>(params: &'p str, part: Option<&'p str>, meta: &Members<'_>) -> Option<Splice<'p>> {
    part.map(|part| match meta.iter().next() {
        None => Splice { part: with_name(params, part), text: "".into() },
        Some(_) => Splice { part, text: meta.to_text().into() },
    })
}
