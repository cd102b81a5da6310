//! Tools of rig as tools of this framework: [`tool`] and [`dynamic_tool`].
//!
//! Invariants: arguments are checked before rig receives them. The model reads the same error text as under rig, and nothing else.

use std::sync::Arc;

use rig_core::tool::{self as rig, ErasedTool, ToolContext, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;
use tool_dynamic::{DynamicTool, SchemaError};
use tool_runtime::ToolError;

/// Converts a typed tool of rig. It runs with an empty context.
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
/// let session = Toolbox::builder().tool(tool_adapters::rig::tool(Shout)?).build()?.session();
/// # pollster::block_on(async {
/// assert_eq!(session.call("call_1", "shout", r#"{"text": "hello"}"#).await.to_text(), "HELLO");
/// assert!(session.call("call_2", "shout", r#"{"text": 5}"#).await.to_text().contains("text must be a string"));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the first fault of the schema.
pub fn tool<T: ErasedTool + 'static>(tool: T) -> Result<DynamicTool, SchemaError> {
    let (name, description, parameters) = (tool.name(), tool.description(), tool.parameters());
    let tool = Arc::new(tool);
    DynamicTool::new(name, description, parameters, move |arguments, _| {
        let tool = Arc::clone(&tool);
        async move {
            let mut context = ToolContext::new();
            let result = tool.execute(Value::Object(arguments).to_string(), &mut context).await;
            result.into_result().map(|output| value(&output)).map_err(error)
        }
    })
}

/// Converts a tool that rig only knows at run time, such as one of an MCP server.
///
/// ```
/// use tool_adapters::rig::rig_core::{message::ToolName, tool::{DynamicTool, ToolOutput}};
/// use tool_runtime::Toolbox;
///
/// let schema = serde_json::json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]});
/// let twice = DynamicTool::new(ToolName::new("twice")?, "Twice a number.", schema, |arguments| {
///     Box::pin(async move { Ok(ToolOutput::json((arguments["a"].as_f64().unwrap_or_default() * 2.0).into())) })
/// });
/// let session = Toolbox::builder().tool(tool_adapters::rig::dynamic_tool(twice)?).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "twice", r#"{"a": 21}"#));
/// assert_eq!(outcome.to_text(), "42.0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the first fault of the schema.
pub fn dynamic_tool(tool: rig::DynamicTool) -> Result<DynamicTool, SchemaError> {
    let definition = tool.definition();
    let name = definition.name.as_str().to_owned();
    DynamicTool::new(name, definition.description, definition.parameters, move |arguments, _| {
        let tool = tool.clone();
        async move { tool.execute(Value::Object(arguments)).await.map(|output| value(&output)).map_err(error) }
    })
}

/// Converts text to a string and JSON to JSON. Other outputs become the list that rig makes of them.
fn value(output: &ToolOutput) -> Value {
    match (output.as_text(), output.as_json()) {
        (Some(text), _) => Value::String(text.to_owned()),
        (None, Some(json)) => json.clone(),
        (None, None) => serde_json::to_value(output).unwrap_or_default(),
    }
}

fn error(error: ToolExecutionError) -> ToolError {
    let said = match value(error.model_output()) {
        Value::String(text) => text,
        json => json.to_string(),
    };
    let converted = match error.kind() {
        ToolErrorKind::InvalidArgs => ToolError::retry(said),
        ToolErrorKind::Timeout => ToolError::timeout(said),
        ToolErrorKind::RateLimited => ToolError::rate_limited(said),
        ToolErrorKind::Provider | ToolErrorKind::Network => ToolError::unavailable(said),
        _ => ToolError::new(said),
    };
    converted.caused_by(error)
}
