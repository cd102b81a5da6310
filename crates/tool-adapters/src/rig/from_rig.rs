//! Tools of rig as tools of this framework: [`tool`] and [`dynamic_tool`].
//!
//! Invariants: arguments are checked before rig receives them. If the tool fails, the model reads exactly the error text that it would read
//! under rig.

use std::sync::Arc;

use rig_core::message::{DocumentSourceKind, MimeType, ToolResultContent};
use rig_core::tool::{self as rig, ErasedTool, ToolContext, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;
use tool_dynamic::{DynamicTool, SchemaError};
use tool_runtime::ToolError;
use tool_runtime::tool::{Content, Media, Payload, ResourceLink};

/// Converts a typed tool of rig. The tool runs with an empty context.
///
/// ```
/// use tool_adapters::rig::rig_core::tool::PortableTool;
/// use tool_runtime::Toolbox;
///
/// struct Shout;
///
/// impl PortableTool for Shout {
///     const NAME: &'static str = "shout";
///     type Args = std::collections::HashMap<String, String>;
///     type Output = String;
///     type Error = std::convert::Infallible;
///
///     fn description(&self) -> String {
///         "Says it louder.".to_owned()
///     }
///     fn parameters(&self) -> serde_json::Value {
///         serde_json::json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
///     }
///     async fn call(&self, args: Self::Args) -> Result<String, Self::Error> {
///         Ok(args["text"].to_uppercase())
///     }
/// }
///
/// let session = Toolbox::builder().tool(tool_adapters::rig::from_rig_tool(Shout)?).build()?.session();
/// # pollster::block_on(async {
/// assert_eq!(session.call("call_1", "shout", r#"{"text": "hello"}"#).await.to_text(), "HELLO");
/// assert!(session.call("call_2", "shout", r#"{"text": 5}"#).await.to_text().contains("text must be a string"));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the schema is not valid. The error is about the first issue.
pub fn from_rig_tool<T: ErasedTool + 'static>(tool: T) -> Result<DynamicTool, SchemaError> {
    let (name, description, parameters) = (tool.name(), tool.description(), tool.parameters());
    let tool = Arc::new(tool);
    DynamicTool::builder(name, description, parameters).answer_handler(move |arguments, _| {
        let tool = Arc::clone(&tool);
        async move {
            let mut context = ToolContext::new();
            let result = tool.execute(Value::Object(arguments).to_string(), &mut context).await;
            result.into_result().map(|output| payload(&output)).map_err(|failed| error(failed).into())
        }
    })
}

/// Converts a tool that rig only knows at run time, such as a tool of an MCP server.
///
/// ```
/// use tool_adapters::rig::rig_core::{message::ToolName, tool::{DynamicTool, ToolOutput}};
/// use tool_runtime::Toolbox;
///
/// let schema = serde_json::json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]});
/// let twice = DynamicTool::new(ToolName::new("twice")?, "Twice a number.", schema, |arguments| {
///     Box::pin(async move { Ok(ToolOutput::json((arguments["a"].as_f64().unwrap_or_default() * 2.0).into())) })
/// });
/// let session = Toolbox::builder().tool(tool_adapters::rig::from_rig_dynamic_tool(twice)?).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "twice", r#"{"a": 21}"#));
/// assert_eq!(outcome.to_text(), "42.0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the schema is not valid. The error is about the first issue.
pub fn from_rig_dynamic_tool(tool: rig::DynamicTool) -> Result<DynamicTool, SchemaError> {
    let definition = tool.definition();
    let name = definition.name.as_str().to_owned();
    DynamicTool::builder(name, definition.description, definition.parameters).answer_handler(move |arguments, _| {
        let tool = tool.clone();
        async move {
            let result = tool.execute(Value::Object(arguments)).await;
            result.map(|output| payload(&output)).map_err(|failed| error(failed).into())
        }
    })
}

/// Converts the output of a rig tool: text to text, JSON to JSON, and anything else to parts if possible.
fn payload(output: &ToolOutput) -> Payload {
    if output.as_text().is_some() || output.as_json().is_some() {
        return value(output).into();
    }
    let parts: Option<Vec<Content>> = output.as_content().iter().map(part).collect();
    // If there is an image in a form that only rig can read, the whole output stays in rig's own form.
    parts.map_or_else(|| value(output).into(), |parts| Payload::Parts(parts.into()))
}

fn part(content: &ToolResultContent) -> Option<Content> {
    match content {
        ToolResultContent::Text(text) => Some(Content::text(text.text.as_str())),
        ToolResultContent::Json { value } => Some(Content::text(value.to_string())),
        ToolResultContent::Image(image) => match (&image.data, &image.media_type) {
            (DocumentSourceKind::Base64(data), Some(kind)) => {
                Some(Content::Image(Media::from_base64(kind.to_mime_type(), data.as_str())))
            }
            (DocumentSourceKind::Raw(bytes), Some(kind)) => Some(Content::image(kind.to_mime_type(), bytes)),
            (DocumentSourceKind::Url(url), _) => Some(ResourceLink::new(url.as_str(), "image").into()),
            _ => None,
        },
    }
}

/// Converts the output of a rig tool to JSON: text to a string, JSON unchanged, and any other output to rig's own serialization of it.
fn value(output: &ToolOutput) -> Value {
    match (output.as_text(), output.as_json()) {
        (Some(text), _) => Value::String(text.to_owned()),
        (None, Some(json)) => json.clone(),
        (None, None) => serde_json::to_value(output).unwrap_or_default(),
    }
}

fn error(error: ToolExecutionError) -> ToolError {
    let message = match value(error.model_output()) {
        Value::String(text) => text,
        json => json.to_string(),
    };
    let converted = match error.kind() {
        ToolErrorKind::InvalidArgs => ToolError::retry(message),
        ToolErrorKind::Timeout => ToolError::timeout(message),
        ToolErrorKind::RateLimited => ToolError::rate_limited(message),
        ToolErrorKind::Provider | ToolErrorKind::Network => ToolError::unavailable(message),
        _ => ToolError::new(message),
    };
    converted.caused_by(error)
}
