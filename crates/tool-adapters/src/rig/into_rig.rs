//! The tools of a session for rig: [`tools`].
//!
//! Invariant: each call goes through the session with its checks, repairs, hooks and throttle, and rig passes the session's answer to the
//! model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rig_core::message::{ImageMediaType, MimeType, ToolName, ToolResultContent};
use rig_core::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;
use tool_runtime::failure::FailureKind;
use tool_runtime::session::Outcome;
use tool_runtime::tool::{Content, Parts, Payload};
use tool_runtime::{Format, Session};

/// Returns the tools of a session that a model can call now, as tools of rig.
///
/// The set changes when a container is expanded or the state changes; [`Session::revision`] shows when to call this function again. rig
/// parses arguments before a tool receives them. Its agents answer invalid JSON themselves; all other calls are answered by the session. A
/// custom loop can pass the original text with [`call`](super::call).
///
/// The ids of the calls are `rig_1`, `rig_2` …, because rig does not pass on the ids of the model.
///
/// ```
/// use std::sync::Arc;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: i64,
///     /// Second summand.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// let session = Arc::new(Toolbox::builder().tool(AddTool).build()?.session());
/// let add = tool_adapters::rig::tools(&session).remove(0);
/// assert_eq!(add.name(), "add");
/// # pollster::block_on(async {
/// let sum = add.execute(serde_json::json!({"a": 1, "b": 2})).await;
/// assert_eq!(sum.ok().as_ref().and_then(|sum| sum.as_json()), Some(&serde_json::json!(3)));
///
/// let refused = add.execute(serde_json::json!({"a": 1})).await;
/// assert!(refused.is_err_and(|error| error.model_feedback().is_some_and(|text| text.contains("b is required"))));
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub fn tools(session: &Arc<Session>) -> Vec<DynamicTool> {
    let calls = Arc::new(AtomicU64::new(0));
    let definitions = session.definitions(Format::OpenAi);
    let tool = |definition: &tool_runtime::tool_schema::schema::Definition| {
        let function = definition.as_json().get("function")?;
        let text = |key| function.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let parameters = function.get("parameters")?.to_value();
        let (name, session, calls) = (text("name"), Arc::clone(session), Arc::clone(&calls));
        let called = name.clone();
        let run = move |arguments: Value| {
            let (name, session, calls) = (called.clone(), Arc::clone(&session), Arc::clone(&calls));
            let running = async move {
                let id = format!("rig_{}", calls.fetch_add(1, Ordering::Relaxed) + 1);
                let arguments = arguments.to_string();
                result(&session.call(&id, &name, arguments.as_str()).await)
            };
            Box::pin(running) as rig_core::wasm_compat::WasmBoxedFuture<'static, _>
        };
        Some(DynamicTool::new(ToolName::new(name).ok()?, text("description"), parameters, run))
    };
    definitions.iter().filter_map(tool).collect()
}

fn result(outcome: &Outcome) -> Result<ToolOutput, ToolExecutionError> {
    let failure = match outcome.as_result() {
        Ok(payload @ Payload::Json(_)) => return Ok(ToolOutput::json(payload.to_value())),
        Ok(Payload::Parts(parts)) if !parts.contents().is_empty() => {
            return ToolOutput::content(parts.contents().iter().map(part).collect());
        }
        Ok(payload) => return Ok(ToolOutput::text(payload.as_str())),
        Err(failure) => failure,
    };
    let kind = match failure.kind() {
        FailureKind::InvalidCall => ToolErrorKind::InvalidArgs,
        FailureKind::Unavailable => ToolErrorKind::Provider,
        FailureKind::RateLimited => ToolErrorKind::RateLimited,
        FailureKind::Timeout => ToolErrorKind::Timeout,
        FailureKind::Cancelled => ToolErrorKind::Cancelled,
        _ => ToolErrorKind::Other,
    };
    Err(ToolExecutionError::new(kind, outcome.to_text()).with_code(failure.kind().as_str()))
}

/// Converts an image to an image if rig knows its type, and every other part to a text.
fn part(content: &Content) -> ToolResultContent {
    if let Content::Image(media) = content
        && let Some(kind) = ImageMediaType::from_mime_type(&media.mime_type)
    {
        return ToolResultContent::image_base64(media.data.as_str(), Some(kind), None);
    }
    ToolResultContent::text(Parts::from(content.clone()).as_str())
}
