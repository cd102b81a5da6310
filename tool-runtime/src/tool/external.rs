//! [`ExternalTool`], a tool without a handler.
//!
//! A session checks and repairs calls of such a tool, then defers them. The host answers with `session.complete`.

use super::{AnswerOrFuture, CallError, Tool, ToolSettings, ToolSpec};
use crate::context::{CallContext, DecodedArguments};
use crate::decode::decode_or_reject;
use crate::failure::ToolError;
use crate::input::{Arguments, ToolInput};
use crate::shape::{Ref, Text};

/// A tool that is answered outside of the session: by a front end, a human, or another process.
///
/// Its arguments are checked and repaired like the arguments of any other tool. Then the call waits, and its outcome [is
/// deferred](crate::Outcome::is_deferred).
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::tool::ExternalTool;
/// use tool_runtime::{ToolInput, Toolbox};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Choice {
///     /// What the user can choose from.
///     #[tool(length(min = 2))]
///     options: Vec<String>,
/// }
///
/// # pollster::block_on(async {
/// let choose = ExternalTool::typed::<Choice>("choose", "Lets the user choose.");
/// let session = Toolbox::builder().tool(choose).build()?.session();
/// let outcome = session.call("call_1", "choose", r#"{"options": ["tea"]}"#).await;
/// assert!(!outcome.is_deferred()); // an invalid call is rejected
/// let outcome = session.call("call_2", "choose", r#"{"options": ["tea", "coffee"]}"#).await;
/// assert!(outcome.is_deferred());
/// assert_eq!(session.complete("call_2", "tea")?.to_text(), "tea");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExternalTool {
    spec: ToolSpec,
}

impl ExternalTool {
    /// Creates a tool whose arguments are described by a type.
    pub fn typed<T: ToolInput>(name: impl Into<Text>, description: impl Into<Text>) -> Self {
        let mut spec = ToolSpec::new(name, description, Ref::Static(T::SHAPE));
        // The type may have checks that its shape cannot express.
        spec.decode = Some(|arguments| decode_or_reject::<T>(arguments).map(DecodedArguments::new));
        Self::from_spec(spec)
    }

    /// Creates a tool from a complete spec, which can contain annotations, conditions, or a shape made at run time.
    pub fn from_spec(spec: ToolSpec) -> Self {
        let settings = ToolSettings { blocking: false, ..spec.settings };
        Self { spec: ToolSpec { external: true, settings, ..spec } }
    }
}

impl Tool for ExternalTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Sessions never call this method.
    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Err(self.check(&arguments).map_or_else(CallError::from, |()| no_handler_error())))
    }
}

/// Returns the error for a call of an external tool outside of a session.
pub fn no_handler_error() -> CallError {
    ToolError::unavailable("The answer to this tool is given by its host.").into()
}
