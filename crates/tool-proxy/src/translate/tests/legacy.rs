//! A client of an earlier protocol version with a server of protocol version 2026-07-28.

use std::collections::HashSet;

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
    "x/unknown",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/get",
    "initialize",
];
/// The methods that the later revision does not have.
const GONE: [&str; 6] =
    ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/get", "initialize"];
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

struct Sides {
    world: World,
    /// The requests that the client has not answered.
    questions: Vec<Value>,
    cancelled: HashSet<String>,
}

impl Sides {
    fn connect() -> Self {
        let mut world = World::new(Translator::new(VersionTranslation::Auto));
        world.client(&json!({"id": "i", "method": "initialize", "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"elicitation": {}, "roots": {}},
            "clientInfo": {"name": "c", "version": "1"},
        }}));
        let out = world.server(&json!({"id": "i", "error": {"code": -32601, "message": "Not found"}}));
        let probe = parsed(out.to_server[0].line());
        assert_eq!(without_protocol(probe["params"].clone()), json!({}));
        let capabilities = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}});
        let discovered = json!({"supportedVersions": ["2026-07-28"], "capabilities": capabilities});
        let out = world.server(&json!({"id": probe["id"], "result": discovered}));
        assert_eq!(out.to_client.len(), 1);
        let mut sides = Self { world, questions: Vec::new(), cancelled: HashSet::new() };
        sides.send(true, &json!({"method": "notifications/initialized"}));
        sides
    }

    fn send(&mut self, is_client: bool, message: &Value) {
        let out = if is_client { self.world.client(message) } else { self.world.server(message) };
        out.to_server.iter().for_each(|frame| self.at_server(&parsed(frame.line())));
        out.to_client.iter().for_each(|frame| self.at_client(&parsed(frame.line())));
    }

    fn step(&mut self, (kind, a, b): Step) {
        match kind % 10 {
            0..=2 => {
                let uri = format!("a:{}", b % 3);
                let mut params = json!({"name": "n", "arguments": {"q": b % 4}, "uri": uri, "level": "info"});
                if b & 1 != 0 {
                    params["_meta"] = json!({"progressToken": self.world.count, "x/y": [b]});
                }
                let request = self.world.request(METHODS[usize::from(a) % METHODS.len()], params);
                self.send(true, &request);
            }
            3 | 4 => self.decide(a, b),
            5 => {
                let mut ids: Vec<Value> = self.world.open.values().map(|request| request["id"].clone()).collect();
                ids.sort_by_key(Value::to_string);
                if !ids.is_empty() {
                    let id = ids[usize::from(a) % ids.len()].clone();
                    self.cancelled.insert(id.to_string());
                    self.send(true, &json!({"method": "notifications/cancelled", "params": {"requestId": id}}));
                }
            }
            6 | 7 => self.answer(a, b),
            _ => {
                let listens = self.world.at_server.iter().filter(|request| request["method"] == "subscriptions/listen");
                let listens: Vec<Value> = listens.map(|request| request["id"].clone()).collect();
                let mut meta = json!({"x/y": 1});
                if !listens.is_empty() {
                    meta[SUBSCRIPTION] = listens[usize::from(b) % listens.len()].clone();
                }
                let method = [
                    "tools/list_changed",
                    "resources/updated",
                    "subscriptions/acknowledged",
                    "message",
                    "progress",
                    "tasks",
                ];
                let method = format!("notifications/{}", method[usize::from(a) % method.len()]);
                self.send(false, &json!({"method": method, "params": {"x/z": 1.5, "_meta": meta}}));
            }
        }
    }

    /// Lets the client answer a question.
    fn decide(&mut self, a: u8, b: u8) {
        if self.questions.is_empty() {
            return;
        }
        let id = self.questions.remove(usize::from(a) % self.questions.len());
        self.send(
            true,
            &match b % 4 {
                0 => json!({"id": id, "error": {"code": -1, "message": "No window"}}),
                _ => json!({"id": id, "result": {"action": "accept", "x/z": b}}),
            },
        );
    }

    fn answer(&mut self, a: u8, b: u8) {
        let Some(request) = self.world.take(a) else {
            // An answer that nobody waits for, with an id that a request of the client may have.
            let stray = json!({"id": u64::from(a % 16), "result": {"stray": true}});
            return self.send(false, &stray);
        };
        let mut result = json!({"resultType": "complete", "content": [], "x/z": {"b": 1}, "_meta": {"x/y": b}});
        match b % 8 {
            0 => {
                let message = json!({"id": request["id"], "error": {"code": -32000, "message": "No", "data": [b]}});
                return self.send(false, &message);
            }
            1 | 2 => {
                let method = ["elicitation/create", "roots/list", "sampling/createMessage"][usize::from(b >> 3) % 3];
                let questions =
                    (0..b >> 5).map(|name| (name.to_string(), json!({"method": method, "params": {"message": "?"}})));
                result["resultType"] = "input_required".into();
                result["inputRequests"] = object(questions);
                result["requestState"] = format!("s{b}").into();
            }
            3 => result["resultType"] = "task".into(),
            4 => result["structuredContent"] = json!([1]),
            _ => {}
        }
        let message = self.world.result(&request, result);
        self.send(false, &message);
    }

    fn at_server(&mut self, message: &Value) {
        let (method, params) = (message["method"].as_str().unwrap_or_default(), &message["params"]);
        if message.get("id").is_none() {
            assert_eq!(method, "notifications/cancelled", "{message}");
            return;
        }
        assert!(!method.is_empty() && !GONE.contains(&method), "{message}");
        for (name, value) in modern_meta().as_object().unwrap() {
            assert_eq!(params["_meta"][name], *value, "{message}");
        }
        if let Some(number) = number(params) {
            let sent = without(without_protocol(params.clone()), &["requestState", "inputResponses"]);
            assert_eq!(sent, self.world.params[number]);
        }
        self.world.asked(message);
    }

    fn at_client(&mut self, message: &Value) {
        let method = message["method"].as_str();
        if let Some(method) = method.filter(|_| message.get("id").is_some()) {
            assert!(matches!(method, "elicitation/create" | "roots/list"), "{message}");
            assert!(!self.questions.contains(&message["id"]), "an id twice: {message}");
            return self.questions.push(message["id"].clone());
        }
        if method == Some("notifications/cancelled") {
            return self.questions.retain(|id| *id != message["params"]["requestId"]);
        }
        if let Some(method) = method {
            let params = &message["params"];
            assert!(params["_meta"].get(SUBSCRIPTION).is_none() && !method.contains("subscriptions"), "{message}");
            assert_ne!(method, "notifications/tasks");
            assert_eq!((&params["x/z"], &params["_meta"]["x/y"]), (&json!(1.5), &json!(1)));
            return;
        }
        let request = self.world.answered(message);
        if matches!(request["method"].as_str(), Some("tasks/get" | "initialize")) {
            assert_eq!(message["error"]["code"], -32601, "{message}");
        }
        let result = &message["result"];
        assert!(result.get("resultType").is_none() && result["stray"] != true, "{message}");
        if let Some(number) = number(result) {
            let sent = without(self.world.results[number].clone(), &["resultType", "structuredContent"]);
            assert_eq!(*result, sent);
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
        while !sides.world.at_server.is_empty() || !sides.questions.is_empty() {
            sides.decide(0, 1);
            sides.answer(0, 7);
        }
        let waiting: Vec<_> = sides.world.open.keys().filter(|id| !sides.cancelled.contains(*id)).collect();
        prop_assert!(waiting.is_empty(), "without an answer: {waiting:?}");
        prop_assert_eq!(sides.world.entries(), [0, 0, 0, 0, 0]);
    }
}

#[test]
fn cancelled_requests_that_get_no_answer_are_forgotten() {
    let mut sides = Sides::connect();
    for id in 0..3_000 {
        let (name, uri) = (json!({"name": "n"}), json!({"uri": "a:1"}));
        sides.world.client(&json!({"id": id, "method": "tools/call", "params": name}));
        sides.world.client(&json!({"method": "notifications/cancelled", "params": {"requestId": id}}));
        sides.world.client(&json!({"id": "s", "method": "resources/subscribe", "params": uri}));
        let out = sides.world.client(&json!({"id": "u", "method": "resources/unsubscribe", "params": uri}));
        let answered: Vec<Value> = out.to_client.iter().map(|frame| parsed(frame.line())["id"].clone()).collect();
        assert_eq!(answered, ["s", "u"]);
    }
    let entries = sides.world.entries();
    assert!(entries.iter().sum::<usize>() < 1_010, "{entries:?}");
}

#[test]
fn a_late_answer_to_an_ended_subscription_does_not_end_the_next_one() {
    let mut sides = Sides::connect();
    let uri = json!({"uri": "a:1"});
    let listen = |sides: &mut Sides| {
        let out = sides.world.client(&json!({"id": "s", "method": "resources/subscribe", "params": uri}));
        parsed(out.to_server[0].line())["id"].clone()
    };
    let first = listen(&mut sides);
    sides.world.client(&json!({"id": "u", "method": "resources/unsubscribe", "params": uri}));
    let second = listen(&mut sides);
    sides.world.server(&json!({"id": first, "result": {"resultType": "complete"}}));
    let out = sides.world.client(&json!({"id": "v", "method": "resources/unsubscribe", "params": uri}));
    assert_eq!(parsed(out.to_server[0].line())["params"]["requestId"], second);
}
