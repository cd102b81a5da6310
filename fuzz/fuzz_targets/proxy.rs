//! Fuzz target: lines of a client and of a server in any order, through a proxy with any settings. There is no panic; a request gets at most
//! one answer; the server only gets calls of `search` that the schema of `search` accepts; every other line is forwarded unchanged, or comes
//! from the proxy.
//!
//! The first byte of the input selects the settings. Then each line takes three bytes: its kind, its id and its content. A line of any
//! bytes takes its length and these bytes in addition.

#![no_main]

mod sides;

use std::collections::{HashMap, HashSet};

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tool_proxy::__private_0_1_0::{OutgoingLines, SansIoProxy};
use tool_proxy::{Access, Approval, Proxy, VersionTranslation};

use self::sides::{Step, case};

const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
const NAMES: [&str; 8] = ["search", "Search", "files_read", "files", "read_result", "call_tool", "delete", "unknown"];
const ARGUMENTS: [&str; 12] = [
    r#"{"query":"a"}"#,
    r#"{"query":"a","limit":2}"#,
    r#"{"query":"a","limit":"2"}"#,
    r#""{\"query\":\"a\"}""#,
    r#"{"query":5,"limit":0}"#,
    r#"{"quer":"a"}"#,
    r#"{"query":"a","limit":1.0}"#,
    "{}",
    "null",
    r#"{"handle":"result_1"}"#,
    r#"{"tool":"search","arguments":{"query":"b"}}"#,
    r#"{"tool":"search","arguments":"{\"limit\":1}"}"#,
];

struct Sides {
    proxy: SansIoProxy,
    /// The lines that each side has sent.
    by_client: HashSet<Vec<u8>>,
    by_server: HashSet<Vec<u8>>,
    /// The number of requests of the client with each id that have no answer.
    open: HashMap<String, usize>,
    /// The requests that the server has received, and those that the client has received.
    to_server: Vec<Value>,
    to_client: Vec<Value>,
    /// `true` once a side has sent any bytes, so that less is known about the lines.
    is_wild: bool,
}

fn search() -> Value {
    json!({"name": "search", "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
        "required": ["query"],
        "additionalProperties": false,
    }})
}

fn is_valid(arguments: &Value) -> bool {
    let Some(object) = arguments.as_object() else { return false };
    object.keys().all(|key| key == "query" || key == "limit")
        && object.get("query").is_some_and(Value::is_string)
        && object
            .get("limit")
            .is_none_or(|limit| limit.as_f64().is_some_and(|limit| limit >= 1.0 && limit % 1.0 == 0.0))
}

impl Sides {
    /// Sends a line and checks what follows from it.
    fn send(&mut self, is_client: bool, line: Vec<u8>) {
        if is_client && let Some(id) = request(&line) {
            *self.open.entry(id).or_default() += 1;
        }
        let OutgoingLines { to_client, to_servers } =
            if is_client { self.proxy.receive_from_client(&line) } else { self.proxy.receive_from_server(0, &line) };
        if is_client { &mut self.by_client } else { &mut self.by_server }.insert(line);
        to_servers.iter().for_each(|(_, line)| self.at_server(line.as_bytes()));
        to_client.iter().for_each(|line| self.at_client(line.as_bytes()));
    }

    fn at_server(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            panic!("not JSON: {}", String::from_utf8_lossy(line))
        };
        match message["method"].as_str() {
            Some("tools/call") if message["params"]["name"] == "search" => {
                assert!(self.is_wild || is_valid(&message["params"]["arguments"]), "{message}");
                self.to_server.push(message);
            }
            Some("tools/call" | "tools/list") => self.to_server.push(message),
            _ => {
                let is_own = message["id"].as_str().is_some_and(|id| id.starts_with("toolbox-proxy-"));
                let is_own = is_own || message["error"]["code"].is_i64();
                assert!(is_own || self.by_client.contains(line), "the client has not sent {message}");
                if message["method"].is_string() && !message["id"].is_null() {
                    self.to_server.push(message);
                }
            }
        }
    }

    fn at_client(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            panic!("not JSON: {}", String::from_utf8_lossy(line))
        };
        if message["method"].is_string() {
            let id = message["id"].as_str().unwrap_or_default();
            let method = message["method"].as_str().unwrap_or_default();
            let is_own = id.starts_with("toolbox-proxy-") || matches!(method, "notifications/cancelled");
            assert!(
                is_own || method == "notifications/tools/list_changed" || self.by_server.contains(line),
                "{message}"
            );
            if !message["id"].is_null() {
                self.to_client.push(message);
            }
        } else if !message["id"].is_null() {
            let open = self.open.entry(message["id"].to_string()).or_default();
            assert!(self.is_wild || *open > 0, "a second answer: {message}");
            *open = open.saturating_sub(1);
        }
    }
}

/// Returns the id of a request.
fn request(line: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(line).ok()?;
    message["method"].as_str()?;
    message.get("id").map(Value::to_string)
}

fn client_line(kind: u8, id: u8, content: u8, asked: &[Value]) -> String {
    let meta = if id & 0x80 == 0 { "" } else { r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"# };
    let (id, name) = (id % 5, NAMES[usize::from(content >> 5)]);
    let arguments = ARGUMENTS[usize::from(content & 31) % ARGUMENTS.len()];
    match kind {
        0..=4 => format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}{meta}}}}}"#
        ),
        5 => format!(r#"{{"id":{id},"method":"tools/list","params":{{"x":{content}{meta}}}}}"#),
        6 => format!(r#"{{"id":{id},"method":"tools/list","params":{{"cursor":"{}"}}}}"#, content % 2),
        7 => format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#),
        8 => format!(
            r#"{{"id":{id},"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{"elicitation":{{}}}}}}}}"#
        ),
        9 => format!(r#"{{"id":"toolbox-proxy-{}","method":"ping"}}"#, content % 4),
        10 => format!(r#"{{ "id":{id}, "method":"prompts/list","params":{{"x":1.0{meta}}}}}"#),
        11 => {
            let id = asked.get(usize::from(content >> 2)).map_or(Value::from(id), |asked| asked["id"].clone());
            let action = ["accept", "decline", "cancel", "?"][usize::from(content & 3)];
            format!(r#"{{"id":{id},"result":{{"action":"{action}","content":{{}}}}}}"#)
        }
        _ => r#"{ "method":"notifications/progress","params":{"progress":1.0}}"#.to_owned(),
    }
}

fn server_line(kind: u8, id: u8, content: u8, asked: &mut Vec<Value>) -> String {
    let at = usize::from(id & 0x7f);
    let request = if kind < 8 && !asked.is_empty() { Some(asked.swap_remove(at % asked.len())) } else { None };
    let answered = request.as_ref().map_or_else(|| Value::from(id % 5), |request| request["id"].clone());
    let is_list = request.as_ref().is_some_and(|request| request["method"] == "tools/list");
    match kind {
        0..=5 if is_list => {
            let others: Vec<Value> = ["files_read", "delete"].iter().map(|name| json!({"name": name})).collect();
            let mut tools = vec![search()];
            tools.extend(others.into_iter().take(usize::from(content % 3)));
            let mut result = json!({"tools": tools});
            if content & 0x10 != 0 {
                result["nextCursor"] = "1".into();
            }
            json!({"id": answered, "result": result}).to_string()
        }
        0..=3 | 8 => {
            let length = if content & 1 == 0 { 10 } else { 3_000 };
            let is_error = content & 2 != 0;
            format!(
                r#"{{"id":{answered}, "result":{{"content":[{{"type":"text","text":"{}"}}],"isError":{is_error}}}}}"#,
                "x".repeat(length)
            )
        }
        4..=7 => format!(r#"{{"id":{answered},"error":{{"code":-32602,"message":"{content}"}}}}"#),
        9 => CHANGED.to_owned(),
        10 => format!(r#"{{"id":{},"method":"elicitation/create","params":{{"x":{content}}}}}"#, id % 5),
        11 => format!(
            r#"{{"method":"notifications/cancelled","params":{{"requestId":"toolbox-proxy-{}"}}}}"#,
            content % 4
        ),
        _ => format!(r#"{{ "method":"notifications/message","params":{{"x":{content}.0}}}}"#),
    }
}

fn run(input: &[u8]) {
    let Some((settings, steps)) = case(input) else { return };
    // The target `translate` has the messages of different revisions.
    let mut proxy = Proxy::builder().translate_versions(VersionTranslation::Never);
    if settings & 1 != 0 {
        proxy = proxy.container("files", "Files.", ["files_*"]);
    }
    if settings & 2 != 0 {
        proxy = proxy.result_bytes(1_024).keep_results(10_000);
    }
    if settings & 4 != 0 {
        proxy = proxy.access(Access::new().deny(["delete"]));
    }
    if settings & 8 != 0 {
        proxy = proxy.require_approval(Approval::new().tools(["search"]));
    }
    if settings & 16 != 0 {
        proxy = proxy.no_throttle();
    }
    let proxy = SansIoProxy::new(proxy.max_message_bytes(4_096), None).expect("the settings are valid");
    let mut sides = Sides {
        proxy,
        by_client: HashSet::new(),
        by_server: HashSet::new(),
        open: HashMap::new(),
        to_server: Vec::new(),
        to_client: Vec::new(),
        is_wild: false,
    };
    // The proxy knows the tools before the first call.
    sides.send(true, br#"{"id":0,"method":"tools/list"}"#.to_vec());
    let line = server_line(0, 0, 0, &mut sides.to_server);
    sides.send(false, line.into_bytes());
    for (is_client, step) in steps {
        let line = match step {
            Step::Bytes(line) => {
                sides.is_wild = true;
                line
            }
            Step::Message([kind, id, content]) if is_client => {
                client_line(kind & 15, id, content, &sides.to_client).into_bytes()
            }
            Step::Message([kind, id, content]) => {
                server_line(kind & 15, id, content, &mut sides.to_server).into_bytes()
            }
        };
        sides.send(is_client, line);
    }
}

fuzz_target!(|data: &[u8]| run(data));
