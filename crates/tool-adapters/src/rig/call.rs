//! A session's answer to a call of rig: [`answer_call`].
//!
//! Invariant: if rig could not parse the arguments, the session receives the text that the model sent, not rig's interpretation of it.

use rig_core::message::ToolCall;
use tool_runtime::{Outcome, Session};

/// Answers a call in a message that rig has parsed. Use this in a custom loop over such messages.
///
/// If the arguments are not valid JSON, rig keeps their text, so the session can repair the text if its meaning is certain, or else report
/// what is wrong. rig's own agents do not pass such calls to a tool.
///
/// ```
/// use tool_adapters::rig::rig_core::message::{ToolCall, ToolFunction, ToolName};
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
/// let session = Toolbox::builder().tool(AddTool).build()?.session();
/// let called = |text| Ok::<_, Box<dyn std::error::Error>>(ToolFunction::parse(ToolName::new("add")?, text));
/// # pollster::block_on(async {
/// // Unquoted keys and a trailing comma are repaired; rig alone would have parsed `{}`.
/// let call = ToolCall::from_wire("call_1", called("{a: 1, b: 2,}")?);
/// let outcome = tool_adapters::rig::answer_call(&session, &call).await;
/// assert_eq!((outcome.call_id(), &*outcome.to_text()), ("call_1", "3"));
///
/// // A truncated call is never run, although rig shows the part that arrived.
/// let call = ToolCall::from_wire("call_2", called(r#"{"a": 1, "b": 23"#)?);
/// assert_eq!(call.function.arguments["a"], 1);
/// assert!(!tool_adapters::rig::answer_call(&session, &call).await.is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn answer_call(session: &Session, call: &ToolCall) -> Outcome {
    let ToolCall { id, function, .. } = call;
    let id = id.to_string();
    match &function.invalid_arguments {
        Some(text) => session.call(&id, function.name.as_str(), text.as_str()).await,
        None => session.call(&id, function.name.as_str(), &function.arguments_value()).await,
    }
}
