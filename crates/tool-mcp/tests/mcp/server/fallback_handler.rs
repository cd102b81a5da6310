//! A server around another handler, and output schemas of values that are not objects.

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListPromptsResult,
    ListToolsResult, PaginatedRequestParams, Prompt, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tool_dynamic::DynamicTool;
use tool_mcp::{Server, rmcp};
use tool_runtime::{ToolError, Toolbox};

use super::tools::toolbox;
use crate::wire::Wire;

/// A handler with a prompt, a tool, and another tool that has the same name as one of ours.
struct Others {
    list_changes: Option<bool>,
}

const OTHERS: Others = Others { list_changes: None };

fn their(name: &'static str) -> Tool {
    Tool::new(name, "Theirs.", rmcp::model::JsonObject::new())
}

impl ServerHandler for Others {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder().enable_prompts().enable_tools().build();
        if let Some(tools) = &mut capabilities.tools {
            tools.list_changed = self.list_changes;
        }
        ServerConfig::new(capabilities).with_instructions("Ask for a plan.")
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("plan", Some("Plans a trip."), None)]))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(vec![their("add"), their("sample")]);
        Ok(list.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        ["add", "sample", "Clock", "hour"].into_iter().find(|known| *known == name).map(their)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(format!("their {}", request.name))]).into())
    }
}

async fn wires(server: impl Fn() -> Server<Others>) -> [Wire; 2] {
    [Wire::initialize(server(), "2025-11-25", json!({})).await, Wire::stateless(server(), json!({}))]
}

#[tokio::test]
async fn another_handler_answers_requests_that_are_not_about_our_tools() {
    for (index, mut wire) in
        wires(|| Server::new(toolbox()).with_fallback_handler(OTHERS)).await.into_iter().enumerate()
    {
        let prompts = wire.request("prompts/list", json!({})).await;
        assert_eq!(prompts["result"]["prompts"][0]["name"], "plan");
        let resources = wire.request("resources/list", json!({})).await;
        assert_eq!(resources["error"]["code"], -32601);

        let list = wire.request("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().expect("a list");
        let named = |name: &str| tools.iter().filter(|tool| tool["name"] == name).collect::<Vec<_>>();
        assert_eq!((named("add").len(), named("sample").len()), (1, 1));
        assert_eq!(named("add")[0]["title"], "Addition");

        let theirs = wire.call("sample", json!({})).await;
        assert_eq!(theirs["result"]["content"][0]["text"], "their sample");
        let ours = wire.call("add", json!({"a": 1, "b": 2})).await;
        assert_eq!(ours["result"]["content"][0]["text"], "3.0");
        // A member is our tool even if its container is not expanded.
        let member = wire.call("hour", json!({})).await;
        assert_eq!(member["result"]["isError"] == false, index == 1, "{member}");
        let unknown = wire.call("nobody", json!({})).await;
        assert_eq!(unknown["error"]["code"], -32602);
        wire.close().await;
    }
}

/// A handler that is written by hand rarely has `get_tool`, and may have several pages of tools.
struct Listed;

impl ServerHandler for Listed {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = ListToolsResult::with_all_items(vec![their("echo")]);
        match request.and_then(|request| request.cursor) {
            None => list.next_cursor = Some("more".to_owned()),
            Some(_) => list.tools = vec![their("reset_counter")],
        }
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(format!("their {}", request.name))]).into())
    }
}

#[tokio::test]
async fn listed_tools_of_another_handler_are_called_and_suggested() {
    let toolbox = || {
        let hour = DynamicTool::builder("hour", "Tells the hour.", json!({"type": "object"}));
        Toolbox::builder().tool(hour.sync_handler(|_, _| Ok::<_, ToolError>(json!(12))).expect("the schema is valid"))
    };
    let server = || Server::new(toolbox().build().expect("the tool is valid")).with_fallback_handler(Listed);
    for mut wire in [Wire::initialize(server(), "2025-11-25", json!({})).await, Wire::stateless(server(), json!({}))] {
        for tool in ["echo", "reset_counter"] {
            let theirs = wire.call(tool, json!({})).await;
            assert_eq!(theirs["result"]["content"][0]["text"], format!("their {tool}"), "{theirs}");
        }
        let unknown = wire.call("restart", json!({})).await;
        assert_eq!(unknown["error"]["data"]["available_tools"], json!(["hour", "echo", "reset_counter"]), "{unknown}");
        let misspelt = wire.call("reset_count", json!({})).await;
        let message = "There is no tool 'reset_count'. Did you mean reset_counter?";
        assert_eq!(misspelt["error"]["message"], message, "{misspelt}");
        wire.close().await;
    }
    let server = server().unknown_tools_as_results();
    let mut wire = Wire::initialize(server, "2025-11-25", json!({})).await;
    let misspelt = wire.call("reset_count", json!({})).await;
    let text = misspelt["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains(r#""did_you_mean":["reset_counter"]"#), "{misspelt}");
    wire.close().await;
}

/// Our tools may be those of one user, so the whole list is.
#[tokio::test]
async fn a_tool_list_with_tools_of_another_handler_is_private() {
    let mut wire = Wire::stateless(Server::new(toolbox()).with_fallback_handler(OTHERS), json!({}));
    let list = wire.request("tools/list", json!({})).await;
    assert_eq!((&list["result"]["ttlMs"], &list["result"]["cacheScope"]), (&json!(0), &json!("private")));
    wire.close().await;
}

#[tokio::test]
async fn arguments_that_are_not_an_object_are_rejected_for_a_tool_of_the_other_handler() {
    for mut wire in wires(|| Server::new(toolbox()).with_fallback_handler(OTHERS)).await {
        let rejected = wire.call("sample", json!("{}")).await;
        assert_eq!(rejected["error"]["code"], -32602);
        assert_eq!(rejected["error"]["message"], "The arguments are not an object.");
        let repaired = wire.call("add", json!(r#"{"a": 1, "b": 2}"#)).await;
        assert_eq!(repaired["result"]["content"][0]["text"], "3.0");
        wire.close().await;
    }
}

/// Without connections our list never changes, but that of the other handler may.
#[tokio::test]
async fn a_list_of_the_other_handler_that_changes_is_announced() {
    let others = Others { list_changes: Some(true) };
    let mut wire = Wire::stateless(Server::new(toolbox()).with_fallback_handler(others), json!({}));
    let found = wire.request("server/discover", json!({})).await;
    assert_eq!(found["result"]["capabilities"]["tools"], json!({"listChanged": true}));
    wire.close().await;
}

#[tokio::test]
async fn the_capabilities_of_the_server_and_the_other_handler_are_announced() {
    let mut wire = Wire::stateless(Server::new(toolbox()).with_fallback_handler(OTHERS), json!({}));
    let found = wire.request("server/discover", json!({})).await;
    assert_eq!(found["result"]["capabilities"], json!({"prompts": {}, "tools": {}}));
    assert_eq!(found["result"]["instructions"], "Ask for a plan.");
    wire.close().await;
    let info = Server::new(toolbox())
        .with_fallback_handler(OTHERS)
        .named("ours", "2.0")
        .instructions("Add.")
        .handler()
        .get_info();
    assert_eq!((info.server_info.name.as_str(), info.instructions.as_deref()), ("ours", Some("Add.")));
    assert_eq!(info.capabilities.tools.and_then(|tools| tools.list_changed), Some(true));
}

/// protocol version 2026-07-28 allows any output schema. In earlier protocol versions, structured content has to be an object.
#[tokio::test]
async fn only_revision_2026_07_28_shows_output_schemas_of_other_types_than_object() {
    let list = json!({"type": "array", "items": {"type": "integer", "maximum": 3}});
    let days = |name, days: Value| {
        DynamicTool::builder(name, "Lists days.", json!({"type": "object"}))
            .output_schema(list.clone())
            .sync_handler(move |_, _| Ok::<_, ToolError>(days.clone()))
            .expect("the schemas are valid")
    };
    let builder = Toolbox::builder().tool(days("fits", json!([1, 2]))).tool(days("exceeds", json!([1, 20])));
    let server = Server::new(builder.build().expect("the tools are valid"));

    let mut wire = Wire::stateless(server.clone(), json!({}));
    let tools = wire.request("tools/list", json!({})).await;
    assert_eq!(tools["result"]["tools"][0]["outputSchema"], list);
    assert_eq!(wire.call("fits", json!({})).await["result"]["structuredContent"], json!([1, 2]));
    let exceeds = wire.call("exceeds", json!({})).await;
    assert_eq!((&exceeds["result"]["isError"], &exceeds["result"]["structuredContent"]), (&json!(true), &Value::Null));
    wire.close().await;

    for revision in ["2025-06-18", "2025-11-25"] {
        let mut wire = Wire::initialize(server.clone(), revision, json!({})).await;
        let tools = wire.request("tools/list", json!({})).await;
        assert!(tools["result"]["tools"][0].get("outputSchema").is_none(), "{tools}");
        for (tool, text) in [("fits", "[1,2]"), ("exceeds", "[1,20]")] {
            let answer = wire.call(tool, json!({})).await;
            assert_eq!(
                (&answer["result"]["isError"], &answer["result"]["content"][0]["text"]),
                (&json!(false), &json!(text))
            );
            assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
        }
        wire.close().await;
    }
}
