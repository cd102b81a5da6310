//! The server that the official conformance suite checks: `scripts/judges-mcp` runs its scenarios about tools.
//!
//! The suite calls these tools by name. Its other scenarios are about prompts, resources, completion and sampling, which `tool-mcp` does
//! not offer.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tool_dynamic::DynamicTool;
use tool_mcp::Server;
use tool_runtime::tool::{Content, Resource};
use tool_runtime::{CallContext, ToolError, Toolbox, tool};

/// Returns a text.
#[tool]
fn test_simple_text() -> String {
    "This is a simple text response for testing.".to_owned()
}

/// Returns an image.
#[tool]
fn test_image_content() -> Content {
    Content::image("image/png", b"\x89PNG\r\n\x1a\n")
}

/// Returns a sound.
#[tool]
fn test_audio_content() -> Content {
    Content::audio("audio/wav", b"RIFF\x24\0\0\0WAVEfmt ")
}

/// Returns a resource.
#[tool]
fn test_embedded_resource() -> Content {
    let mut resource = Resource::text("test://embedded-resource", "This is an embedded resource content.");
    resource.mime_type = Some("text/plain".to_owned());
    resource.into()
}

/// Returns parts of several kinds.
#[tool]
fn test_multiple_content_types() -> Vec<Content> {
    let mut resource = Resource::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    resource.mime_type = Some("application/json".to_owned());
    vec![
        Content::text("Multiple content types test:"),
        Content::image("image/png", b"\x89PNG\r\n\x1a\n"),
        resource.into(),
    ]
}

/// Always fails.
#[tool]
fn test_error_handling() -> Result<(), ToolError> {
    Err(ToolError::new("This tool intentionally returns an error for testing"))
}

/// Reports its progress.
#[tool]
async fn test_tool_with_progress(#[tool(context)] cx: &CallContext) -> String {
    for done in [0.0, 50.0, 100.0] {
        cx.progress(done, 100.0, "working");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Done.".to_owned()
}

/// Has a parameter that clients repeat in a header.
#[tool]
fn test_custom_header(
    /// The value of the header.
    #[tool(mcp_header = "Value")]
    value: String,
) -> String {
    value
}

/// Returns a schema with keywords that a server has to pass on unchanged.
fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

/// Serves streamable HTTP on a free loopback port and prints its URL, until the standard input ends.
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given = DynamicTool::builder("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", schema())
        .sync_handler(|_, _| Ok::<_, ToolError>("ok"))?;
    let builder = Toolbox::builder().tool(TestSimpleTextTool).tool(TestImageContentTool).tool(TestAudioContentTool);
    let builder = builder.tool(TestEmbeddedResourceTool).tool(TestMultipleContentTypesTool);
    let toolbox = builder
        .tool(TestErrorHandlingTool)
        .tool(TestToolWithProgressTool)
        .tool(TestCustomHeaderTool)
        .tool(given)
        .build()?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let stop = async { drop(tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await) };
    Ok(Server::new(toolbox).named("conformance", "1.0.0").http().serve(listener, stop).await?)
}
