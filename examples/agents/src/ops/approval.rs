//! Who decides about what cannot be undone: [`Approval`], asked before every call.
//!
//! In: a call that is about to run. Out: run, deny or defer. What always holds: what only reads is never asked about, and a report is never
//! deleted here, whoever approves.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use tool_chat::conversation::{Conversation, End};
use tool_runtime::hook::{Asking, BeforeCall, IntoAsking, ProposedCall, Verdict};
use tool_runtime::session::Completion;

/// Who decides about a call that writes.
#[derive(Clone)]
pub enum Approval {
    /// Every such call may run.
    Allow,
    /// None may.
    Deny,
    /// Nobody is there to decide: the turn waits until somebody is, see [`decide`].
    Defer,
    /// A human, with a question that names tool and arguments.
    Ask(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl Approval {
    /// The decision about a call.
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
            Self::Ask(ask) => ask(&format!("May {} run with {}?", call.name(), call.to_text())),
        };
        if may_run { Verdict::Run } else { Verdict::deny("The user does not want this to be written.") }
    }
}

impl BeforeCall for Approval {
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> Asking<'a> {
        self.of(call).into_asking()
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

/// Goes on with a turn whose calls wait: with those that somebody approves of by their tool's name, and without the others.
///
/// # Errors
///
/// Where what waits was answered elsewhere.
pub async fn decide(
    conversation: &mut Conversation,
    mut end: End,
    approves: impl Fn(&str) -> bool,
) -> Result<End, Box<dyn Error>> {
    while let End::Deferred { call_ids } = &end {
        for call_id in call_ids {
            let session = conversation.session();
            let waiting = session.deferred();
            let tool = waiting.iter().find(|call| call.call_id() == call_id).map_or("", |call| call.tool());
            let outcome = if approves(tool) {
                session.resume(call_id).await?
            } else {
                session.complete(call_id, Completion::denied("Nobody was there to approve of it."))?
            };
            conversation.answered(outcome)?;
        }
        end = conversation.resume().await?;
    }
    Ok(end)
}
