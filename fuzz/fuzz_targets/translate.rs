//! Fuzz target: lines of a client and of a server of different revisions in any order, through a proxy that translates. There is no panic; every
//! line is JSON; a request gets at most one answer, with its own id; no request reaches the side whose revision has none, and no id is open twice.
//!
//! The first byte of the input selects the revision of the client. Then each line takes three bytes: its kind and side, its id and its content. A
//! line of any bytes takes its length and these bytes in addition.

#![no_main]

mod sides;

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tool_proxy::__private_0_1_0::{OutgoingLines, SansIoProxy};
use tool_proxy::{Proxy, VersionTranslation};

use self::sides::{Step, case};

const METHODS: [&str; 15] = [
    "tools/call",
    "prompts/get",
    "resources/read",
    "tools/list",
    "completion/complete",
    "subscriptions/listen",
    "server/discover",
    "ping",
    "tasks/get",
    "resources/subscribe",
    "resources/unsubscribe",
    "logging/setLevel",
    "initialize",
    "elicitation/create",
    "roots/list",
];
const NOTIFICATIONS: [&str; 8] = [
    "message",
    "progress",
    "cancelled",
    "tools/list_changed",
    "resources/updated",
    "subscriptions/acknowledged",
    "elicitation/complete",
    "initialized",
];
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

struct Sides {
    is_modern: bool,
    proxy: SansIoProxy,
    /// The number of requests of the client with each id that have no answer.
    open: HashMap<String, usize>,
    /// The ids of the requests that each side has received and not answered.
    to_server: Vec<Value>,
    to_client: Vec<Value>,
    /// The last state that the client has received.
    state: Value,
    /// `true` once a side has sent any bytes, so that less is known about the lines.
    is_wild: bool,
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "roots": {}},
    })
}

impl Sides {
    /// Exchanges the first messages, after which the proxy translates.
    fn begin(&mut self) {
        let capabilities = json!({"tools": {"listChanged": true}, "logging": {}, "resources": {"subscribe": true}});
        let (method, params, rejected) = if self.is_modern {
            ("server/discover", json!({"_meta": meta()}), -32601)
        } else {
            let capabilities = json!({"elicitation": {}, "roots": {}});
            ("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": capabilities}), -32022)
        };
        self.proxy.receive_from_client(json!({"id": 0, "method": method, "params": params}).to_string().as_bytes());
        let rejected = json!({"id": 0, "error": {"code": rejected, "message": ""}});
        let OutgoingLines { to_servers, .. } = self.proxy.receive_from_server(0, rejected.to_string().as_bytes());
        let asked: Value = serde_json::from_str(&to_servers[0].1).expect("a request");
        let result =
            json!({"protocolVersion": "2025-11-25", "supportedVersions": ["2026-07-28"], "capabilities": capabilities});
        self.proxy.receive_from_server(0, json!({"id": asked["id"], "result": result}).to_string().as_bytes());
    }

    /// Sends a line and checks what follows from it.
    fn send(&mut self, is_client: bool, line: Vec<u8>) {
        if is_client
            && let Ok(message) = serde_json::from_slice::<Value>(&line)
            && message["method"].is_string()
            && let Some(id) = message.get("id")
        {
            *self.open.entry(id.to_string()).or_default() += 1;
        }
        let OutgoingLines { to_client, to_servers } =
            if is_client { self.proxy.receive_from_client(&line) } else { self.proxy.receive_from_server(0, &line) };
        to_servers.iter().for_each(|(_, line)| self.received(line.as_bytes(), false));
        to_client.iter().for_each(|line| self.received(line.as_bytes(), true));
    }

    fn received(&mut self, line: &[u8], is_client: bool) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            panic!("not JSON: {}", String::from_utf8_lossy(line))
        };
        match (message["method"].is_string(), message.get("id")) {
            (true, Some(id)) => {
                let asked = if is_client { &mut self.to_client } else { &mut self.to_server };
                assert!(self.is_wild || !asked.contains(id), "an id twice: {message}");
                assert!(!(is_client && self.is_modern), "{message}");
                asked.push(id.clone());
            }
            (false, Some(id)) if is_client && !id.is_null() => {
                let open = self.open.entry(id.to_string()).or_default();
                assert!(self.is_wild || *open > 0, "a second answer: {message}");
                *open = open.saturating_sub(1);
                let has_type = message["result"].get("resultType").is_some();
                assert!(self.is_wild || message.get("result").is_none() || has_type == self.is_modern, "{message}");
                if message["result"]["requestState"].is_string() {
                    self.state = message["result"]["requestState"].clone();
                }
            }
            _ => {}
        }
    }

    fn message(&mut self, is_client: bool, (kind, id, content): (u8, u8, u8)) -> Value {
        let asked = if is_client { &mut self.to_client } else { &mut self.to_server };
        let uri = format!("a:{}", content % 3);
        match kind & 7 {
            0..=2 => {
                let meta = if is_client && self.is_modern { meta() } else { json!({"progressToken": id}) };
                let filter = json!({"toolsListChanged": true, "resourceSubscriptions": [uri]});
                let mut params =
                    json!({"name": "n", "uri": uri, "level": "info", "_meta": meta, "notifications": filter});
                if content & 0x80 != 0 && is_client {
                    params["requestState"] = self.state.clone();
                    params["inputResponses"] = json!({format!("question-{}", id % 5): {"action": "accept"}});
                }
                let method = METHODS[usize::from(content) % METHODS.len()];
                json!({"jsonrpc": "2.0", "id": id % 5, "method": method, "params": params})
            }
            3..=5 => {
                let position = usize::from(id) % asked.len().max(1);
                let id = if asked.is_empty() { json!(id) } else { asked.swap_remove(position) };
                match content % 5 {
                    0 => json!({"id": id, "error": {"code": -32000, "message": "No"}}),
                    1 => json!({"id": id, "result": {
                        "resultType": "input_required",
                        "inputRequests": {"a": {"method": "elicitation/create", "params": {"message": "?"}}},
                        "requestState": uri,
                    }}),
                    2 => json!({"id": id, "result": {"resultType": "input_required", "requestState": uri}}),
                    3 => json!({"id": id, "result": {"tools": [{"name": "n", "outputSchema": {"type": "array"}}]}}),
                    _ => json!({"id": id, "result": {"resultType": "complete", "content": []}}),
                }
            }
            _ => {
                let meta = if content & 0x40 == 0 { json!({}) } else { json!({SUBSCRIPTION: id}) };
                let params = json!({"requestId": id % 5, "uri": uri, "progressToken": id, "_meta": meta});
                let method = NOTIFICATIONS[usize::from(content) % NOTIFICATIONS.len()];
                json!({"method": format!("notifications/{method}"), "params": params})
            }
        }
    }
}

fn run(input: &[u8]) {
    let Some((settings, steps)) = case(input) else { return };
    let proxy = Proxy::builder().translate_versions(VersionTranslation::Always).no_throttle().max_message_bytes(4_096);
    let mut sides = Sides {
        is_modern: settings & 1 != 0,
        proxy: SansIoProxy::new(proxy, None).expect("the settings are valid"),
        open: HashMap::new(),
        to_server: Vec::new(),
        to_client: Vec::new(),
        state: Value::Null,
        is_wild: false,
    };
    sides.begin();
    for (is_client, step) in steps {
        let line = match step {
            Step::Bytes(line) => {
                sides.is_wild = true;
                line
            }
            Step::Message(step) => sides.message(is_client, step.into()).to_string().into_bytes(),
        };
        sides.send(is_client, line);
    }
}

fuzz_target!(|data: &[u8]| run(data));
