//! The client that the official conformance suite checks: `scripts/judges-mcp` runs its scenarios about tools.
//!
//! The suite starts this program for each scenario, with the URL of a server as its last argument. The program connects, and then makes the
//! calls that the scenario names, or calls every tool once. It fills in forms of the server with their default values. In one scenario, it
//! returns the schema of a tool to the server. In the scenarios about authorization, the HTTP client of rmcp obtains tokens.

mod authorize;

use std::error::Error;

use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value, json};
use tool_mcp::client::{Elicitation, ElicitationKind, ElicitationReply, Endpoint};
use tool_mcp::connect;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Dialect, Toolbox};

/// The scopes for the suite's server that asks for more than the initial scopes.
const SCOPES: [&str; 2] = ["mcp:basic", "mcp:write"];

/// Returns an object with a value for each required property, and with the default value of each property that has one.
fn filled_in(schema: &Value) -> Map<String, Value> {
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name));
    let mut values = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let value = match (property.get("default"), property["type"].as_str()) {
            (Some(default), _) => default.clone(),
            _ if !is_required(name) => continue,
            (None, Some("integer" | "number")) => json!(1),
            (None, Some("boolean")) => json!(true),
            (None, Some("array")) => json!([]),
            (None, Some("object")) => json!({}),
            _ => json!("text"),
        };
        values.insert(name.clone(), value);
    }
    values
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

async fn reply(elicitation: Elicitation) -> ElicitationReply {
    match elicitation.kind {
        ElicitationKind::Form { schema } => ElicitationReply::Accept(filled_in(&schema)),
        _ => ElicitationReply::Decline,
    }
}

/// Returns the calls of a scenario: the calls that it names, or one call of each tool.
fn calls(named: &Value, tools: &Value) -> Vec<(String, Value)> {
    if let Some(calls) = named["toolCalls"].as_array() {
        return calls.iter().map(|call| (text(&call["name"]).to_owned(), call["arguments"].clone())).collect();
    }
    let tools = tools.as_array().map(Vec::as_slice).unwrap_or_default();
    let schema_of = |name| tools.iter().find(|tool| text(&tool["name"]) == name).map(|tool| &tool["inputSchema"]);
    let arguments = |tool: &Value| match (text(&tool["name"]), schema_of("json_schema_2020_12_tool")) {
        ("json_schema_echo", Some(schema)) => json!({"schema": schema}),
        ("json_schema_2020_12_tool", _) => json!({"email": "a@example.com"}),
        _ => Value::Object(filled_in(&tool["inputSchema"])),
    };
    tools.iter().map(|tool| (text(&tool["name"]).to_owned(), arguments(tool))).collect()
}

/// Connects and makes the calls. Returns `true` if all of them succeed.
async fn run(endpoint: Endpoint, named: &Value, is_legacy: bool) -> Result<bool, Box<dyn Error>> {
    let connecting = connect("suite", endpoint).prefix("").elicitation(reply);
    let server = if is_legacy { connecting.legacy() } else { connecting }.await?;
    println!("protocol version {}", server.protocol_version().unwrap_or_default());
    for tool in server.skipped_tools() {
        println!("not offered: {} ({})", tool.name, tool.reason);
    }
    let session = server.tools().into_iter().fold(Toolbox::builder(), ToolboxBuilder::tool).build()?.session();
    let defined = serde_json::from_str(&session.definitions_in(Dialect::MCP).to_string())?;
    let mut is_ok = true;
    for (number, (name, arguments)) in calls(named, &defined).iter().enumerate() {
        let outcome = session.call(&format!("call_{number}"), name, arguments.to_string()).await;
        println!("{name}: {}", outcome.to_text());
        is_ok &= outcome.is_ok();
    }
    server.close().await;
    Ok(is_ok)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().next_back().ok_or("the URL of a server is missing")?;
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let named: Value = serde_json::from_str(&variable("MCP_CONFORMANCE_CONTEXT")).unwrap_or_default();
    let is_legacy = variable("MCP_CONFORMANCE_PROTOCOL_VERSION").as_str() < "2026";
    let scenario = variable("MCP_CONFORMANCE_SCENARIO");
    let config = || StreamableHttpClientTransportConfig::with_uri(&*url);
    if !scenario.starts_with("auth/") {
        run(Endpoint::http(&*url), &named, is_legacy).await?;
        return Ok(());
    }
    if scenario.starts_with("auth/client-credentials-") {
        let client = authorize::client_without_user(&url, &named).await?;
        run(Endpoint::http_with_client(client, config()), &named, is_legacy).await?;
        return Ok(());
    }
    // A server that rejects a call may require more scopes, or another token.
    for scopes in [&[][..], &SCOPES, &SCOPES] {
        let client = authorize::client(&url, &named, scopes).await?;
        match run(Endpoint::http_with_client(client, config()), &named, is_legacy).await {
            Ok(true) => break,
            Ok(false) => println!("a call was rejected"),
            Err(error) => println!("the server was not usable: {error}"),
        }
    }
    Ok(())
}
