//! Turns that wait for the host: [`answered`](Conversation::answered) and [`resume`](Conversation::resume).
//!
//! Invariants: the text of a deferral is never used as an answer. A step is added to the history and counted once all its calls are
//! answered. The time limit is paused while the turn waits. If the user sends another prompt meanwhile, the deferred calls are cancelled
//! and answered.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tool_runtime::session::Outcome;

use super::made::Made;
use super::pending::Pending;
use super::turn::Turn;
use super::{Conversation, End, Event};
use crate::private::siblings;

/// An error of a turn that cannot continue.
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
    /// The outcome is itself a deferral.
    #[error("the outcome of the call `{call_id}` is not an answer: it is deferred")]
    NoAnswer {
        /// The id of the call.
        call_id: String,
    },
}

impl Conversation {
    /// Passes the answer to a deferred call to a turn that ended with [`Deferred`](End::Deferred). The answer is the outcome of
    /// `session().complete(…)` or `session().resume(…)`. The turn then continues with [`resume`](Self::resume).
    ///
    /// If several deferred calls have the same id, the first one without an answer gets it.
    ///
    /// ```
    /// use tool_chat::conversation::{Conversation, End};
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
    /// while let End::Deferred { call_ids } = &end {
    ///     for call_id in call_ids {
    ///         let outcome = conversation.session().resume(call_id).await?; // the human said yes
    ///         conversation.answered(outcome)?;
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
    pub fn answered(&mut self, outcome: Outcome) -> Result<(), ResumeError> {
        let call_id = outcome.call_id().to_owned();
        if outcome.is_deferred() {
            return Err(ResumeError::NoAnswer { call_id });
        }
        let Some(pending) = &mut self.pending else { return Err(ResumeError::NothingDeferred) };
        let Some(place) = pending.next(&call_id) else { return Err(ResumeError::NotDeferred { call_id }) };
        let outcome = Arc::new(outcome);
        self.transcript.answer(pending.made.first + place, Arc::clone(&outcome));
        pending.made.outcomes[place] = outcome;
        Ok(())
    }

    /// Continues a turn that ended with [`Deferred`](End::Deferred), within its original limits; the waiting time does not count. If calls
    /// are still unanswered, the turn ends with `Deferred` again, with their ids, and the model is not called. See
    /// [`answered`](Self::answered) for an example.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new().text("Noon."));
    /// pollster::block_on(conversation.ask("What time is it?"));
    /// assert!(pollster::block_on(conversation.resume()).is_err()); // the turn has ended
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if no turn is waiting.
    pub async fn resume(&mut self) -> Result<End, ResumeError> {
        let Some(pending) = &self.pending else { return Err(ResumeError::NothingDeferred) };
        if !pending.waiting.is_empty() {
            return Ok(End::Deferred { call_ids: pending.made.deferred() });
        }
        let Some(Pending { mut turn, made, since, .. }) = self.pending.take() else {
            return Err(ResumeError::NothingDeferred);
        };
        let number = turn.number;
        turn.spent.pause(self.clock.now().saturating_sub(since));
        self.tell(&Event::Resumed { turn: number, step: turn.step });
        let end = match self.settle(&mut turn, made) {
            Some(end) => end,
            None => self.steps(turn).await,
        };
        Ok(self.ended(number, end))
    }

    /// Stores a turn until the host has answered its calls.
    pub(super) fn wait(&mut self, turn: Turn, made: Made) -> End {
        let call_ids = made.deferred();
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (place, outcome) in made.outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_deferred()) {
            waiting.entry(outcome.call_id().to_owned()).or_default().push_back(place);
        }
        self.pending = Some(Pending { turn, made, waiting, since: self.clock.now() });
        End::Deferred { call_ids }
    }

    /// Ends a waiting turn because of another prompt, and answers its deferred calls.
    pub(super) fn give_up(&mut self) {
        let Some(mut pending) = self.pending.take() else { return };
        let mut cancelled: HashMap<String, bool> = HashMap::new();
        for (place, outcome) in pending.made.outcomes.iter_mut().enumerate().filter(|(_, known)| known.is_deferred()) {
            let call_id = outcome.call_id();
            let waited = *cancelled.entry(call_id.to_owned()).or_insert_with(|| self.session.cancel(call_id));
            // If the call is no longer deferred, the host has answered it in the session and did not pass the answer
            // on.
            *outcome = Arc::new(if waited { siblings::cancelled(outcome) } else { siblings::lost(outcome) });
            self.transcript.answer(pending.made.first + place, Arc::clone(outcome));
        }
        let step = pending.made.noted(|name| self.is_shortened(name));
        self.history.step(step);
        self.session.end_turn();
    }
}
