//! Servers that end, are slow, or break the protocol.

use proptest::prelude::*;

use super::super::super::frame::{Answer, Message};
use super::*;

#[test]
fn only_the_open_requests_of_a_server_that_ends_are_answered_with_errors() {
    let mut rig = Rig::listed();
    rig.client(&call(1, "files_get"));
    rig.client(&call(2, "time_get"));
    rig.server(0, r#"{"id":7,"method":"roots/list"}"#);
    let lines = rig.lose(0).to_client;
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains(r#""isError":true"#) && lines[0].contains("files has ended"), "{lines:?}");
    assert!(lines[1].contains(r#""requestId":1,"#), "the client's answer is not needed any more: {lines:?}");
    assert!(lines[2].contains("notifications/tools/list_changed"), "{lines:?}");
    assert_eq!(rig.server(1, &answer(2, "{}")), to_client([&*answer(2, "{}")]));
    let rejected = message(&rig.client(&call(3, "files_get")));
    assert_eq!(rejected["result"]["content"][0]["text"], "The MCP server files is not running.");
    assert_eq!(rig.client(LIST), to_servers([(1, LIST), (2, LIST)]));
    rig.server(1, &list("list", &["get"]));
    assert_eq!(names(&message(&rig.server(2, &list("list", &[])))), ["time_get"]);
}

#[test]
fn a_list_is_complete_without_a_server_that_ends_meanwhile() {
    let mut rig = Rig::listed();
    rig.client(LIST);
    rig.server(0, &list("list", &["a"]));
    rig.server(1, &list("list", &["b"]));
    let lines = rig.lose(2).to_client;
    assert_eq!(names(&serde_json::from_str(&lines[0]).unwrap()), ["files_a", "time_b"]);
}

#[test]
fn a_restarted_server_gets_the_handshake_and_must_accept_the_revision() {
    let mut rig = Rig::listed();
    rig.lose(1);
    for (version, expected) in [("2025-06-18", false), ("2026-07-28", false), ("2025-11-25", true)] {
        let result = json!({"protocolVersion": version, "capabilities": {"tools": {}}}).to_string();
        assert_eq!(rig.router.accepts(1, Answer::Result(&result)), expected, "{version}");
        let rejected = message(&rig.client(&call(1, "time_get")));
        assert_eq!(rejected["result"]["content"][0]["text"], "The MCP server time is not running.");
    }
    let routed = rig.restarted(1);
    assert_eq!(routed.to_servers, [(1, INITIALIZED.to_owned())]);
    assert!(routed.to_client[0].contains("notifications/tools/list_changed"));
    assert_eq!(rig.client(&call(1, "time_get")), to_servers([(1, &*call(1, "get"))]));
}

#[test]
fn a_server_that_is_slow_to_start_joins_later() {
    let mut rig = Rig::new();
    rig.client(INITIALIZE);
    assert_eq!(rig.expire(31), RouterOutput::default(), "the client needs at least one server");
    rig.server(0, &greeting("2025-11-25", &json!({"prompts": {}})));
    rig.server(1, &greeting("2025-11-25", &json!({"prompts": {}})));
    let initialized = message(&rig.expire(33));
    assert!(initialized["result"]["capabilities"]["tools"].is_object(), "the last server may have tools");
    rig.client(INITIALIZED);
    let rejected = message(&rig.client(&call(1, "memory_get")));
    assert_eq!(rejected["result"]["content"][0]["text"], "The MCP server memory has not started yet.");
    let joined = rig.server(2, &greeting("2025-11-25", &json!({"tools": {}})));
    assert_eq!(joined.to_servers, [(2, INITIALIZED.to_owned())]);
    assert!(joined.to_client[0].contains("notifications/tools/list_changed"));
    assert_eq!(rig.client(&call(2, "memory_get")), to_servers([(2, &*call(2, "get"))]));
}

#[test]
fn a_server_that_is_slow_to_list_its_tools_is_missing_in_the_list() {
    let mut rig = Rig::listed();
    rig.client(LIST);
    rig.server(0, &list("list", &["a"]));
    rig.server(1, &list("list", &["b"]));
    assert_eq!(rig.expire(9), RouterOutput::default());
    let expired = rig.expire(11);
    assert_eq!(names(&serde_json::from_str(&expired.to_client[0]).unwrap()), ["files_a", "time_b"]);
    assert!(expired.to_servers[0].1.contains("notifications/cancelled"), "{expired:?}");
    assert_eq!(rig.server(2, &list("list", &["c"])), RouterOutput::default());
    assert!(rig.remarks().last().unwrap().starts_with("memory: the server has not answered"), "{:?}", rig.remarks());
}

#[test]
fn servers_that_reject_the_handshake_are_left_out() {
    let mut rig = Rig::new();
    rig.client(INITIALIZE);
    rig.server(0, &failed(0, -32_602));
    rig.server(1, &greeting("2026-07-28", &json!({})));
    assert_eq!(
        message(&rig.server(2, &greeting("2025-03-26", &json!({"tools": {}}))))["result"]["protocolVersion"],
        "2025-03-26"
    );
    let remarks = rig.remarks();
    assert_eq!(remarks[0], "files: the server is left out: it has rejected the handshake");
    assert!(
        remarks[1].starts_with("time: the server is left out: it speaks protocol version \"2026-07-28\""),
        "{remarks:?}"
    );
    assert_eq!(rig.client(INITIALIZED), to_servers([(2, INITIALIZED)]));
    let mut rig = Rig::with([("a", "a_"), ("b", "b_")]);
    rig.client(INITIALIZE);
    rig.server(0, &failed(0, -32_602));
    assert_eq!(message(&rig.server(1, &failed(0, -32_603)))["error"]["code"], -32_602, "the first error");
}

#[test]
fn a_server_cannot_answer_for_another_one_or_twice() {
    let mut rig = Rig::listed();
    rig.client(&call(1, "time_get"));
    assert_eq!(rig.server(0, &answer(1, "{}")), RouterOutput::default());
    assert_eq!(rig.server(1, &answer(1, "{}")), to_client([&*answer(1, "{}")]));
    assert_eq!(rig.server(1, &answer(1, "{}")), RouterOutput::default());
    rig.client(LIST);
    rig.server(0, &list("list", &["a"]));
    rig.server(0, &list("list", &["b"]));
    rig.server(1, &list("list", &[]));
    assert_eq!(names(&message(&rig.server(2, &list("list", &[])))), ["files_a"]);
}

#[test]
fn broken_lines_become_errors_for_their_requests() {
    let mut rig = Rig::listed();
    rig.client(&call(1, "time_get"));
    let answer = message(&rig.server(1, r#"{"id":1,"result":{},"result":{}}"#));
    assert_eq!(answer["error"], json!({"code": -32_603, "message": "The message is not valid."}));
    rig.client(&request(2, "prompts/get", r#"{"name":"time_x"}"#));
    assert_eq!(message(&rig.server(1, r#"{"id":2,"result":{},"result":{}}"#))["error"]["code"], -32_603);
    assert_eq!(rig.server(1, "Starting…"), RouterOutput::default());
    assert_eq!(rig.server(1, r#"[{"id":1,"result":{}}]"#), RouterOutput::default());
    rig.client(LIST);
    rig.server(0, &list("list", &["a"]));
    rig.server(1, r#"{"id":"list","result":{"tools":7}}"#);
    assert_eq!(names(&message(&rig.server(2, &list("list", &[])))), ["files_a"]);
    rig.client(LIST);
    for server in 0..2 {
        rig.server(server, r#"{"id":"list","result":{}}"#);
    }
    assert_eq!(
        message(&rig.server(2, r#"{"id":"list","result":[]}"#))["error"]["message"],
        "No MCP server has answered."
    );
}

#[test]
fn a_cut_answer_ends_the_only_open_request_of_its_server() {
    for cut in [r#"{"jsonrpc":"2.0","id":9,"resu"#, r#"{"jsonrpc":"2.0","id":9]"#, r#"{"jsonrpc":"2.0","result":{"#] {
        let mut rig = Rig::listed();
        rig.client(&call(1, "time_get"));
        rig.client(&call(2, "files_get"));
        let answer = message(&rig.server(1, cut));
        assert_eq!((answer["id"].as_i64(), answer["error"]["code"].as_i64()), (Some(1), Some(-32_603)), "{cut}");
        assert_eq!(rig.server(1, cut), RouterOutput::default(), "nothing is open there");
        rig.client(&call(3, "files_get"));
        assert_eq!(rig.server(0, cut), RouterOutput::default(), "it may be the answer to either");
    }
}

#[test]
fn requests_for_several_servers_are_bounded() {
    let mut rig = Rig::listed();
    for id in 0..1_000 {
        assert_eq!(rig.client(&request(id, "tools/list", "{}")).to_servers.len(), 3);
    }
    assert_eq!(message(&rig.client(&request(1_000, "tools/list", "{}")))["error"]["code"], -32_603);
    let huge = format!(r#"{{"tools":[{{"name":"{}"}}],"nextCursor":"1"}}"#, "x".repeat(4 << 20));
    for id in 0..20 {
        rig.server(0, &answer(id, &huge));
    }
    assert!(rig.remarks().iter().any(|remark| remark.contains("too many answers are waiting")), "{:?}", rig.remarks());
}

#[test]
fn a_server_that_does_not_read_gets_no_further_requests() {
    let mut rig = Rig::listed();
    rig.router.set_stuck(1, true);
    let rejected = message(&rig.client(&call(1, "time_get")));
    assert_eq!(rejected["result"]["content"][0]["text"], "The MCP server time does not read its requests.");
    assert_eq!(rig.client(LIST), to_servers([(0, LIST), (2, LIST)]));
    rig.router.set_stuck(1, false);
    assert_eq!(rig.client(&call(2, "time_get")), to_servers([(1, &*call(2, "get"))]));
}

/// An event of a connection.
#[derive(Clone, Debug)]
enum Event {
    Client(String),
    Server(usize, String),
    Lose(usize),
    Restart(usize),
    Expire,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let id = || prop_oneof![Just("1"), Just("2"), Just("\"a\""), Just("\"toolbox-proxy-1\""), Just("null"), Just("{}")];
    let method = prop_oneof![
        Just("initialize"),
        Just("ping"),
        Just("tools/list"),
        Just("tools/call"),
        Just("resources/read"),
        Just("tasks/get"),
        Just("subscriptions/listen"),
        Just("server/discover"),
        Just("notifications/cancelled"),
        Just("notifications/progress"),
        Just("notifications/initialized"),
        Just("notifications/subscriptions/acknowledged"),
        Just("completion/complete"),
        Just("logging/setLevel"),
        Just("sampling/createMessage"),
    ];
    let value = prop_oneof![
        Just("{}"),
        Just("[]"),
        Just("1"),
        Just(r#"{"name":"files_x","uri":"x:y","taskId":"t","requestId":1,"progressToken":1}"#),
        Just(r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}"#),
        Just(r#"{"tools":[{"name":"x"}],"nextCursor":"a"}"#),
        Just(r#"{"tools":[{"name":"x"}],"task":{"taskId":"t"}}"#),
        Just(
            r#"{"_meta":{"progressToken":1,"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true},"ref":{"name":"files_p"}}"#
        ),
    ];
    let line = prop_oneof![
        (id(), method.clone(), value.clone())
            .prop_map(|(id, method, params)| format!(r#"{{"id":{id},"method":"{method}","params":{params}}}"#)),
        (method, value.clone()).prop_map(|(method, params)| format!(r#"{{"method":"{method}","params":{params}}}"#)),
        (id(), value.clone()).prop_map(|(id, result)| format!(r#"{{"id":{id},"result":{result}}}"#)),
        (id(), value).prop_map(|(id, error)| format!(r#"{{"id":{id},"error":{error}}}"#)),
        ".{0,20}",
    ];
    let event = prop_oneof![
        4 => line.clone().prop_map(Event::Client),
        6 => (0..3_usize, line).prop_map(|(server, line)| Event::Server(server, line)),
        1 => (0..3_usize).prop_map(Event::Lose),
        1 => (0..3_usize).prop_map(Event::Restart),
        1 => Just(Event::Expire),
    ];
    prop::collection::vec(event, 0..60)
}

proptest! {
    /// Each request of the client is answered once at most, and exactly once if it was not cancelled and all servers end.
    #[test]
    fn each_request_is_answered_once(events in events()) {
        let mut rig = Rig::new();
        let mut open: Vec<Value> = Vec::new();
        let mut events = events;
        events.extend((0..3).map(Event::Lose));
        events.push(Event::Expire);
        for event in events {
            let routed = match event {
                Event::Client(line) => {
                    // The guard forwards nothing else.
                    let Ok(frame) = Frame::parse(line.clone()) else { continue };
                    let message: Value = serde_json::from_str(&line).unwrap();
                    let id = &message["id"];
                    let is_request = message["method"].is_string() && (id.is_string() || id.is_u64());
                    // The guard sends no second request with the id of an open one.
                    if is_request && open.contains(id) {
                        continue;
                    }
                    if is_request {
                        open.push(id.clone());
                    }
                    if matches!(frame.message(), Message::Notification { method: "notifications/cancelled", .. }) {
                        open.retain(|id| *id != message["params"]["requestId"]);
                    }
                    rig.client(&line)
                }
                Event::Server(server, line) => rig.server(server, &line),
                Event::Lose(server) => rig.lose(server),
                Event::Restart(server) => {
                    let mut routed = rig.lose(server);
                    routed.to_client.extend(rig.restarted(server).to_client);
                    routed
                }
                Event::Expire => rig.expire(3_600),
            };
            for line in routed.to_client {
                let message: Value = serde_json::from_str(&line).unwrap();
                // An error with another id belongs to no request.
                if message.get("method").is_none() && (message["id"].is_string() || message["id"].is_number()) {
                    let position = open.iter().position(|id| *id == message["id"]);
                    prop_assert!(position.is_some(), "{line} answers nothing");
                    open.remove(position.unwrap_or_default());
                }
            }
        }
        prop_assert_eq!(open, Vec::<Value>::new());
    }
}
