//! How the host answers a call that waits: `complete`, `resume`, or a cancellation.
//!
//! In: calls that a hook deferred, and those of tools without a handler. Out: one final [`Outcome`] for each. What always holds: a call is
//! answered once, whoever is faster; what is resumed runs with the arguments that were deferred; what is not answered stays, so it is the
//! host that bounds the memory, by completing or cancelling.

use std::sync::Arc;

use super::attempt::{Attempt, Changed, End};
use super::completion::{Answered, Completion, CompletionError};
use super::waiting::{DeferredCall, Waiting};
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::decode::Parsed;
use crate::failure::Failure;
use crate::tool::CallError;
use crate::toolbox::Entry;

impl Session {
    /// Every call that waits for the host's answer, in the order of deferral.
    ///
    /// A call waits until it is [completed](Self::complete), [resumed](Self::resume) or [cancelled](Self::cancel); nothing else ends it,
    /// so the memory for them is as large as the host lets it grow.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert!(Toolbox::builder().build()?.session().deferred().is_empty());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn deferred(&self) -> Vec<DeferredCall> {
        self.0.deferred.all()
    }

    /// Answers a call that waits, instead of its tool: with a result, a [`ToolError`](crate::ToolError), or a
    /// [denial](Completion::denied). Nothing runs. The outcome is the final one for this id, to be handed to the model.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::tool::ExternalTool;
    /// use tool_runtime::{ToolInput, Toolbox};
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// struct Question {
    ///     /// What to ask, in one sentence.
    ///     question: String,
    /// }
    ///
    /// # pollster::block_on(async {
    /// let ask_user = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    /// let session = Toolbox::builder().tool(ask_user).build()?.session();
    /// let outcome = session.call("call_1", "ask_user", r#"{"question": "Which colour?"}"#).await;
    /// assert!(outcome.is_deferred());
    ///
    /// let outcome = session.complete("call_1", "Blue.")?;
    /// assert_eq!(outcome.to_text(), "Blue.");
    /// assert!(session.complete("call_1", "Red.").is_err()); // once is all
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no call waits under this id, or none waits any more.
    pub fn complete(&self, call_id: &str, completion: impl Into<Completion>) -> Result<Outcome, CompletionError> {
        let completion = completion.into();
        let waiting = self.0.deferred.take(call_id, |_| Ok(()))?;
        let entry = &self.catalog().tools[waiting.tool];
        let mut attempt = waiting.attempt();
        attempt.ticket = self.pass(entry, &waiting.arguments, waiting.batch);
        let answer = match completion.0 {
            Answered::Result(payload) => Ok(payload),
            Answered::Failed(error) => Err(CallError::Tool(error)),
            Answered::Denied(reason) => {
                return Ok(self.settle(attempt, End::Refused(Failure::denied(&entry.name, &reason))));
            }
            Answered::Cancelled => return Ok(self.settle(attempt, End::Refused(Failure::cancelled(&entry.name)))),
        };
        Ok(self.end(entry, attempt, Ok(answer), Parsed::NotYet))
    }

    /// Runs a call that waits, with the arguments that it was deferred with: the human has said yes. No hook is asked again, and no pause
    /// of the throttle is in the way; how the call ends counts like the end of any other.
    ///
    /// The call stops waiting at the first poll. From then on it is a running call: [`cancel`](Self::cancel) ends it, and a future that
    /// is dropped leaves no answer.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(pollster::block_on(session.resume("call_1")).is_err()); // nothing waits
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When nothing waits under this id (any more), or its tool has no handler; then the call goes on waiting.
    pub async fn resume(&self, call_id: &str) -> Result<Outcome, CompletionError> {
        let waiting = self.0.deferred.take(call_id, Waiting::can_run)?;
        let trace = self.trace(call_id, &waiting.name, &waiting.arguments);
        Ok(trace.around(self.run_approved(call_id, &waiting)).await)
    }

    async fn run_approved(&self, call_id: &str, waiting: &Waiting) -> Outcome {
        let entry = &self.catalog().tools[waiting.tool];
        let mut attempt = waiting.attempt();
        attempt.ticket = self.pass(entry, &waiting.arguments, waiting.batch);
        if !self.0.visible.is_available(entry) {
            return self.settle(attempt, End::Refused(Failure::unavailable(&entry.name, None)));
        }
        self.run(entry, CallContext::new(call_id, entry.position, Arc::clone(&self.0.scope)), attempt, None).await
    }

    /// Lets a call wait for the host. For the throttle it was never made.
    pub(super) fn defer(&self, entry: &Entry, mut attempt: Attempt<'_>) -> Outcome {
        self.0.deferred.add(Waiting {
            number: 0,
            call_id: attempt.call_id.to_owned(),
            tool: entry.position,
            name: entry.name.clone(),
            is_external: entry.tool.spec().external,
            arguments: attempt.arguments().lent().into_owned(),
            is_repaired: matches!(attempt.changed, Some(Changed::Repaired(_))),
            repairs: attempt.ledger.clone(),
            batch: attempt.ticket.take().and_then(|ticket| ticket.batch()),
        });
        // An observer that learns of it finds it waiting.
        self.settle(attempt, End::Deferred)
    }

    /// Ends every wait under an id; whether there was one.
    pub(super) fn cancel_deferred(&self, call_id: &str) -> bool {
        let cancelled = self.0.deferred.take_all(call_id);
        for waiting in &cancelled {
            let entry = &self.catalog().tools[waiting.tool];
            let mut attempt = waiting.attempt();
            attempt.ticket = self.pass(entry, &waiting.arguments, waiting.batch);
            // The host knows the outcome: it has cancelled the call.
            let _ = self.settle(attempt, End::Refused(Failure::cancelled(&waiting.name)));
        }
        !cancelled.is_empty()
    }
}
