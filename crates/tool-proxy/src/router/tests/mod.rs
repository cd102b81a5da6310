//! Tests of the router: the test plays the guard and the servers.

mod faults;
mod group;
mod limits;
mod requests;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::Proxy;
use super::super::action::{Broken, Received, Unusable};
use super::super::frame::Frame;
use super::super::own_messages::lost;
use super::Router;
use tool_mcp::__private_0_1_0::Line;

const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#;

/// The lines that follow from an event.
#[derive(Debug, Default, PartialEq, Eq)]
struct RouterOutput {
    to_client: Vec<String>,
    to_servers: Vec<(usize, String)>,
}

/// A router with the servers `files`, `time` and `memory`, and the remarks that it has made.
struct Rig {
    router: Router,
    remarks: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    fn new() -> Self {
        Self::with([("files", "files_"), ("time", "time_"), ("memory", "memory_")])
    }

    fn with<const N: usize>(servers: [(&str, &str); N]) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let builder = Proxy::builder().log_with(move |remark| log.lock().unwrap().push(remark.to_owned()));
        let servers = servers.map(|(name, prefix)| (name.to_owned(), prefix.to_owned()));
        Self { router: Router::new(Arc::new(builder.0), servers), remarks }
    }

    /// A router after the handshake, with these capabilities of each server.
    fn greeted(capabilities: Value) -> Self {
        let mut rig = Self::new();
        rig.client(INITIALIZE);
        for server in 0..3 {
            rig.server(server, &greeting("2025-11-25", &capabilities));
        }
        rig.client(INITIALIZED);
        rig
    }

    /// A router after a list of tools, in which each server has a tool `get`.
    fn listed() -> Self {
        let mut rig = Self::greeted(json!({"tools": {}}));
        rig.client(LIST);
        for server in 0..3 {
            rig.server(server, &list("list", &["get"]));
        }
        rig
    }

    fn act(&mut self, act: impl FnOnce(&mut Router)) -> RouterOutput {
        act(&mut self.router);
        let routed = std::mem::take(&mut self.router.out);
        RouterOutput {
            to_client: routed.to_client.into_iter().map(Frame::into_line).collect(),
            to_servers: routed.to_servers.into_iter().map(|(server, frame)| (server, frame.into_line())).collect(),
        }
    }

    fn client(&mut self, line: &str) -> RouterOutput {
        let frame = Frame::parse(line.to_owned()).unwrap_or_else(|error| panic!("{error:?}"));
        self.act(|router| router.client(frame))
    }

    fn server(&mut self, server: usize, line: &str) -> RouterOutput {
        let frame = match Received::of(Line::Whole(line.into()), usize::MAX).unwrap() {
            Received::Frame(frame) => Some(frame),
            Received::Batch(_) => None,
            // An error takes the place of such an answer before it reaches the router.
            Received::Unusable(Unusable { broken, reason, .. }) => match broken {
                Broken::Answer(id) => Some(id),
                Broken::Unclear => self.router.only_request(server).0,
                Broken::Request(_) | Broken::Other => None,
            }
            .map(|id| lost(&id, &reason)),
        };
        self.act(|router| frame.into_iter().for_each(|frame| router.server(server, frame)))
    }

    fn expire(&mut self, seconds: u64) -> RouterOutput {
        self.act(|router| router.expire(Instant::now() + Duration::from_secs(seconds)))
    }

    fn lose(&mut self, server: usize) -> RouterOutput {
        self.act(|router| router.lose(server))
    }

    fn restarted(&mut self, server: usize) -> RouterOutput {
        self.act(|router| router.restarted(server))
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap().clone()
    }
}

fn to_client<const N: usize>(lines: [&str; N]) -> RouterOutput {
    RouterOutput { to_client: lines.map(str::to_owned).into(), to_servers: Vec::new() }
}

fn to_servers<const N: usize>(lines: [(usize, &str); N]) -> RouterOutput {
    RouterOutput { to_client: Vec::new(), to_servers: lines.map(|(server, line)| (server, line.to_owned())).into() }
}

/// Returns the only line for the client as a message.
fn message(routed: &RouterOutput) -> Value {
    assert!(routed.to_client.len() == 1 && routed.to_servers.is_empty(), "{routed:?}");
    serde_json::from_str(&routed.to_client[0]).unwrap()
}

fn greeting(version: &str, capabilities: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": version, "capabilities": capabilities}}).to_string()
}

fn list(id: &str, names: &[&str]) -> String {
    let tools: Vec<Value> = names.iter().map(|name| json!({"name": name, "inputSchema": {}})).collect();
    json!({"jsonrpc": "2.0", "id": id, "result": {"tools": tools}}).to_string()
}

fn call(id: u64, name: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0", "id":{id}, "method":"tools/call", "params":{{"arguments":{{"name":"x"}}, "name":"{name}"}}}}"#
    )
}

fn request(id: u64, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn answer(id: u64, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

fn failed(id: u64, code: i32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no"}}}}"#)
}

fn names(message: &Value) -> Vec<&str> {
    message["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}
