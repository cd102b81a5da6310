//! Turns that wait for the host: [`answered`](Conversation::answer_deferred) and [`resume`](Conversation::resume).
//!
//! Invariants: the text of a deferral is never used as an answer. The time limit is paused while the turn waits. If the user sends another
//! prompt meanwhile, the deferred calls are cancelled, and the cancellations are their answers.

use std::collections::HashMap;
use std::sync::Arc;

use tool_runtime::session::Outcome;

use super::{Conversation, ConversationEvent, TurnEnd};
use crate::private::internal;
use crate::run::{CallAnswer, Next, Record, WaitingCall};

/// The error for a turn that cannot be continued.
///
/// ```
/// use tool_chat::conversation::{Conversation, ResumeError};
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::Toolbox;
///
/// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new());
/// assert_eq!(pollster::block_on(conversation.resume()).err(), Some(ResumeError::NothingDeferred));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// No turn is waiting.
    #[error("no call is deferred: the turn has ended, or another prompt has replaced it")]
    NothingDeferred,
    /// The turn is not waiting for this call.
    #[error("the turn does not wait for the call `{call_id}`: it was not deferred, or it is already answered")]
    NotDeferred {
        /// The id of the call.
        call_id: String,
    },
    /// Several calls of the turn have this id, which only happens in a run that an earlier version stored. Another prompt ends the turn.
    #[error("several calls of the turn have the id `{call_id}`, so it does not say which of them is answered")]
    Ambiguous {
        /// The id of the calls.
        call_id: String,
    },
    /// The outcome is another deferral, not an answer.
    #[error("the outcome of the call `{call_id}` is not an answer: it is deferred")]
    NoAnswer {
        /// The id of the call.
        call_id: String,
    },
}

impl Conversation {
    /// Records the answer to a deferred call after the turn has ended with [`Deferred`](TurnEnd::Deferred). The answer is the outcome that
    /// `session().complete(…)` or `session().resume(…)` returned. Afterwards, [`resume`](Self::resume) continues the turn.
    ///
    /// Each call of a conversation has an id of its own, also if the model repeated an id.
    ///
    /// ```
    /// use tool_chat::conversation::{Conversation, TurnEnd};
    /// use tool_runtime::hook::{ProposedCall, Verdict};
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Deletes a file.
    /// #[tool(destructive)]
    /// fn delete_file(
    ///     /// Which one.
    ///     path: String,
    /// ) -> String {
    ///     format!("{path} is gone")
    /// }
    ///
    /// # pollster::block_on(async {
    /// let toolbox = Toolbox::builder().tool(DeleteFileTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer).build()?;
    /// let model = ScriptedModel::new().call("delete_file", r#"{"path": "/tmp/a"}"#).text("It is gone.");
    /// let mut conversation = Conversation::new(toolbox.session(), model);
    ///
    /// let mut end = conversation.ask("Delete /tmp/a.").await;
    /// while let TurnEnd::Deferred { call_ids } = &end {
    ///     for call_id in call_ids {
    ///         let outcome = conversation.session().resume(call_id).await?; // the human said yes
    ///         conversation.answer_deferred(outcome)?;
    ///     }
    ///     end = conversation.resume().await?;
    /// }
    /// assert_eq!(end.text(), Some("It is gone."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the turn is not waiting for this call, or if the outcome is itself a deferral.
    pub fn answer_deferred(&mut self, outcome: Outcome) -> Result<(), ResumeError> {
        let call_id = outcome.call_id().to_owned();
        if outcome.is_deferred() {
            return Err(ResumeError::NoAnswer { call_id });
        }
        let Some(pending) = &mut self.pending else { return Err(ResumeError::NothingDeferred) };
        let index = pending.take(call_id.clone())?;
        self.run.apply_record(Record::from_call_end(index, outcome)).map_err(|_| ResumeError::NotDeferred { call_id })
    }

    /// Continues a turn that ended with [`Deferred`](TurnEnd::Deferred). The limits of the turn still apply, but the waiting time does not
    /// count. If calls are still unanswered, the turn ends again with `Deferred` and the ids of these calls, and the model is not called.
    /// See [`answer_deferred`](Self::answer_deferred) for an example.
    ///
    /// # Errors
    ///
    /// Fails if no turn is waiting.
    pub async fn resume(&mut self) -> Result<TurnEnd, ResumeError> {
        let Some(pending) = self.pending.take() else { return Err(ResumeError::NothingDeferred) };
        if let Next::Wait(calls) = self.run.next() {
            let end = deferred(&calls);
            self.pending = Some(pending);
            return Ok(end);
        }
        self.recorded = self.clock.now();
        self.report_event(&ConversationEvent::Resumed { turn: pending.turn, step: pending.step });
        self.report_rejected();
        let end = self.steps(pending.turn).await;
        Ok(self.ended(pending.turn, end))
    }

    /// Ends the last turn because the user sent another prompt. If the turn waits, its deferred calls are answered. If its future was
    /// dropped, its step in progress is not kept.
    pub(super) fn give_up(&mut self) {
        if self.pending.take().is_none() {
            // An error means that the last turn has ended, so nothing is left to do.
            let _ = self.run.apply_record(Record::Abandoned);
            return;
        }
        if let Next::Wait(calls) = self.run.next() {
            let mut cancelled: HashMap<&str, bool> = HashMap::new();
            let mut answers = Vec::with_capacity(calls.len());
            for WaitingCall { index, call, .. } in calls {
                let outcome = &call.outcome;
                let cancel = || self.session.cancel(outcome.call_id());
                // If the call is no longer deferred, the host answered it in the session but did not pass the answer to the conversation.
                let waited = *cancelled.entry(outcome.call_id()).or_insert_with(cancel);
                let outcome = if waited { internal::cancelled(outcome) } else { internal::lost(outcome) };
                answers.push(CallAnswer { call: index, outcome: Arc::new(outcome) });
            }
            let stopped = self.run.apply_record(Record::from_stopped_turn(answers));
            debug_assert_eq!(stopped, Ok(()), "the calls wait");
        }
        self.session.end_turn();
    }
}

/// Returns the end of a turn that waits for these calls.
pub(super) fn deferred(calls: &[WaitingCall<'_>]) -> TurnEnd {
    TurnEnd::Deferred { call_ids: calls.iter().map(|waits| waits.call.outcome.call_id().to_owned()).collect() }
}
