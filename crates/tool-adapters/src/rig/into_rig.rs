//! The tools of a session for rig: [`tools`].
//!
//! Invariant: each call is made in the session, with its checks, repairs, hooks and throttle, and rig passes the session's answer on to the
//! model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rig_core::message::{ImageMediaType, MimeType, ToolName, ToolResultContent};
use rig_core::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::{Value, json};
use tool_runtime::failure::FailureKind;
use tool_runtime::session::Outcome;
use tool_runtime::tool::{Content, Payload};
use tool_runtime::tool_schema::dialect::Definition;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::{Session, tool};

use crate::definition_parts::Parts;

/// Returns the tools of a session that a model can currently call, as tools of rig.
///
/// The set of tools changes when a container is expanded or the state changes. [`Session::revision`] shows when to call this function
/// again. rig parses arguments before a tool receives them. Its agents answer calls with invalid JSON themselves, and the session answers
/// all other calls. In a custom loop, use [`answer_call`](super::answer_call) to pass the original text to the session.
///
/// The schemas have the form of the provider that was [chosen for the toolbox](tool_runtime::toolbox::ToolboxBuilder::for_provider), and
/// the session converts the arguments of the calls back. rig does not turn strictness on for a single tool, but for a whole client
/// (`with_strict_tools`), and then makes every property required. This does not change our strict schemas. But with any other schema of
/// ours, a model can then no longer omit optional properties. So combine `with_strict_tools` with `Strictness::Strict`, which reports the
/// tools that have no strict form.
///
/// The ids of the calls are `rig_1`, `rig_2`, and so on, because rig does not pass on the ids that the model sent.
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
/// let add = tool_adapters::rig::session_tools(&session).remove(0);
/// assert_eq!(add.name(), "add");
/// # pollster::block_on(async {
/// let sum = add.execute(serde_json::json!({"a": 1, "b": 2})).await;
/// assert_eq!(sum.ok().as_ref().and_then(|sum| sum.as_json()), Some(&serde_json::json!(3)));
///
/// let rejected = add.execute(serde_json::json!({"a": 1})).await;
/// assert!(rejected.is_err_and(|error| error.model_feedback().is_some_and(|text| text.contains("b is required"))));
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub fn session_tools(session: &Arc<Session>) -> Vec<DynamicTool> {
    let calls = Arc::new(AtomicU64::new(0));
    let tool = |definition: &Definition| {
        let Parts { name, description, schema } = Parts::of(definition);
        // A definition without a schema belongs to a tool without parameters.
        let parameters = schema.map_or_else(|| json!({"type": "object", "properties": {}}), Json::to_value);
        let (called, session, calls) = (name.to_owned(), Arc::clone(session), Arc::clone(&calls));
        let run = move |arguments: Value| {
            let (name, session, calls) = (called.clone(), Arc::clone(&session), Arc::clone(&calls));
            let running = async move {
                let id = format!("rig_{}", calls.fetch_add(1, Ordering::Relaxed) + 1);
                let arguments = arguments.to_string();
                result(&session.call(&id, &name, arguments.as_str()).await)
            };
            Box::pin(running) as rig_core::wasm_compat::WasmBoxedFuture<'static, _>
        };
        let name = ToolName::new(name).ok()?;
        Some(DynamicTool::new(name, description.unwrap_or_default(), parameters, run))
    };
    session.definitions().iter().filter_map(tool).collect()
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

/// Converts an image to an image of rig if rig knows its type. Converts any other part to a text.
fn part(content: &Content) -> ToolResultContent {
    if let Content::Image(media) = content
        && let Some(kind) = ImageMediaType::from_mime_type(&media.mime_type)
    {
        return ToolResultContent::image_base64(media.data.as_str(), Some(kind), None);
    }
    ToolResultContent::text(tool::ContentParts::from(content.clone()).as_str())
}
