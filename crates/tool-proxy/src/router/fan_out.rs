//! A request of the client that several servers answer, [`FanOut`], and the answers to `initialize` or `server/discover` as one answer:
//! [`initialized`], [`discovered`].

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::frame::Frame;
use crate::members::CHANGING_LISTS;
use crate::router::owners::Listing;
use crate::router::pages::Pages;

/// A request whose answer is made from the answers of several servers.
pub(super) struct FanOut {
    pub(super) kind: Kind,
    /// The client's request. Restarted servers get a subscription too.
    pub(super) frame: Frame,
    /// The answer of each server.
    pub(super) shares: Vec<Share>,
    /// The time at which the answers must be there.
    pub(super) deadline: Option<Instant>,
}

/// The kind of a request that several servers answer.
pub(super) enum Kind {
    List(Listing),
    Initialize,
    Discover,
    /// A request that has no content in its result.
    All,
    /// A subscription of protocol version 2026-07-28, which stays open.
    Listen {
        /// The accepted notifications; `None` once the client knows them.
        accepted: Option<Map<String, Value>>,
        /// The servers that have accepted.
        acknowledged: Vec<usize>,
    },
}

/// The answer of one server.
pub(super) enum Share {
    /// The server was not asked, because it is not running or cannot answer.
    Absent,
    /// The server has a request with this id.
    Waiting(RequestId, Box<Pages>),
    Pages(Box<Pages>),
    Greeting(Box<Answered>),
    /// The result or error as JSON text.
    Result(String),
    Error(String),
    /// The server has ended, or has not answered in time.
    Missing,
}

impl FanOut {
    /// Returns `true` if no server was asked.
    pub(super) fn is_absent(&self) -> bool {
        self.shares.iter().all(|share| matches!(share, Share::Absent))
    }

    /// Returns the bytes that are kept for the request.
    pub(super) fn bytes(&self) -> usize {
        let shares = self.shares.iter().map(|share| match share {
            Share::Waiting(_, pages) | Share::Pages(pages) => pages.bytes,
            Share::Result(text) | Share::Error(text) => text.len(),
            Share::Absent | Share::Greeting(_) | Share::Missing => 0,
        });
        self.frame.line().len() + shares.sum::<usize>()
    }
}

/// The answer of one server.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Answered {
    pub(super) protocol_version: String,
    supported_versions: Vec<String>,
    pub(super) capabilities: Map<String, Value>,
    instructions: Option<String>,
    ttl_ms: u64,
    cache_scope: String,
}

/// A server with its answer.
pub(super) struct Greeting<'g> {
    pub(super) name: &'g str,
    pub(super) prefix: &'g str,
    pub(super) answered: &'g Answered,
}

/// Returns the result of `initialize` for the client, and its revision: the oldest that a server has answered with. If a server is missing, it
/// may still have tools.
pub(super) fn initialized(greetings: &[Greeting<'_>], is_complete: bool) -> (String, String) {
    let versions = greetings.iter().map(|greeting| &greeting.answered.protocol_version);
    let version = versions.min().cloned().unwrap_or_default();
    let mut capabilities = capabilities(greetings, is_complete);
    // The proxy itself reports a change if a server ends or returns.
    for kind in CHANGING_LISTS {
        if let Some(Value::Object(kind)) = capabilities.get_mut(kind) {
            kind.insert("listChanged".to_owned(), true.into());
        }
    }
    let result = json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": info(greetings)});
    (with_instructions(result, greetings), version)
}

/// Returns the result of `server/discover` for the client, with the revisions that all servers support.
pub(super) fn discovered(greetings: &[Greeting<'_>], is_complete: bool) -> String {
    let mut all = greetings.iter().map(|greeting| greeting.answered);
    let first = all.next().map_or(&[][..], |answered| &answered.supported_versions);
    let versions: Vec<&String> =
        first.iter().filter(|version| all.clone().all(|other| other.supported_versions.contains(version))).collect();
    let ttl = greetings.iter().map(|greeting| greeting.answered.ttl_ms).min().filter(|_| is_complete).unwrap_or(0);
    let is_public = greetings.iter().all(|greeting| greeting.answered.cache_scope == "public");
    let result = json!({
        "resultType": "complete",
        "supportedVersions": versions,
        "capabilities": capabilities(greetings, is_complete),
        "ttlMs": ttl,
        "cacheScope": if is_public { "public" } else { "private" },
        "_meta": {"io.modelcontextprotocol/serverInfo": info(greetings)},
    });
    with_instructions(result, greetings)
}

fn info(greetings: &[Greeting<'_>]) -> Value {
    let names: Vec<&str> = greetings.iter().map(|greeting| greeting.name).collect();
    json!({"name": "toolbox-proxy", "title": names.join(", "), "version": env!("CARGO_PKG_VERSION")})
}

/// Returns a result with the instructions of all servers. They name tools without the prefixes, so each part says which prefix these have.
fn with_instructions(mut result: Value, greetings: &[Greeting<'_>]) -> String {
    let parts = greetings.iter().filter_map(|Greeting { name, prefix, answered }| {
        let text = answered.instructions.as_ref().filter(|text| !text.is_empty())?;
        Some(match *prefix {
            "" => format!("Server {name}:\n{text}"),
            prefix => format!("Server {name} (its tools and prompts have the prefix {prefix}):\n{text}"),
        })
    });
    let parts: Vec<String> = parts.collect();
    if !parts.is_empty() {
        result["instructions"] = parts.join("\n\n").into();
    }
    result.to_string()
}

/// Returns the capabilities that at least one server has. A server that is missing may have tools.
fn capabilities(greetings: &[Greeting<'_>], is_complete: bool) -> Map<String, Value> {
    let mut all = Map::new();
    for greeting in greetings {
        add(&mut all, &greeting.answered.capabilities);
    }
    if !is_complete {
        all.entry("tools").or_insert_with(|| json!({}));
    }
    all
}

/// Adds members to an object. The depth of both is bounded by the parser.
// Recursion of a function with itself, into a nested object.
pub(super) fn add(to: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (key, value) in from {
        match (to.get_mut(key), value) {
            (Some(Value::Object(to)), Value::Object(from)) => add(to, from),
            (Some(Value::Bool(to)), Value::Bool(from)) => *to |= from,
            (Some(Value::Array(to)), Value::Array(from)) => {
                for value in from {
                    if !to.contains(value) {
                        to.push(value.clone());
                    }
                }
            }
            (Some(_), _) => {}
            (None, value) => drop(to.insert(key.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(version: &str, capabilities: Value) -> Answered {
        let answer = json!({"protocolVersion": version, "capabilities": capabilities, "instructions": "Use it."});
        serde_json::from_value(answer).unwrap()
    }

    #[test]
    fn the_oldest_revision_and_all_capabilities_hold() {
        let a = answered("2025-11-25", json!({"tools": {}, "resources": {"subscribe": false}}));
        let b = answered("2025-06-18", json!({"resources": {"subscribe": true}, "prompts": {}}));
        let greetings = [
            Greeting { name: "files", prefix: "files_", answered: &a },
            Greeting { name: "time", prefix: "", answered: &b },
        ];
        let (result, version) = initialized(&greetings, true);
        assert_eq!(version, "2025-06-18");
        assert_eq!(
            serde_json::from_str::<Value>(&result).unwrap(),
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {
                    "tools": {"listChanged": true},
                    "resources": {"subscribe": true, "listChanged": true},
                    "prompts": {"listChanged": true},
                },
                "serverInfo": {"name": "toolbox-proxy", "title": "files, time", "version": env!("CARGO_PKG_VERSION")},
                "instructions": "Server files (its tools and prompts have the prefix files_):\nUse it.\n\nServer time:\nUse it.",
            })
        );
    }
}
