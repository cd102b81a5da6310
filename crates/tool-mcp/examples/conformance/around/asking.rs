//! Tools that send requests and notifications to the client while they run, as in protocol versions before 2026-07-28.

use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ErrorData};
use serde_json::{Value, json};
use tool_mcp::rmcp;

use super::{Context, typed};

pub(super) const TOOLS: [&str; 4] =
    ["test_sampling", "test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums", "test_tool_with_logging"];

/// Runs a tool and returns the text of its result.
pub(super) async fn call(request: &CallToolRequestParams, context: &Context) -> Result<String, ErrorData> {
    match &*request.name {
        "test_sampling" => {
            let prompt = request.arguments.as_ref().and_then(|arguments| arguments.get("prompt"));
            sample(prompt.cloned().unwrap_or_default(), context).await
        }
        "test_elicitation_sep1034_defaults" => ask(&defaults(), context).await,
        "test_elicitation_sep1330_enums" => ask(&choices(), context).await,
        _ => log(context).await,
    }
}

fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[allow(deprecated, reason = "earlier protocol versions have this request")]
async fn sample(prompt: Value, context: &Context) -> Result<String, ErrorData> {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    let answer = context.peer.create_message(typed(json!({"messages": [message], "maxTokens": 100}))?).await;
    let answer = serde_json::to_value(answer.map_err(failed)?).map_err(failed)?;
    Ok(format!("LLM response: {}", answer["content"]))
}

async fn ask(properties: &Value, context: &Context) -> Result<String, ErrorData> {
    let form = json!({"type": "object", "properties": properties});
    let question = json!({"mode": "form", "message": "Please fill in the form.", "requestedSchema": form});
    let answer = context.peer.create_elicitation(typed(question)?).await.map_err(failed)?;
    let answer = serde_json::to_value(answer).map_err(failed)?;
    Ok(format!("Elicitation completed: action={}, content={}", answer["action"], answer["content"]))
}

fn defaults() -> Value {
    json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    })
}

fn choices() -> Value {
    let titled = json!([
        {"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"},
        {"const": "value3", "title": "Third"},
    ]);
    let plain = json!(["option1", "option2", "option3"]);
    json!({
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    })
}

#[allow(deprecated, reason = "earlier protocol versions have this notification")]
async fn log(context: &Context) -> Result<String, ErrorData> {
    for text in ["started", "processing", "completed"] {
        let message = json!({"level": "info", "logger": "conformance", "data": text});
        context.peer.notify_logging_message(typed(message)?).await.map_err(failed)?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok("Logged.".to_owned())
}
