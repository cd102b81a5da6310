//! Answers deferred calls: `complete` and `resume`, and cancellations.
//!
//! In: calls that a hook deferred, and calls of tools without a handler. Out: one final [`Outcome`] for each.
//! Invariants: a call is answered once, even if two answers race. A resumed call runs with the arguments that it had when it was deferred.
//! A call without an answer stays in memory, so the host must complete or cancel calls to bound the memory.

use super::attempt::{Attempt, CallStorage, End};
use super::call_durability::DetachedCall;
use super::deferred_answer::{Answered, Completion, CompletionError};
use super::deferred_table::{DeferredCall, Waiting, Which};
use super::find_name;
use super::record_start::is_repeatable;
use super::session_with_toolbox::SessionView;
use super::traced;
use super::{Outcome, Session};
use crate::decode::ParsedTree;
use crate::failure::Failure;
use crate::hook::HostArguments;
use crate::throttle::Ticket;
use crate::tool::CallError;
use crate::toolbox::Entry;

impl Session {
    /// Returns every call that waits for the host's answer, in the order of deferral.
    ///
    /// A call waits until it is [completed](Self::complete), [resumed](Self::resume) or [cancelled](Self::cancel). Nothing else ends it, so
    /// deferred calls use memory until the host answers them.
    pub fn deferred_calls(&self) -> Vec<DeferredCall> {
        self.0.first.shared.deferred.all()
    }

    /// Answers a deferred call without running its tool. The answer can be a result, a [`ToolError`](crate::ToolError), or a
    /// [denial](Completion::denied). The returned outcome is the final answer to this call; send it to the model.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::tool::ExternalTool;
    /// use tool_runtime::{ToolInput, Toolbox};
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
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
    /// Fails if no call with this id waits. Fails with [`CompletionError::Ambiguous`] if several calls with this id waited at the same time;
    /// [`complete_call`](Self::complete_call) answers one of them.
    pub fn complete(&self, call_id: &str, completion: impl Into<Completion>) -> Result<Outcome, CompletionError> {
        self.complete_which(Which::Id(call_id), completion.into())
    }

    /// Answers exactly this call like [`complete`](Self::complete), also if other deferred calls have the same id.
    ///
    /// # Errors
    ///
    /// Fails if the call no longer waits.
    pub fn complete_call(
        &self,
        call: &DeferredCall,
        completion: impl Into<Completion>,
    ) -> Result<Outcome, CompletionError> {
        self.complete_which(call.which(), completion.into())
    }

    fn complete_which(&self, which: Which<'_>, completion: Completion) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let waiting = current.shared.deferred.take(which)?;
        // The tool may have been removed since the call was deferred, because the host gives the result.
        let entry = current.entry_of(&waiting).or_else(|| waiting.entry());
        let storage = CallStorage::default();
        let mut call = Attempt::from_waiting(&waiting, &storage);
        call.entry = entry;
        call.ticket = current.pass_waiting(&waiting);
        let result = match completion.0 {
            Answered::Result(payload) => Ok(payload),
            Answered::Failed(error) => Err(End::Failed { error: CallError::Tool(error), tree: ParsedTree::NotYet }),
            Answered::Denied(reason) => Err(End::Denied(Failure::denied(&waiting.name, &reason))),
            Answered::Cancelled => Err(End::Denied(Failure::cancelled(&waiting.name))),
        };
        Ok(current.settle(&mut call, result))
    }

    /// Runs a deferred call with the arguments that it had when it was deferred, for example after a human has approved it. No hook is
    /// asked again, and pauses of the throttle do not apply. The result or failure is counted as for any other call.
    ///
    /// The call stops waiting at the first poll of the future. From then on it is a running call:
    /// [`cancel`](Self::cancel) ends it, and if the future is dropped, the call has no answer.
    ///
    /// # Errors
    ///
    /// Fails if no call with this id waits. Also fails if its tool has no handler, if a host parameter has no value, or if several calls
    /// with this id waited at the same time ([`CompletionError::Ambiguous`]); in these cases, nothing runs and the call stays deferred.
    pub async fn resume(&self, call_id: &str) -> Result<Outcome, CompletionError> {
        self.resume_with_host_arguments(call_id, HostArguments::new()).await
    }

    /// Runs a deferred call like [`resume`](Self::resume), with values for the host parameters of its tool. They are
    /// added to the values that hooks supplied.
    ///
    /// ```
    /// use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Describes a picture that the user chooses.
    /// #[tool]
    /// fn describe(
    ///     /// Path of the picture.
    ///     #[tool(host, length(min = 1))]
    ///     picture: String,
    /// ) -> String {
    ///     format!("{picture} shows a cat.")
    /// }
    ///
    /// # pollster::block_on(async {
    /// let ask_later = |call: &ProposedCall<'_>| if call.missing_host_parameters().is_empty() { Verdict::Run } else { Verdict::Defer };
    /// let session = Toolbox::builder().tool(DescribeTool).before_call(ask_later).build()?.session();
    /// assert!(session.call("call_1", "describe", "{}").await.is_deferred());
    /// assert_eq!(session.deferred_calls()[0].missing_host_parameters()[0].doc, "Path of the picture.");
    ///
    /// assert!(session.resume("call_1").await.is_err()); // the call still waits
    /// let chosen = HostArguments::new().with("picture", "cat.png");
    /// assert_eq!(session.resume_with_host_arguments("call_1", chosen).await?.to_text(), "cat.png shows a cat.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails like `resume`. Also fails with [`CompletionError::HostArguments`] if a value is missing or invalid; in this case, the call
    /// stays deferred.
    pub async fn resume_with_host_arguments(
        &self,
        call_id: &str,
        values: HostArguments,
    ) -> Result<Outcome, CompletionError> {
        self.resume_which(Which::Id(call_id), values).await
    }

    /// Runs exactly this call like [`resume_with_host_arguments`](Self::resume_with_host_arguments), also if other deferred calls have the same id.
    ///
    /// ```
    /// use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
    /// use tool_runtime::session::{Completion, CompletionError};
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
    /// let defer = |_: &ProposedCall<'_>| Verdict::Defer;
    /// let session = Toolbox::builder().tool(DeleteFileTool).before_call(defer).build()?.session();
    /// for path in ["/tmp/a", "/tmp/b"] {
    ///     let _ = session.call("same", "delete_file", format!(r#"{{"path": "{path}"}}"#)).await;
    /// }
    /// // The id alone does not say which call is meant, so nothing runs.
    /// assert_eq!(session.resume("same").await.err(), Some(CompletionError::Ambiguous { call_id: "same".to_owned() }));
    ///
    /// let waiting = session.deferred_calls();
    /// assert_eq!(session.resume_call(&waiting[1], HostArguments::new()).await?.to_text(), "/tmp/b is gone");
    /// session.complete_call(&waiting[0], Completion::denied("The user said no."))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the call no longer waits, and otherwise like `resume_with_host_arguments`.
    pub async fn resume_call(&self, call: &DeferredCall, values: HostArguments) -> Result<Outcome, CompletionError> {
        self.resume_which(call.which(), values).await
    }

    async fn resume_which(&self, which: Which<'_>, values: HostArguments) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let found = current.shared.deferred.get(which)?;
        found.can_run()?;
        let mut supplied = found.supplied.clone();
        supplied.extend(values);
        // No lock is held, because user-defined rules run.
        found.can_run_with(&supplied)?;
        // The call may have been answered meanwhile.
        let waiting = current.shared.deferred.take(Which::Call(&found))?;
        let trace = traced::trace(&current, &waiting.call_id, &waiting.name, &waiting.arguments);
        let outcome = trace.around(current.run_approved(&waiting, supplied)).await;
        current.report_approved(&waiting.name, &outcome);
        Ok(outcome)
    }
}

impl SessionView {
    /// Returns the tool of a deferred call, if the toolbox still has it.
    pub(super) fn entry_of(&self, waiting: &Waiting) -> Option<&Entry> {
        match &waiting.origin {
            Some((toolbox, tool)) if toolbox.is_same(&self.toolbox) => self.catalog().tools.get(*tool),
            _ => self.catalog().find_tool(&waiting.name),
        }
    }

    /// Admits a deferred call. A call of a removed tool is counted under the number that the tool had.
    pub(super) fn pass_waiting(&self, waiting: &Waiting) -> Option<Ticket<'_>> {
        if let Some(entry) = self.entry_of(waiting) {
            return self.pass(entry, &waiting.arguments, waiting.batch);
        }
        let subject = self.numbers.removed(&waiting.name)?;
        Some(self.throttle.as_ref()?.admit_approved(subject, &waiting.arguments, waiting.batch))
    }

    /// Runs a deferred call that the host has approved.
    pub(super) async fn run_approved(&self, waiting: &Waiting, supplied: HostArguments) -> Outcome {
        let storage = CallStorage::default();
        let mut call = Attempt::from_waiting(waiting, &storage);
        call.ticket = self.pass_waiting(waiting);
        call.supplied = supplied;
        let result = match self.entry_of(waiting) {
            None => Err(End::Denied(find_name::removed(self, &waiting.name, []))),
            Some(entry) if !self.visible.is_available(entry) => {
                Err(End::Denied(Failure::unavailable(&entry.name, None)))
            }
            Some(entry) => {
                call.entry = Some(entry);
                self.stages(&mut call).await
            }
        };
        self.settle(&mut call, result)
    }

    /// Defers a call until the host answers. The throttle does not count it.
    pub(super) fn defer<'a>(&self, entry: &Entry, call: &mut Attempt<'a>) -> End<'a> {
        self.shared.deferred.add(Waiting {
            number: 0,
            call_id: call.call_id.to_owned(),
            origin: Some((self.toolbox.clone(), entry.position)),
            name: entry.name.clone(),
            is_external: entry.tool.spec().external,
            arguments: call.arguments().as_borrowed().into_owned(),
            is_repaired: call.is_repaired(),
            repairs: call.ledger.clone(),
            supplied: std::mem::take(&mut call.supplied),
            batch: call.ticket.take().and_then(|ticket| ticket.batch()),
        });
        // The call is stored before it is settled, so that an observer of the event finds it among the deferred calls.
        End::Deferred { needs_approval: !entry.tool.spec().external }
    }

    /// Defers a call so that another session runs it.
    pub(super) fn defer_to_session<'a>(&self, entry: &Entry, call: &mut Attempt<'a>) -> End<'a> {
        self.shared.durability.add(DetachedCall {
            call_id: call.call_id.to_owned(),
            tool: entry.name.to_string(),
            is_repeatable: is_repeatable(entry.tool.spec().settings.annotations),
            runs_alone: entry.tool.spec().settings.sequential,
        });
        self.defer(entry, call);
        End::Deferred { needs_approval: false }
    }

    /// Cancels every deferred call with an id. Returns `true` if there was one.
    pub(super) fn cancel_deferred(&self, call_id: &str) -> bool {
        let cancelled = self.shared.deferred.take_all(call_id);
        for waiting in &cancelled {
            let storage = CallStorage::default();
            let mut call = Attempt::from_waiting(waiting, &storage);
            call.ticket = self.pass_waiting(waiting);
            // The outcome is dropped, because the host itself has cancelled the call.
            let _ = self.settle(&mut call, Err(End::Denied(Failure::cancelled(&waiting.name))));
        }
        !cancelled.is_empty()
    }
}

impl<'a> Attempt<'a> {
    /// Returns a deferred call as it was when it was deferred.
    pub(super) fn from_waiting(waiting: &'a Waiting, storage: &'a CallStorage) -> Self {
        let mut call = Self::named(&waiting.call_id, &waiting.name, &waiting.arguments, storage);
        call.ledger.clone_from(&waiting.repairs);
        if waiting.is_repaired {
            call.mark_repaired();
        }
        call
    }
}
