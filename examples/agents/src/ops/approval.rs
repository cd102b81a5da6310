//! Approval of calls that cannot be undone: [`Approval`], a hook before every call.
//!
//! Invariants: a call that only reads always runs. A report is never deleted, whatever the approval is.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use tool_chat::conversation::{Conversation, TurnEnd};
use tool_runtime::hook::{BeforeCall, IntoVerdict, ProposedCall, Verdict, VerdictOrFuture};
use tool_runtime::session::Completion;

/// The decision about calls that write.
#[derive(Clone)]
pub enum Approval {
    /// All calls may run.
    Allow,
    /// No call that writes may run.
    Deny,
    /// Nobody can decide now, so the turn waits for a decision; see [`decide`].
    Defer,
    /// A human decides. The question contains the tool and its arguments.
    Ask(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl Approval {
    /// Returns the decision about a call.
    pub fn of(&self, call: &ProposedCall<'_>) -> Verdict {
        if call.spec().settings.annotations.destructive != Some(true) {
            return Verdict::Run;
        }
        if call.name() == "delete_report" {
            return Verdict::deny("Reports are kept. Only a person deletes one, and not from here.");
        }
        let may_run = match self {
            Self::Allow => true,
            Self::Deny => false,
            Self::Defer => return Verdict::Defer,
            Self::Ask(ask) => ask(&format!("May {} run with {}?", call.name(), call.arguments_text())),
        };
        if may_run { Verdict::Run } else { Verdict::deny("The user does not want this to be written.") }
    }
}

impl BeforeCall for Approval {
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> VerdictOrFuture<'a> {
        self.of(call).into_verdict()
    }
}

impl fmt::Debug for Approval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "Allow",
            Self::Deny => "Deny",
            Self::Defer => "Defer",
            Self::Ask(_) => "Ask",
        })
    }
}

/// Continues a turn with deferred calls. A call runs if `approves` returns `true` for the name of its tool. All other calls are denied.
///
/// # Errors
///
/// Returns an error if a deferred call was answered elsewhere.
pub async fn decide(
    conversation: &mut Conversation,
    mut end: TurnEnd,
    approves: impl Fn(&str) -> bool,
) -> Result<TurnEnd, Box<dyn Error>> {
    while let TurnEnd::Deferred { call_ids } = &end {
        for call_id in call_ids {
            let session = conversation.session();
            let waiting = session.deferred_calls();
            let tool = waiting.iter().find(|call| call.call_id() == call_id).map_or("", |call| call.tool_name());
            let outcome = if approves(tool) {
                session.resume(call_id).await?
            } else {
                session.complete(call_id, Completion::denied("Nobody was there to approve of it."))?
            };
            conversation.answer_deferred(outcome)?;
        }
        end = conversation.resume().await?;
    }
    Ok(end)
}
