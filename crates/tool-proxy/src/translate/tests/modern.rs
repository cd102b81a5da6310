//! A client of protocol version 2026-07-28 with a server of an earlier protocol version.

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::super::settings::VersionTranslation;
use super::super::Translator;
use super::{Step, World, modern_meta, number, object, parsed, steps, without, without_protocol};

const METHODS: [&str; 12] = [
    "tools/call",
    "prompts/get",
    "resources/read",
    "tools/list",
    "completion/complete",
    "subscriptions/listen",
    "server/discover",
    "x/unknown",
    "ping",
    "tasks/get",
    "resources/subscribe",
    "logging/setLevel",
];
/// The methods that the server does not know, or not with this meaning.
const REJECTED: [&str; 4] = ["ping", "tasks/get", "resources/subscribe", "logging/setLevel"];
const LEVEL: &str = "io.modelcontextprotocol/logLevel";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const CHANGED: &str = "notifications/tools/list_changed";

struct Sides {
    world: World,
    /// The open questions of the server.
    questions: Vec<Value>,
    /// The states of calls that the client can repeat, with the calls and the names of their questions.
    states: Vec<(Value, Value, Vec<String>)>,
    /// The open subscriptions, by their ids as JSON text.
    subscriptions: HashMap<String, Value>,
}

impl Sides {
    fn connect() -> Self {
        let mut world = World::new(Translator::new(VersionTranslation::Always));
        let discover = json!({"id": "d", "method": "server/discover", "params": {"_meta": modern_meta()}});
        world.client(&discover);
        let out = world.server(&json!({"id": "d", "error": {"code": -32601, "message": "Not found"}}));
        let hello = parsed(out.to_server[0].line());
        assert_eq!(hello["method"], "initialize");
        let capabilities = json!({"tools": {"listChanged": true}, "logging": {}, "resources": {"subscribe": true}});
        let out = world.server(&json!({"id": hello["id"], "result": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": {"name": "s", "version": "1"},
        }}));
        assert_eq!((out.to_client.len(), out.to_server.len()), (1, 1));
        Self { world, questions: Vec::new(), states: Vec::new(), subscriptions: HashMap::new() }
    }

    fn send(&mut self, is_client: bool, message: &Value) {
        let out = if is_client { self.world.client(message) } else { self.world.server(message) };
        out.to_server.iter().for_each(|frame| self.at_server(&parsed(frame.line())));
        out.to_client.iter().for_each(|frame| self.at_client(&parsed(frame.line())));
    }

    fn step(&mut self, (kind, a, b): Step) {
        match kind % 10 {
            0..=2 => {
                let mut meta = modern_meta();
                if b & 1 != 0 {
                    meta["progressToken"] = self.world.count.into();
                    meta["x/y"] = json!([b]);
                }
                if b & 2 != 0 {
                    meta[LEVEL] = "info".into();
                }
                let notifications =
                    json!({"toolsListChanged": true, "resourceSubscriptions": [format!("a:{}", b % 3)]});
                let params =
                    json!({"name": "n", "arguments": {"q": b % 4}, "_meta": meta, "notifications": notifications});
                let request = self.world.request(METHODS[usize::from(a) % METHODS.len()], params);
                self.send(true, &request);
            }
            3 => {
                let count = self.states.len();
                if count > 0 {
                    let (state, request, names) = self.states.remove(usize::from(a) % count);
                    let mut params = without(request["params"].clone(), &["requestState", "inputResponses"]);
                    params["requestState"] = state;
                    let names = names.into_iter().take(if b & 1 == 0 { usize::MAX } else { 0 });
                    params["inputResponses"] = object(names.map(|name| (name, json!({"action": "accept"}))));
                    let request = self.world.request(request["method"].as_str().unwrap_or_default(), params);
                    self.send(true, &request);
                }
            }
            4 => {
                let mut ids: Vec<Value> = self.world.open.values().map(|request| request["id"].clone()).collect();
                ids.sort_by_key(Value::to_string);
                if !ids.is_empty() {
                    let id = ids[usize::from(a) % ids.len()].clone();
                    // A subscription gets no answer.
                    if self.subscriptions.remove(&id.to_string()).is_some() {
                        self.world.open.remove(&id.to_string());
                    }
                    self.send(true, &json!({"method": "notifications/cancelled", "params": {"requestId": id}}));
                }
            }
            5 | 6 => self.answer(a, b),
            7 => {
                let method = ["elicitation/create", "roots/list", "sampling/createMessage", "ping", "tasks/get"];
                let method = method[usize::from(a) % method.len()];
                self.world.count += 1;
                let question =
                    json!({"jsonrpc": "2.0", "id": self.world.count, "method": method, "params": {"message": "?"}});
                self.questions.push(question["id"].clone());
                self.send(false, &question);
            }
            _ => {
                let method = [
                    "notifications/message",
                    "notifications/progress",
                    CHANGED,
                    "notifications/resources/updated",
                    "notifications/elicitation/complete",
                    "notifications/tasks/status",
                ];
                let params =
                    json!({"uri": format!("a:{}", b % 3), "progressToken": b, "x/z": 1.5, "_meta": {"x/y": 1}});
                self.send(false, &json!({"method": method[usize::from(a) % method.len()], "params": params}));
            }
        }
    }

    fn answer(&mut self, a: u8, b: u8) {
        let Some(request) = self.world.take(a) else {
            // An answer that nobody waits for, with an id that a request of the client may have.
            let stray = json!({"id": u64::from(a % 16), "result": {"stray": true}});
            return self.send(false, &stray);
        };
        let message = if b.is_multiple_of(4) {
            json!({"id": request["id"], "error": {"code": -32000, "message": "No", "data": [b]}})
        } else {
            self.world.result(&request, json!({"content": [], "x/z": {"b": 1}, "_meta": {"x/y": b}, "resultType": "x"}))
        };
        self.send(false, &message);
    }

    fn at_server(&mut self, message: &Value) {
        let params = &message["params"];
        assert!(without_protocol(params.clone()) == *params, "a member of the later revision: {message}");
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(_)) => {
                assert!(
                    !matches!(method, "server/discover" | "subscriptions/listen") && method != "tasks/get",
                    "{message}"
                );
                assert!(params.get("requestState").or(params.get("inputResponses")).is_none(), "{message}");
                if let Some(number) = number(params) {
                    let sent = without(self.world.params[number].clone(), &["requestState", "inputResponses"]);
                    assert_eq!(*params, without_protocol(sent));
                }
                self.world.asked(message);
            }
            (Some(method), None) => assert_eq!(method, "notifications/cancelled"),
            (None, _) => {
                let position = self.questions.iter().position(|id| *id == message["id"]);
                self.questions.remove(position.unwrap_or_else(|| panic!("a second answer: {message}")));
            }
        }
    }

    fn at_client(&mut self, message: &Value) {
        let subscription = message["params"]["_meta"][SUBSCRIPTION].clone();
        match message["method"].as_str() {
            Some("notifications/subscriptions/acknowledged") => {
                let request = &self.world.open[&subscription.to_string()];
                self.subscriptions.insert(subscription.to_string(), request["id"].clone());
            }
            Some(CHANGED | "notifications/resources/updated") => {
                assert!(self.subscriptions.contains_key(&subscription.to_string()), "{message}");
                assert_eq!((&message["params"]["x/z"], &message["params"]["_meta"]["x/y"]), (&json!(1.5), &json!(1)));
            }
            Some("notifications/message") => {
                let wants = |request: &Value| request["params"]["_meta"].get(LEVEL).is_some();
                assert!(self.world.open.values().any(wants) || !self.world.at_server.is_empty(), "{message}");
            }
            Some(method) => assert_eq!(method, "notifications/progress", "{message}"),
            None => {
                let request = self.world.answered(message);
                self.at_client_answer(&request, message);
            }
        }
    }

    fn at_client_answer(&mut self, request: &Value, message: &Value) {
        let method = request["method"].as_str().unwrap_or_default();
        let result = &message["result"];
        assert_ne!(result["stray"], true, "{message}");
        if REJECTED.contains(&method) {
            let text = message["error"]["message"].as_str().unwrap_or_default();
            assert!(message["error"]["code"] == -32601 && text.starts_with(method), "{message}");
        } else if result["resultType"] == "input_required" {
            let names: Vec<String> = result["inputRequests"].as_object().unwrap().keys().cloned().collect();
            for question in result["inputRequests"].as_object().unwrap().values() {
                assert!(question["method"] == "elicitation/create" || question["method"] == "roots/list", "{message}");
            }
            self.states.push((result["requestState"].clone(), request.clone(), names));
        } else if message.get("result").is_some() {
            assert_eq!(result["resultType"], "complete", "{message}");
            if let Some(number) = number(result) {
                let added = ["resultType", "ttlMs", "cacheScope"];
                assert_eq!(without(result.clone(), &added), without(self.world.results[number].clone(), &added));
            }
        }
    }
}

proptest! {
    #[test]
    fn every_message_is_translated_or_rejected(steps in steps()) {
        let mut sides = Sides::connect();
        for step in steps {
            sides.step(step);
        }
        while !sides.world.at_server.is_empty() {
            sides.answer(0, 1);
        }
        let waiting: Vec<_> = sides.world.open.keys().filter(|id| !sides.subscriptions.contains_key(*id)).collect();
        prop_assert!(waiting.is_empty(), "without an answer: {waiting:?}");
        prop_assert_eq!(sides.world.entries(), [0, 0, 0]);
    }
}

#[test]
fn cancelled_requests_that_get_no_answer_are_forgotten() {
    let mut sides = Sides::connect();
    let mut meta = modern_meta();
    meta[LEVEL] = "info".into();
    for id in 0..3_000 {
        sides.world.client(&json!({"id": id, "method": "tools/call", "params": {"name": "n", "_meta": meta}}));
        sides.world.client(&json!({"method": "notifications/cancelled", "params": {"requestId": id}}));
    }
    let entries = sides.world.entries();
    assert!(entries.iter().all(|count| *count <= 1_001), "{entries:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_that_the_client_does_not_repeat_are_forgotten() {
    let mut sides = Sides::connect();
    for id in 0..2_000 {
        let params = json!({"name": "n", "_meta": modern_meta()});
        sides.world.client(&json!({"id": id, "method": "tools/call", "params": params}));
        let out = sides.world.server(&json!({"id": id, "method": "roots/list"}));
        assert_eq!(parsed(out.to_client[0].line())["result"]["resultType"], "input_required");
        tokio::time::advance(std::time::Duration::from_secs(601)).await;
    }
    let entries = sides.world.entries();
    assert!(entries.iter().all(|count| *count <= 1_001), "{entries:?}");
}
