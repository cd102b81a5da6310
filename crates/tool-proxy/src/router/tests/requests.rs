//! Requests of the client and of servers that work as they should.

use super::*;

#[test]
fn the_handshake_goes_to_all_servers_and_their_answers_are_united() {
    let mut rig = Rig::new();
    assert_eq!(rig.client(INITIALIZE), to_servers([(0, INITIALIZE), (1, INITIALIZE), (2, INITIALIZE)]));
    assert_eq!(rig.server(0, &greeting("2025-11-25", &json!({"tools": {}}))), RouterOutput::default());
    assert_eq!(rig.server(1, &greeting("2025-06-18", &json!({"prompts": {}}))), RouterOutput::default());
    let result = &message(&rig.server(2, &greeting("2025-11-25", &json!({"logging": {}}))))["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    let capabilities = json!({"tools": {"listChanged": true}, "prompts": {"listChanged": true}, "logging": {}});
    assert_eq!(result["capabilities"], capabilities);
    assert_eq!(rig.client(INITIALIZED), to_servers([(0, INITIALIZED), (1, INITIALIZED), (2, INITIALIZED)]));
    // Only the servers with the capability are asked.
    assert_eq!(rig.client(LIST), to_servers([(0, LIST)]));
    let level = request(1, "logging/setLevel", r#"{"level":"info"}"#);
    assert_eq!(rig.client(&level), to_servers([(2, &*level)]));
    assert_eq!(rig.server(2, &answer(1, "{}")), to_client([&*answer(1, "{}")]));
    let resources = request(2, "resources/list", "{}");
    assert_eq!(rig.client(&resources), to_client([&*answer(2, r#"{"resources":[]}"#)]));
}

#[test]
fn all_pages_of_all_servers_are_one_list_with_prefixed_names() {
    let mut rig = Rig::greeted(json!({"tools": {}}));
    assert_eq!(rig.client(LIST).to_servers.len(), 3);
    rig.server(1, &list("list", &["now"]));
    rig.server(2, r#"{"id":"list","error":{"code":-32601,"message":"no tools"}}"#);
    let page = r#"{"id":"list","result":{"tools":[{"name":"read", "x": 1.50}],"nextCursor":"2"}}"#;
    let next = rig.server(0, page).to_servers;
    let expected = r#"{"jsonrpc":"2.0","id":"toolbox-proxy-1","method":"tools/list","params":{"cursor":"2"}}"#;
    assert_eq!(next, [(0, expected.to_owned())]);
    let end = rig.server(0, r#"{"id":"toolbox-proxy-1","result":{"tools":[{"name":"write"}]}}"#);
    assert_eq!(
        end,
        to_client([
            r#"{"jsonrpc":"2.0","id":"list","result":{"tools":[{"name":"files_read", "x": 1.50},{"name":"files_write"},{"name":"time_now","inputSchema":{}}]}}"#
        ])
    );
    assert_eq!(rig.remarks(), Vec::<String>::new(), "a server without tools is no fault");
    let cursor = r#"{"id":9,"method":"tools/list","params":{"cursor":"2"}}"#;
    assert_eq!(message(&rig.client(cursor))["error"]["code"], -32_602, "there is only one page");
}

#[test]
fn a_call_reaches_its_server_without_the_prefix_and_all_else_is_unchanged() {
    let mut rig = Rig::listed();
    assert_eq!(rig.client(&call(1, "time_get")), to_servers([(1, &*call(1, "get"))]));
    let answer = r#"{"result": {"content":[ ]}, "id":1 ,"jsonrpc":"2.0"}"#;
    assert_eq!(rig.server(1, answer), to_client([answer]));
    // A server may have tools that it does not list.
    assert_eq!(rig.client(&call(2, "memory_other")), to_servers([(2, &*call(2, "other"))]));
    let unknown = message(&rig.client(&call(3, "other")));
    assert_eq!((&unknown["id"], &unknown["error"]["code"]), (&json!(3), &json!(-32_602)), "{unknown}");
    assert_eq!(message(&rig.client(&request(4, "tools/call", "{}")))["error"]["code"], -32_602);
}

#[test]
fn the_longest_prefix_counts_unless_a_server_lists_the_name() {
    let mut rig = Rig::with([("a", "a_"), ("ab", "a_b_"), ("none", "")]);
    assert_eq!(rig.client(&call(1, "a_b_c")), to_servers([(1, &*call(1, "c"))]));
    assert_eq!(rig.client(&call(2, "x")), to_servers([(2, &*call(2, "x"))]));
    rig.client(LIST);
    rig.server(0, &list("list", &["b_c"]));
    rig.server(1, &list("list", &[]));
    rig.server(2, &list("list", &["a_x"]));
    assert_eq!(rig.client(&call(3, "a_b_c")), to_servers([(0, &*call(3, "b_c"))]));
    assert_eq!(rig.client(&call(4, "a_x")), to_servers([(2, &*call(4, "a_x"))]));
}

#[test]
fn of_two_tools_with_one_name_the_first_server_keeps_it() {
    let mut rig = Rig::with([("a", ""), ("b", "")]);
    for _ in 0..2 {
        rig.client(LIST);
        rig.server(1, &list("list", &["get", "put"]));
        assert_eq!(names(&message(&rig.server(0, &list("list", &["get"])))), ["get", "put"]);
    }
    assert_eq!(rig.remarks(), ["b: get is left out, because another server has the same name; set a `prefix`"]);
    assert_eq!(rig.client(&call(1, "get")), to_servers([(0, &*call(1, "get"))]));
    assert_eq!(rig.client(&call(2, "put")), to_servers([(1, &*call(2, "put"))]));
}

#[test]
fn two_servers_can_use_the_same_id_and_the_same_progress_token() {
    let mut rig = Rig::listed();
    let question = |id: &str, token: &str| {
        format!(r#"{{"id":{id},"method":"sampling/createMessage","params":{{"_meta":{{"progressToken":{token}}}}}}}"#)
    };
    assert_eq!(rig.server(0, &question("\"q\"", "5")), to_client([&*question("1", "1")]));
    assert_eq!(rig.server(2, &question("\"q\"", "5")), to_client([&*question("2", "2")]));
    let progress = |token: u64| {
        format!(r#"{{"method":"notifications/progress","params":{{"progress":1,"progressToken":{token}}}}}"#)
    };
    assert_eq!(rig.client(&progress(2)), to_servers([(2, &*progress(5))]));
    assert_eq!(rig.client(&progress(9)), RouterOutput::default());
    let answer = r#"{"id":"q","result":{}}"#;
    assert_eq!(rig.client(r#"{"id":2,"result":{}}"#), to_servers([(2, answer)]));
    let cancel = |id: &str| format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    assert_eq!(rig.server(1, &cancel("\"q\"")), RouterOutput::default(), "it is not the question of this server");
    assert_eq!(rig.server(0, &cancel("\"q\"")), to_client([&*cancel("1")]));
    assert_eq!(rig.client(r#"{"id":1,"result":{}}"#), RouterOutput::default());
    assert_eq!(rig.server(0, &question("\"q\"", "5")), to_client([&*question("3", "3")]));
    assert_eq!(rig.server(0, &question("\"q\"", "6")).to_servers.len(), 1, "the id is in use");
}

#[test]
fn a_cancellation_goes_to_the_servers_that_have_the_request() {
    let mut rig = Rig::listed();
    let cancel = |id: &str| format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    rig.client(&call(1, "time_get"));
    assert_eq!(rig.client(&cancel("1")), to_servers([(1, &*cancel("1"))]));
    assert_eq!(rig.client(&cancel("1")), RouterOutput::default());
    assert_eq!(rig.server(1, &answer(1, "{}")), RouterOutput::default(), "nobody waits for it");
    rig.client(LIST);
    rig.server(0, &list("list", &["get"]));
    rig.server(1, r#"{"id":"list","result":{"tools":[],"nextCursor":"2"}}"#);
    let cancelled = rig.client(&cancel("\"list\""));
    assert_eq!(cancelled, to_servers([(1, &*cancel("\"toolbox-proxy-1\"")), (2, &*cancel("\"list\""))]));
    assert_eq!(rig.server(2, &list("list", &[])), RouterOutput::default());
}

#[test]
fn a_resource_is_read_from_the_server_that_lists_it_or_from_one_after_the_other() {
    let mut rig = Rig::greeted(json!({"resources": {}}));
    rig.client(&request(1, "resources/list", "{}"));
    rig.server(0, &answer(1, r#"{"resources":[]}"#));
    rig.server(1, &answer(1, r#"{"resources":[{"uri":"memo://1","name":"a"}]}"#));
    rig.server(2, &answer(1, r#"{"resources":[]}"#));
    rig.client(&request(2, "resources/templates/list", "{}"));
    rig.server(0, &answer(2, r#"{"resourceTemplates":[]}"#));
    rig.server(1, &answer(2, r#"{"resourceTemplates":[]}"#));
    rig.server(2, &answer(2, r#"{"resourceTemplates":[{"uriTemplate":"file:///{path}","name":"b"}]}"#));

    let read = |id, uri| request(id, "resources/read", &format!(r#"{{"uri":"{uri}"}}"#));
    assert_eq!(rig.client(&read(3, "memo://1")), to_servers([(1, &*read(3, "memo://1"))]));
    assert_eq!(rig.client(&read(4, "file:///a")), to_servers([(2, &*read(4, "file:///a"))]));
    assert_eq!(rig.server(2, &failed(4, -32_002)), to_servers([(0, &*read(4, "file:///a"))]));
    assert_eq!(rig.server(0, &failed(4, -32_601)), to_servers([(1, &*read(4, "file:///a"))]));
    assert_eq!(rig.server(1, &answer(4, "{}")), to_client([&*answer(4, "{}")]));
    let subscribe = request(5, "resources/subscribe", r#"{"uri":"file:///a"}"#);
    assert_eq!(rig.client(&subscribe), to_servers([(1, &*subscribe)]), "the server that had it");
    for (server, code) in [(0, 0), (1, 1), (2, 2)] {
        let line = read(6, "x://y");
        let expected = if server == 0 { rig.client(&line) } else { rig.server(server - 1, &failed(6, code)) };
        assert_eq!(expected, to_servers([(server, &*line)]));
    }
    assert_eq!(rig.server(2, &failed(6, 9)), to_client([&*failed(6, 1)]), "the first rejection");
}

#[test]
fn completions_and_tasks_go_to_their_servers() {
    let mut rig = Rig::listed();
    let complete = |name: &str| {
        format!(
            r#"{{"id":1,"method":"completion/complete","params":{{"ref":{{"type":"ref/prompt","name":"{name}"}}}}}}"#
        )
    };
    assert_eq!(rig.client(&complete("memory_p")), to_servers([(2, &*complete("p"))]));
    rig.client(&call(2, "files_get"));
    rig.server(0, &answer(2, r#"{"task":{"taskId":"t","status":"working"}}"#));
    let get = request(3, "tasks/get", r#"{"taskId":"t"}"#);
    assert_eq!(rig.client(&get), to_servers([(0, &*get)]));
    assert_eq!(message(&rig.client(&request(4, "tasks/cancel", r#"{"taskId":"u"}"#)))["error"]["code"], -32_602);
    assert_eq!(rig.client(r#"{"id":5,"method":"ping"}"#), to_client([&*answer(5, "{}")]));
    let unknown = message(&rig.client(r#"{"id":6,"method":"x/y"}"#));
    assert_eq!(unknown["error"]["code"], -32_601);
    assert_eq!(unknown["error"]["message"], "With several MCP servers, the proxy cannot forward x/y.");
}

#[test]
fn a_subscription_is_acknowledged_once_with_everything_that_was_accepted() {
    let mut rig = Rig::with([("a", "a_"), ("b", "b_")]);
    let listen = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"notifications":{"toolsListChanged":true}}}"#;
    assert_eq!(rig.client(listen), to_servers([(0, listen), (1, listen)]));
    let accept = |accepted: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":1}},"notifications":{accepted}}}}}"#
        )
    };
    assert_eq!(rig.server(0, &accept("{}")), RouterOutput::default());
    let accepted = accept(r#"{"toolsListChanged":true}"#);
    assert_eq!(rig.server(1, &accepted), to_client([&*accepted]));
    assert_eq!(rig.server(1, &accepted), RouterOutput::default());
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#;
    assert_eq!(rig.server(0, changed), to_client([changed]));
    // The subscription continues with the other server, and with the restarted one.
    assert_eq!(rig.lose(0).to_client[0], changed);
    let routed = rig.restarted(0);
    assert_eq!((routed.to_servers, &*routed.to_client[0]), (vec![(0, listen.to_owned())], changed));
    rig.server(0, &answer(1, "{}"));
    assert_eq!(rig.server(1, &answer(1, r#"{"resultType":"complete"}"#)), to_client([&*answer(1, "{}")]));
}

#[test]
fn the_lists_of_revision_2026_07_28_have_a_type_and_a_time() {
    let mut rig = Rig::with([("a", "a_"), ("b", "b_")]);
    let meta = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1}}"#;
    rig.client(&request(1, "tools/list", meta));
    rig.server(1, &answer(1, r#"{"resultType":"complete","tools":[],"ttlMs":100,"cacheScope":"public"}"#));
    let next =
        rig.server(0, &answer(1, r#"{"tools":[],"ttlMs":50,"cacheScope":"private","nextCursor":"c"}"#)).to_servers;
    let params = r#"{"cursor":"c","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
    assert_eq!(
        next,
        [(0, format!(r#"{{"jsonrpc":"2.0","id":"toolbox-proxy-1","method":"tools/list","params":{params}}}"#))]
    );
    let end = rig.server(0, r#"{"id":"toolbox-proxy-1","result":{"tools":[],"ttlMs":70,"cacheScope":"public"}}"#);
    let result = r#"{"resultType":"complete","tools":[],"ttlMs":50,"cacheScope":"private"}"#;
    assert_eq!(end, to_client([&*answer(1, result)]));

    rig.client(&request(2, "server/discover", meta));
    rig.server(0, &answer(2, r#"{"supportedVersions":["2026-07-28","2027-01-01"],"capabilities":{"tools":{}},"ttlMs":9,"cacheScope":"public"}"#));
    let discovered = message(&rig.server(
        1,
        &answer(
            2,
            r#"{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}},"ttlMs":5,"cacheScope":"public"}"#,
        ),
    ));
    let result = &discovered["result"];
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["capabilities"], json!({"tools": {}, "prompts": {}}));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(5), &json!("public")));
}
