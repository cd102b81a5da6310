//! Clients and servers that speak the same revision, and the first messages that show it.

use serde_json::json;
use tool_mcp::proxy::Translation;

use super::modern::{DISCOVER, META};
use crate::proxy::rig::{Rig, search};

#[tokio::test]
async fn nothing_changes_between_sides_of_the_same_revision() {
    for setting in [Translation::Auto, Translation::Always, Translation::Never] {
        let mut rig = Rig::with(|proxy| proxy.translate(setting));
        rig.reaches_server(DISCOVER).await;
        rig.reaches_client(r#"{"jsonrpc":"2.0", "id":"d","result":{"supportedVersions":["2026-07-28"] }}"#).await;
        rig.reaches_server(&format!(r#"{{"id":1, "method":"tools/list","params":{{"_meta":{META} }}}}"#)).await;
        rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","tools":[]}}"#).await;
        let mut rig = Rig::with(|proxy| proxy.translate(setting));
        rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
        rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
        rig.reaches_server(r#"{"method":"notifications/initialized" }"#).await;
        rig.reaches_server(r#"{"id":1, "method":"tools/list"}"#).await;
        rig.reaches_client(r#"{"id":1, "result":{"tools":[] }}"#).await;
    }
}

#[tokio::test]
async fn a_client_that_speaks_both_revisions_can_use_the_handshake() {
    let mut rig = Rig::with(|proxy| proxy.translate(Translation::Auto));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_client(r#"{"id":"d", "error":{"code":-32601,"message":"Method not found"}}"#).await;
    rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.list(&[search()]).await;
    assert!(rig.remarks()[0].contains("translate = \"always\""), "{:?}", rig.remarks());
    // A server that does not answer at all.
    let mut rig = Rig::with(|proxy| proxy.translate(Translation::Auto));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_server(r#"{"method":"notifications/cancelled","params":{"requestId":"d"}}"#).await;
    rig.reaches_server(r#"{"id":"i", "method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.reaches_client(r#"{"id":"i", "result":{"protocolVersion":"2025-11-25"}}"#).await;
    rig.list(&[search()]).await;
}

#[tokio::test]
async fn a_server_that_refuses_a_revision_by_name_is_not_translated() {
    let mut rig = Rig::with(|proxy| proxy.translate(Translation::Always));
    rig.reaches_server(DISCOVER).await;
    rig.reaches_client(
        r#"{"id":"d","error":{"code":-32022,"message":"Unsupported","data":{"supported":["2027-01-01"]}}}"#,
    )
    .await;
    rig.reaches_server(r#"{"id":1, "method":"tools/list"}"#).await;
}

#[tokio::test]
async fn a_first_request_waits_until_the_revision_of_the_server_is_known() {
    let mut rig = Rig::with(|proxy| proxy.translate(Translation::Auto));
    let list = format!(r#"{{"id":1, "method":"tools/list","params":{{"_meta":{META} }}}}"#);
    rig.client.send(&list).await;
    let probe = rig.server.message().await;
    assert_eq!(probe["method"], "server/discover");
    let meta: serde_json::Value = serde_json::from_str(META).unwrap();
    assert_eq!(probe["params"], json!({"_meta": meta}));
    rig.server.send(json!({"id": probe["id"], "result": {"supportedVersions": ["2026-07-28"]}}).to_string()).await;
    assert_eq!(rig.server.line().await, list);
    rig.reaches_client(r#"{"id":1, "result":{"resultType":"complete","tools":[]}}"#).await;
}
