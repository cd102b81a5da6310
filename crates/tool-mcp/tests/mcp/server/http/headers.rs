//! Parameters that clients repeat in HTTP headers (`x-mcp-header`).

use serde_json::{Value, json};
use tool_mcp::Server;
use tool_runtime::{Toolbox, tool};

use super::{Reply, Served, initialize, post, request, start};
use crate::wire::Wire;

/// Runs a query.
#[tool]
fn query(
    /// The region of the database.
    #[tool(mcp_header = "Region")]
    region: String,
    /// The largest number of rows.
    #[tool(mcp_header = "Max-Rows", range(max = 1_000))]
    rows: Option<u64>,
) -> String {
    format!("{region}, {rows:?}")
}

fn server() -> Server {
    Server::new(Toolbox::builder().tool(QueryTool).no_throttle().build().expect("the tool is valid"))
}

#[tokio::test]
async fn a_definition_names_the_headers_of_its_parameters() {
    let properties = json!({
        "region": {"type": "string", "description": "The region of the database.", "x-mcp-header": "Region"},
        "rows": {
            "type": "integer",
            "description": "The largest number of rows.",
            "minimum": 0,
            "maximum": 1000,
            "x-mcp-header": "Max-Rows",
        },
    });
    let wires = [Wire::initialize(server(), "2025-11-25", json!({})).await, Wire::stateless(server(), json!({}))];
    for mut wire in wires {
        let list = wire.request("tools/list", json!({})).await;
        assert_eq!(list["result"]["tools"][0]["inputSchema"]["properties"], properties);
        wire.close().await;
    }
}

async fn queried(served: &Served, arguments: Value, headers: &[(&str, &str)]) -> Reply {
    super::call_with(served.address, headers, "query", arguments).await
}

#[tokio::test]
async fn a_header_that_differs_from_its_argument_is_rejected() {
    let served = start(server().http()).await;
    let both = json!({"region": "us", "rows": 5});
    let accepted: [(Value, &[(&str, &str)]); 5] = [
        (both.clone(), &[("Mcp-Param-Region", "us"), ("mcp-param-max-rows", "5")]),
        (json!({"region": "us"}), &[("Mcp-Param-Region", "us")]),
        (json!({"region": "us", "rows": null}), &[("Mcp-Param-Region", "us")]),
        (json!({"region": "Zürich"}), &[("Mcp-Param-Region", "=?base64?WsO8cmljaA==?=")]),
        (json!({"region": "us"}), &[("Mcp-Param-Region", "us"), ("Mcp-Param-Other", "x")]),
    ];
    for (arguments, headers) in accepted {
        let reply = queried(&served, arguments.clone(), headers).await;
        assert_eq!((reply.status, &reply.json()["result"]["isError"]), (200, &json!(false)), "{arguments}");
    }
    let rejected: [(Value, &[(&str, &str)]); 6] = [
        (both.clone(), &[]),
        (both.clone(), &[("Mcp-Param-Region", "us")]),
        (both.clone(), &[("Mcp-Param-Region", "eu"), ("Mcp-Param-Max-Rows", "5")]),
        (both, &[("Mcp-Param-Region", "us"), ("Mcp-Param-Max-Rows", "6")]),
        (json!({}), &[("Mcp-Param-Region", "us")]),
        (json!({"region": "us"}), &[("Mcp-Param-Region", "=?base64?!?=")]),
    ];
    for (arguments, headers) in rejected {
        let reply = queried(&served, arguments.clone(), headers).await;
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32020)), "{arguments}");
    }

    // Earlier revisions do not have these headers.
    let begun = post(served.address, &[], &initialize()).await;
    let session = ("Mcp-Session-Id", begun.header("mcp-session-id").expect("a session"));
    let call = request("tools/call", &json!({"name": "query", "arguments": {"region": "us"}}));
    let reply = post(served.address, &[session], &call).await;
    assert_eq!(reply.json()["result"]["isError"], false);
    served.stop().await;
}
