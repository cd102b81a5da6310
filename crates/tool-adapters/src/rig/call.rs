//! A call in rig's words, answered by a session: [`call`].
//!
//! In: what rig read of a call. Out: the session's answer. What always holds: where rig could not read the arguments, the session sees the
//! text that the model sent and not what rig made of it.

use rig_core::message::ToolCall;
use tool_runtime::{Outcome, Session};

/// Answers a call that rig has read, for a loop of one's own over its messages.
///
/// rig's agents never show a tool arguments that are not valid JSON: they answer themselves. rig keeps the text, though, and here the session
/// reads it: it repairs what is certain, and says what is wrong with the rest.
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
/// // A comma too many and words that are not quoted are certain to mend; rig alone would have read `{}`.
/// let call = ToolCall::from_wire("call_1", called("{a: 1, b: 2,}")?);
/// let outcome = tool_adapters::rig::call(&session, &call).await;
/// assert_eq!((outcome.call_id(), &*outcome.to_text()), ("call_1", "3"));
///
/// // What was cut off is never run, though rig shows the part that came.
/// let call = ToolCall::from_wire("call_2", called(r#"{"a": 1, "b": 23"#)?);
/// assert_eq!(call.function.arguments["a"], 1);
/// assert!(!tool_adapters::rig::call(&session, &call).await.is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn call(session: &Session, call: &ToolCall) -> Outcome {
    let ToolCall { id, function, .. } = call;
    let id = id.to_string();
    match &function.invalid_arguments {
        Some(text) => session.call(&id, function.name.as_str(), text.as_str()).await,
        None => session.call(&id, function.name.as_str(), &function.arguments_value()).await,
    }
}
