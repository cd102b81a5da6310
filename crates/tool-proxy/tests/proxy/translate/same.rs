//! Clients and servers that speak the same revision, and the first messages that show it.

use std::time::Duration;

use serde_json::json;
use tool_proxy::VersionTranslation;

use super::modern::{DISCOVER, META};
use crate::rig::{Rig, search};

#[tokio::test]
async fn nothing_changes_between_sides_of_the_same_revision() {
    for setting in [VersionTranslation::Auto, VersionTranslation::Always, VersionTranslation::Never] {
        let mut rig = Rig::with(|proxy| proxy.translate_versions(setting));
        rig.reaches_server(DISCOVER).await;
        rig.reaches_client(r#"{"jsonrpc":"2.0", "id":"d","result":{"supportedVersions":["2026-07-28"] }}"#).await;
        rig.reaches_server(&format!(r#"{{"id":1, "method":"tools/list","params":{{"_meta":{META} }}}}"#)).await;
        rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","tools":[]}}"#).await;
        let mut rig = Rig::with(|proxy| proxy.translate_versions(setting));
        rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
        rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
        rig.reaches_server(r#"{"method":"notifications/initialized" }"#).await;
        rig.reaches_server(r#"{"id":1, "method":"tools/list"}"#).await;
        rig.reaches_client(r#"{"id":1, "result":{"tools":[] }}"#).await;
    }
}

#[tokio::test]
async fn a_client_that_speaks_both_revisions_can_use_the_handshake() {
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_client(r#"{"id":"d", "error":{"code":-32601,"message":"Method not found"}}"#).await;
    rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.list(&[search()]).await;
    assert!(rig.remarks()[0].contains("translate = \"always\""), "{:?}", rig.remarks());
    // A server that does not answer at all.
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_server(r#"{"method":"notifications/cancelled","params":{"requestId":"d"}}"#).await;
    rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.list(&[search()]).await;
}

#[tokio::test]
async fn a_server_that_rejects_a_revision_by_name_is_not_translated() {
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Always));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_client(
        r#"{"id":"d","error":{"code":-32022,"message":"Unsupported","data":{"supported":["2027-01-01"]}}}"#,
    )
    .await;
    rig.reaches_server(r#"{"id":1, "method":"tools/list"}"#).await;
}

#[tokio::test]
async fn a_list_shows_the_revision_of_the_server() {
    let list = format!(r#"{{"id":1, "method":"tools/list","params":{{"_meta":{META} }}}}"#);
    for answer in [
        r#"{"id":1, "result":{"tools":[] ,"resultType":"complete"}}"#,
        r#"{"id":1, "error":{"code":-32021,"message":"A capability is missing" }}"#,
    ] {
        let mut rig = Rig::with(|proxy| proxy);
        rig.reaches_server(&list).await;
        rig.reaches_client(answer).await;
        rig.reaches_server(&list).await;
    }
}

#[tokio::test]
async fn an_answer_that_fits_both_revisions_waits_until_the_server_has_shown_its_own() {
    for answer in
        [r#"{"id":1, "result":{"tools":[] }}"#, r#"{"id":1, "error":{"code":-32602,"message":"Not initialized" }}"#]
    {
        let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
        rig.reaches_server(&format!(r#"{{"id":1, "method":"tools/list","params":{{"_meta":{META} }}}}"#)).await;
        rig.server.send(answer).await;
        let probe = rig.server.message().await;
        assert_eq!(probe["method"], "server/discover");
        rig.server.send(json!({"id": probe["id"], "result": {"supportedVersions": ["2026-07-28"]}}).to_string()).await;
        assert_eq!(rig.client.line().await, answer);
        rig.reaches_server(&format!(r#"{{"id":2, "method":"tools/list","params":{{"_meta":{META} }}}}"#)).await;
    }
}

#[tokio::test]
async fn another_first_request_waits_until_the_revision_of_the_server_is_known() {
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    // The proxy adds the members that are missing, because a server of either revision would reject its own request otherwise.
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let get = format!(r#"{{"id":1, "method":"prompts/get","params":{{"_meta":{meta} }}}}"#);
    rig.client.send(&get).await;
    let probe = rig.server.message().await;
    assert_eq!(probe["method"], "server/discover");
    let meta = &probe["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "toolbox-proxy");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));
    rig.server.send(json!({"id": probe["id"], "result": {"supportedVersions": ["2026-07-28"]}}).to_string()).await;
    assert_eq!(rig.server.line().await, get);
    rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","messages":[]}}"#).await;
}

#[tokio::test]
async fn a_first_request_is_answered_although_a_handshake_follows() {
    let initialize = r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    let request = |method: &str| format!(r#"{{"id":1, "method":"{method}","params":{{"_meta":{META} }}}}"#);
    // A request that waits for the revision of the server.
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    rig.client.send(request("prompts/get")).await;
    assert_eq!(rig.server.message().await["method"], "server/discover");
    rig.client.send(initialize).await;
    assert_eq!(rig.server.line().await, request("prompts/get"));
    assert_eq!(rig.server.line().await, initialize);
    // An answer that waits for it.
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    rig.reaches_server(&request("prompts/list")).await;
    rig.server.send(r#"{"id":1, "result":{"prompts":[] }}"#).await;
    assert_eq!(rig.server.message().await["method"], "server/discover");
    rig.client.send(initialize).await;
    assert_eq!(rig.client.line().await, r#"{"id":1, "result":{"prompts":[] }}"#);
    assert_eq!(rig.server.line().await, initialize);
}

#[tokio::test]
async fn a_cancelled_first_request_does_not_keep_others_waiting() {
    let mut rig = Rig::with(|proxy| proxy);
    let list = |id: u8| format!(r#"{{"id":{id}, "method":"tools/list","params":{{"_meta":{META} }}}}"#);
    rig.reaches_server(&list(1)).await;
    rig.client.send(list(2)).await;
    rig.reaches_server(r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    assert_eq!(rig.server.line().await, list(2));
    rig.reaches_client(r#"{"id":2, "result":{"resultType":"complete","tools":[] }}"#).await;
}

#[tokio::test]
async fn a_request_that_was_cancelled_while_it_waited_is_not_sent() {
    let mut rig = Rig::with(|proxy| proxy);
    let request = |id: u8, method: &str| format!(r#"{{"id":{id}, "method":"{method}","params":{{"_meta":{META} }}}}"#);
    rig.reaches_server(&request(1, "tools/list")).await;
    rig.client.send(request(2, "prompts/get")).await;
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":2}}"#).await;
    rig.client.send(request(3, "prompts/list")).await;
    // Another cancellation does not wait, so the proxy has got the lines before it.
    rig.reaches_server(r#"{"method":"notifications/cancelled","params":{"requestId":99}}"#).await;
    rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","tools":[] }}"#).await;
    assert_eq!(rig.server.line().await, request(3, "prompts/list"));
}

/// Lets more time pass than lines wait for the first answer.
async fn wait() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(6)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn the_wait_for_the_first_answer_is_bounded() {
    let list = |id: u8| format!(r#"{{"id":{id}, "method":"tools/list","params":{{"_meta":{META} }}}}"#);
    let mut rig = Rig::with(|proxy| proxy);
    rig.reaches_server(&list(1)).await;
    wait().await;
    rig.reaches_server(&list(2)).await;
    rig.reaches_client(r#"{"id":2, "result":{"resultType":"complete","tools":[] }}"#).await;
    rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","tools":[] }}"#).await;
    // A server that does not answer the request of the proxy either.
    let mut rig = Rig::with(|proxy| proxy);
    let get = format!(r#"{{"id":1, "method":"prompts/get","params":{{"_meta":{META} }}}}"#);
    rig.client.send(&get).await;
    assert_eq!(rig.server.message().await["method"], "server/discover");
    wait().await;
    rig.client.send(list(2)).await;
    assert_eq!((rig.server.line().await, rig.server.line().await), (get, list(2)));
}

#[tokio::test]
async fn requests_that_a_server_of_any_revision_rejects_show_nothing() {
    let mut rig = Rig::with(|proxy| proxy);
    // An unknown revision, an incomplete request, and a handshake for a revision that has none.
    let unknown =
        r#"{"id":1, "method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}}"#;
    rig.reaches_server(unknown).await;
    rig.reaches_client(r#"{"id":1, "error":{"code":-32022,"message":"Unsupported"}}"#).await;
    let discover = r#"{"id":2, "method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    rig.reaches_server(discover).await;
    rig.reaches_client(r#"{"id":2, "error":{"code":-32602,"message":"Incomplete"}}"#).await;
    let mut other = Rig::with(|proxy| proxy);
    other.reaches_server(r#"{"id":3, "method":"initialize","params":{"protocolVersion":"2026-07-28"}}"#).await;
    other.reaches_client(r#"{"id":3, "error":{"code":-32601,"message":"Not found"}}"#).await;
    // The server has shown nothing, so a list still shows its revision.
    rig.reaches_server(&format!(r#"{{"id":4, "method":"tools/list","params":{{"_meta":{META} }}}}"#)).await;
    rig.reaches_client(r#"{"id":4, "result":{"resultType":"complete","tools":[] }}"#).await;
}
