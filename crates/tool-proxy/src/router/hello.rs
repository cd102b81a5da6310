//! The answers of several servers to `initialize` or `server/discover` as one answer: [`Hello`], [`initialized`], [`discovered`].

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::frame::{Frame, object};

/// The handshake of the client until revision 2025-11-25.
pub(super) struct Hello {
    /// The parameters of `initialize` as JSON text.
    pub(super) params: String,
    /// The revision that the client has requested.
    requested: String,
    /// The oldest revision that a server has answered with, once the client has got it.
    pub(super) agreed: Option<String>,
    /// The client's notification after the answer.
    pub(super) initialized: Option<Frame>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Versioned {
    protocol_version: String,
}

/// The answer of one server.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answered {
    #[serde(default)]
    protocol_version: String,
    #[serde(default)]
    supported_versions: Vec<String>,
    #[serde(default)]
    pub(super) capabilities: Map<String, Value>,
    #[serde(default)]
    instructions: Option<String>,
    #[serde(default)]
    ttl_ms: u64,
    #[serde(default)]
    cache_scope: String,
}

/// A server with its answer.
pub(super) struct Greeting<'g> {
    pub(super) name: &'g str,
    pub(super) prefix: &'g str,
    pub(super) answered: &'g Answered,
}

impl Hello {
    pub(super) fn new(params: &str) -> Self {
        let requested = object::<Versioned>(params).unwrap_or_default().protocol_version;
        Self { params: params.to_owned(), requested, agreed: None, initialized: None }
    }

    /// Returns the reason why a server cannot be used with its answer. Until 2025-11-25, each revision only adds to the one before, so a server
    /// may speak a newer revision than the client.
    pub(super) fn refusal(&self, answered: &Answered) -> Option<String> {
        let version = &answered.protocol_version;
        if version.is_empty() || *version > self.requested {
            return Some(format!("it speaks revision \"{version}\", and the client asked for \"{}\"", self.requested));
        }
        let agreed = self.agreed.as_ref().filter(|agreed| version < *agreed)?;
        Some(format!("it speaks revision \"{version}\", and the client already uses \"{agreed}\""))
    }
}

/// Returns the result of `initialize` for the client, and its revision: the oldest that a server has answered with. If a server is missing, it
/// may still have tools.
pub(super) fn initialized(greetings: &[Greeting<'_>], is_complete: bool) -> (String, String) {
    let versions = greetings.iter().map(|greeting| &greeting.answered.protocol_version);
    let version = versions.min().cloned().unwrap_or_default();
    let mut capabilities = union(greetings.iter().map(|greeting| &greeting.answered.capabilities));
    if !is_complete {
        capabilities.entry("tools").or_insert_with(|| json!({}));
    }
    // The proxy itself reports a change if a server ends or returns.
    for kind in ["tools", "prompts", "resources"] {
        if let Some(Value::Object(kind)) = capabilities.get_mut(kind) {
            kind.insert("listChanged".to_owned(), true.into());
        }
    }
    let mut result = json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": info(greetings)});
    if let Some(instructions) = instructions(greetings) {
        result["instructions"] = instructions.into();
    }
    (result.to_string(), version)
}

/// Returns the result of `server/discover` for the client, with the revisions that all servers support.
pub(super) fn discovered(greetings: &[Greeting<'_>], is_complete: bool) -> String {
    let mut all = greetings.iter().map(|greeting| greeting.answered);
    let first = all.next().map_or(&[][..], |answered| &answered.supported_versions);
    let versions: Vec<&String> =
        first.iter().filter(|version| all.clone().all(|other| other.supported_versions.contains(version))).collect();
    let mut capabilities = union(greetings.iter().map(|greeting| &greeting.answered.capabilities));
    if !is_complete {
        capabilities.entry("tools").or_insert_with(|| json!({}));
    }
    let ttl = greetings.iter().map(|greeting| greeting.answered.ttl_ms).min().filter(|_| is_complete).unwrap_or(0);
    let is_public = greetings.iter().all(|greeting| greeting.answered.cache_scope == "public");
    let mut result = json!({
        "resultType": "complete",
        "supportedVersions": versions,
        "capabilities": capabilities,
        "ttlMs": ttl,
        "cacheScope": if is_public { "public" } else { "private" },
        "_meta": {"io.modelcontextprotocol/serverInfo": info(greetings)},
    });
    if let Some(instructions) = instructions(greetings) {
        result["instructions"] = instructions.into();
    }
    result.to_string()
}

fn info(greetings: &[Greeting<'_>]) -> Value {
    let names: Vec<&str> = greetings.iter().map(|greeting| greeting.name).collect();
    json!({"name": "toolbox-proxy", "title": names.join(", "), "version": env!("CARGO_PKG_VERSION")})
}

/// Returns the instructions of all servers. They name tools without the prefixes, so each part says which prefix these have.
fn instructions(greetings: &[Greeting<'_>]) -> Option<String> {
    let parts = greetings.iter().filter_map(|Greeting { name, prefix, answered }| {
        let text = answered.instructions.as_ref().filter(|text| !text.is_empty())?;
        Some(match *prefix {
            "" => format!("Server {name}:\n{text}"),
            prefix => format!("Server {name} (its tools and prompts have the prefix {prefix}):\n{text}"),
        })
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Returns the capabilities that at least one server has.
fn union<'c>(all: impl Iterator<Item = &'c Map<String, Value>>) -> Map<String, Value> {
    let mut union = Map::new();
    all.for_each(|capabilities| add(&mut union, capabilities));
    union
}

/// Adds members to an object. The depth of both is bounded by the parser.
// Recursion of a function with itself, into a nested object.
fn add(to: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (key, value) in from {
        match (to.get_mut(key), value) {
            (Some(Value::Object(to)), Value::Object(from)) => add(to, from),
            (Some(Value::Bool(to)), Value::Bool(from)) => *to |= from,
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

    #[test]
    fn a_server_must_speak_a_revision_between_the_agreed_and_the_requested_one() {
        let mut hello = Hello::new(r#"{"protocolVersion":"2025-06-18"}"#);
        let refused = |hello: &Hello, version| hello.refusal(&answered(version, json!({}))).is_some();
        assert!(refused(&hello, "2025-11-25") && refused(&hello, "") && !refused(&hello, "2024-11-05"));
        hello.agreed = Some("2025-03-26".to_owned());
        assert!(refused(&hello, "2024-11-05") && !refused(&hello, "2025-03-26") && !refused(&hello, "2025-06-18"));
    }
}
