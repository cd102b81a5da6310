//! The tools of a toolbox that the suite asks for by name: [`toolbox`].

use std::error::Error;
use std::time::Duration;

use serde_json::{Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::hook::{ProposedCall, Verdict};
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

/// Greets somebody. The scenarios about tasks expect that this tool never creates one.
#[tool]
fn greet(
    /// The name of the guest.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Answers after a moment.
#[tool]
async fn test_reconnection() -> &'static str {
    tokio::time::sleep(Duration::from_millis(100)).await;
    "Reconnection test completed"
}

/// The tools that run only if the user of the client agrees.
const APPROVED: [&str; 4] = [
    "test_elicitation",
    "test_streaming_elicitation",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
];

/// Runs if the user agrees.
#[tool]
fn test_elicitation(
    /// The reason.
    message: String,
) -> String {
    message
}

/// Runs if the user agrees.
#[tool]
fn test_streaming_elicitation() -> &'static str {
    "The user has agreed."
}

/// Runs if the user agrees.
#[tool]
fn test_input_required_result_request_state() -> &'static str {
    "state-ok"
}

/// Runs if the user agrees.
#[tool]
fn test_input_required_result_tampered_state() -> &'static str {
    "The user has agreed."
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

pub(crate) fn toolbox() -> Result<Toolbox, Box<dyn Error>> {
    let given = DynamicTool::builder("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", schema())
        .sync_handler(|_, _| Ok::<_, ToolError>("ok"))?;
    let builder = Toolbox::builder().tool(TestSimpleTextTool).tool(TestImageContentTool).tool(TestAudioContentTool);
    let builder = builder.tool(TestEmbeddedResourceTool).tool(TestMultipleContentTypesTool).tool(TestErrorHandlingTool);
    let builder = builder.tool(TestToolWithProgressTool).tool(TestCustomHeaderTool).tool(GreetTool).tool(given);
    let builder = builder.tool(TestReconnectionTool).tool(TestElicitationTool).tool(TestStreamingElicitationTool);
    let builder = builder.tool(TestInputRequiredResultRequestStateTool).tool(TestInputRequiredResultTamperedStateTool);
    let builder = builder.before_call(
        |call: &ProposedCall<'_>| {
            if APPROVED.contains(&call.name()) { Verdict::Defer } else { Verdict::Run }
        },
    );
    Ok(builder.build()?)
}
