//! Servers that never answer, in time that the test lets pass.

use super::super::super::ProxyBuilder;
use super::super::super::settings::Restart;
use super::group::{Group, Peer, greeted};
use super::*;

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_the_handshake_is_left_out() {
    let mut group = Group::new(ProxyBuilder::no_throttle).await;
    let begun = Instant::now();
    group.client.send(INITIALIZE).await;
    group.files.message().await;
    group.time.answer("initialize", &greeted("2025-11-25")).await;
    assert_eq!(group.client.message().await["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(begun.elapsed(), Duration::from_secs(30));
    group.client.send(INITIALIZED).await;
    assert_eq!(group.time.line().await, INITIALIZED);
    group.client.send(LIST).await;
    group.time.list(&["get"]).await;
    assert_eq!(names(&group.client.message().await), ["time_get"]);
    group.time_works(2).await;
    assert!(group.has_remark("files: the server has not answered the handshake in time, and is left out"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_what_it_can_do_is_missing_in_the_answer() {
    let mut group = Group::new(|proxy| proxy).await;
    let begun = Instant::now();
    let version = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
    group.client.send(request(1, "server/discover", version)).await;
    let result = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
    group.time.answer("server/discover", &result).await;
    let discovered = group.client.message().await;
    assert_eq!(discovered["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["title"], "time", "{discovered}");
    assert_eq!(begun.elapsed(), Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn a_restarted_server_that_never_answers_the_handshake_is_started_again() {
    let restart = Restart { attempts: 2, pause: Duration::from_secs(1) };
    let mut group = Group::listed(|proxy| proxy.no_throttle().restart(restart)).await;
    drop(std::mem::replace(&mut group.files, Peer::new().0));
    let mut silent = group.started.recv().await.unwrap().1;
    let begun = Instant::now();
    assert_eq!(silent.message().await["method"], "initialize");
    let mut server = group.started.recv().await.unwrap().1;
    assert_eq!(begun.elapsed(), Duration::from_secs(32), "30 seconds, and the second pause");
    assert!(group.has_remark("files: the restarted server did not repeat the handshake"));
    server.answer("initialize", &greeted("2025-11-25")).await;
    assert_eq!(server.line().await, INITIALIZED);
    assert_eq!(group.proxy.report().restarts, 1);
}

#[tokio::test(start_paused = true)]
async fn a_container_has_the_tools_of_the_servers_that_list_them_in_time() {
    let mut group = Group::greeted(|proxy| proxy.container("all", "All tools.", ["*"])).await;
    let begun = Instant::now();
    group.client.send(LIST).await;
    group.files.message().await;
    group.time.list(&["get"]).await;
    assert_eq!(names(&group.client.message().await), ["all"]);
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    group.client.send(request(1, "tools/call", r#"{"name":"all"}"#)).await;
    assert_eq!(group.client.message().await["method"], "notifications/tools/list_changed");
    let expanded = group.client.message().await.to_string();
    assert!(expanded.contains("time_get") && !expanded.contains("files_get"), "{expanded}");
}

#[tokio::test(start_paused = true)]
async fn calls_wait_for_the_list_of_the_servers_that_answer_in_time() {
    let mut group = Group::greeted(ProxyBuilder::no_throttle).await;
    group.client.send(call(1, "time_gett")).await;
    group.files.message().await;
    group.time.list(&["get"]).await;
    let cancelled = group.files.message().await;
    assert_eq!(cancelled["method"], "notifications/cancelled", "{cancelled}");
    // The server may have the tool nevertheless. If it does not, the client gets a suggestion from the list.
    assert_eq!(group.time.message().await["params"]["name"], "gett");
    group.time.send(failed(1, -32_602)).await;
    let answer = group.client.message().await.to_string();
    assert!(answer.contains("Did you mean") || answer.contains("did_you_mean"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_list_that_no_server_answers_is_rejected_within_the_time_limit() {
    let mut group = Group::greeted(|proxy| proxy.container("all", "All tools.", ["*"])).await;
    let begun = Instant::now();
    group.client.send(LIST).await;
    assert_eq!(group.client.message().await["error"]["message"], "No MCP server has answered.");
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_for_a_resource_lets_the_next_one_answer() {
    let mut group = Group::greeted(|proxy| proxy).await;
    let begun = Instant::now();
    let read = request(1, "resources/read", r#"{"uri":"memo://1"}"#);
    group.client.send(&read).await;
    assert_eq!(group.files.line().await, read);
    assert_eq!(group.time.line().await, read);
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    assert_eq!(group.files.message().await["method"], "notifications/cancelled");
    group.files.send(answer(1, r#"{"contents":[{"uri":"late"}]}"#)).await;
    group.time.send(answer(1, r#"{"contents":[]}"#)).await;
    assert_eq!(group.client.line().await, answer(1, r#"{"contents":[]}"#));
    // If the others do not have it either, the client learns that one server has not answered.
    let read = request(2, "resources/read", r#"{"uri":"memo://2"}"#);
    group.client.send(&read).await;
    assert_eq!(group.files.line().await, read);
    assert_eq!(group.time.line().await, read);
    group.time.send(failed(2, -32_002)).await;
    let message = &group.client.message().await["error"]["message"];
    assert_eq!(message, "The MCP server files has not answered within 10s.");
}
