//! [`ReplaceableThrottleText`], a text of the throttle that the host can replace.

use std::time::Duration;

use crate::failure::ThrottleRule;

/// A text of the throttle for the model, which the function set with [`throttle_texts`](crate::toolbox::ToolboxBuilder::throttle_texts) can
/// replace.
///
/// ```
/// use tool_runtime::throttle::{ReplaceableThrottleText, ThrottleTextKind};
/// use tool_runtime::{ToolError, Toolbox, tool};
///
/// /// Loads the index.
/// #[tool]
/// fn load() -> Result<(), ToolError> {
///     Err(ToolError::new("There is no index."))
/// }
///
/// let own = |text: &ReplaceableThrottleText<'_>| (text.kind == ThrottleTextKind::Message).then(|| format!("{} is paused.", text.tool));
/// let session = Toolbox::builder().tool(LoadTool).throttle_texts(own).build()?.session();
/// let call = || pollster::block_on(session.call("call_1", "load", "{}"));
/// let [.., throttled] = [call(), call(), call(), call()];
/// assert!(throttled.to_text().contains(r#""error_message":"load is paused.""#));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReplaceableThrottleText<'t> {
    /// The kind of text: a warning, a message or guidance.
    pub kind: ThrottleTextKind,
    /// The name that was called.
    pub tool: &'t str,
    /// The rule that warns or throttles.
    pub rule: ThrottleRule,
    /// The number of events that the rule has counted: failures, calls, rounds, or unknown names.
    pub count: u32,
    /// For a throttled call and its guidance, the time until a call is allowed again; `None` if waiting does not help.
    pub retry_after: Option<Duration>,
    /// The default text.
    pub text: &'t str,
}

/// The purpose of a text of the throttle. See [`ReplaceableThrottleText`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThrottleTextKind {
    /// A warning that is added to the answer to a call that ran.
    Warning,
    /// The `error_message` of a throttled call.
    Message,
    /// The `retry_guidance` of a throttled call.
    Guidance,
}
