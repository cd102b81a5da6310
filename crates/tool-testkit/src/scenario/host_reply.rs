//! The host's answers to deferred calls in a scenario: [`HostReply`].

use std::fmt;
use std::sync::Arc;

use tool_runtime::session::{Completion, DeferredCall};

/// The host's answer to a deferred call.
///
/// ```
/// use tool_chat::{conversation::Conversation, model::ScriptedModel};
/// use tool_runtime::hook::{ProposedCall, Verdict};
/// use tool_runtime::{Toolbox, tool};
/// use tool_testkit::{HostReply, Scenario, calls};
///
/// /// Deletes a file.
/// #[tool(destructive)]
/// fn delete(
///     /// Which.
///     path: String,
/// ) -> String {
///     format!("{path} is gone")
/// }
///
/// let toolbox = Toolbox::builder().tool(DeleteTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer).build()?;
/// let model = ScriptedModel::new()
///     .calls([("delete", r#"{"path": "/tmp/a"}"#), ("delete", r#"{"path": "/etc/passwd"}"#)])
///     .text("One is gone.");
/// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
///     .prompt("Tidy up.")
///     .reply_to_deferred(|call| if call.arguments_text().contains("/tmp/") { HostReply::approve() } else { HostReply::deny("Only in /tmp.") })
///     .expect(calls("delete").at("path", "/tmp/a").returns("/tmp/a is gone"));
/// let transcript = pollster::block_on(scenario.run())?;
/// assert_eq!(transcript.calls().filter(|call| call.outcome.is_ok()).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HostReply(pub(super) Said);

pub(super) enum Said {
    Yes,
    Completed(Completion),
}

impl HostReply {
    /// Runs the call with the arguments that were deferred.
    pub const fn approve() -> Self {
        Self(Said::Yes)
    }

    /// Rejects the call. The model reads the reason in a failure of the kind `denied`.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self(Said::Completed(Completion::denied(reason)))
    }

    /// Answers with this result or failure, without running the call.
    pub fn answer(answer: impl Into<Completion>) -> Self {
        Self(Said::Completed(answer.into()))
    }
}

impl fmt::Debug for HostReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Said::Yes => f.write_str("Reply(approve)"),
            Said::Completed(completion) => write!(f, "Reply({completion:?})"),
        }
    }
}

/// The host's answer to every deferred call.
pub(super) type Host = Arc<dyn Fn(&DeferredCall) -> HostReply + Send + Sync>;
