//! Runs one tool, from its arguments to its answer.
//!
//! In: a call whose arguments may run. Out: the result of its tool, the rejection of its arguments, or the end of the call. Invariant: the call
//! of a sync tool takes no lock and boxes nothing.

use super::attempt::{Attempt, End};
use super::run_interruptible::{Interruption, guarded};
use super::run_single_attempt::{Invoked, invoked, run_single_attempt};
use super::session_with_toolbox::SessionView;
use super::supply::end_incomplete;
use super::time_limit::invoke_watched;
use crate::check::check;
use crate::context::CallContext;
use crate::decode::{self, ParsedTree, Rejected};
use crate::input::Arguments;
use crate::issue::error_about;
use crate::tool::{CallError, Payload};
use crate::toolbox::Entry;

/// The reaction of a tool to its arguments.
pub(super) enum Reaction<'a> {
    Result(Payload),
    /// The arguments were rejected, and nothing has run.
    Rejected(Rejected<'a>),
}

impl SessionView {
    /// Runs the tool of a call, and waits for its answer. This is a stage.
    pub(super) async fn invoke<'a>(
        &'a self,
        entry: &'a Entry,
        call: &mut Attempt<'a>,
    ) -> Result<Reaction<'a>, End<'a>> {
        let cx = self.context(entry, call);
        let arguments = call.completed.unwrap_or_else(|| call.arguments());
        if let Some(prepared) = call.prepared.take() {
            cx.prepare(prepared, arguments);
        }
        let invoked = match call.invocation.take() {
            Some(invocation) => invoked(self, cx, invocation),
            // The arguments were checked against the state before the values of the host were added.
            None if call.completed.is_some() => self.invoke_accepted(entry, cx, arguments),
            None => self.invoke_checked(entry, cx, arguments),
        };
        let answer = match invoked {
            Invoked::Answered(answer) => answer,
            Invoked::Rejected(rejected) => return reaction(entry, *rejected),
            Invoked::Waiting(waiting) => {
                call.count();
                waiting.await
            }
        };
        // A rejected call may run after a repair, so it may still report progress.
        let answer = match answer {
            Ok(Err(CallError::Invalid(error))) => return reaction(entry, error.into()),
            answer => answer,
        };
        cx.end_progress();
        match answer {
            Ok(Ok(payload)) => Ok(Reaction::Result(payload)),
            Ok(Err(error)) => Err(End::Failed { error, tree: ParsedTree::NotYet }),
            Err(interruption) => Err(End::Interrupted(interruption)),
        }
    }

    /// Runs a tool with arguments that were not yet checked against the state.
    fn invoke_checked<'a>(
        &'a self,
        entry: &'a Entry,
        cx: &'a CallContext,
        arguments: &'a Arguments<'_>,
    ) -> Invoked<'a> {
        match self.rejected_by_state(entry, arguments) {
            Ok(None) => {}
            Ok(Some(rejected)) => return Invoked::Rejected(rejected),
            Err(panic) => return Invoked::Answered(Err(panic)),
        }
        self.invoke_accepted(entry, cx, arguments)
    }

    /// Runs a tool with arguments that were already checked against the state.
    #[inline]
    pub(super) fn invoke_accepted<'a>(
        &'a self,
        entry: &'a Entry,
        cx: &'a CallContext,
        arguments: &'a Arguments<'_>,
    ) -> Invoked<'a> {
        match &entry.watch {
            None => run_single_attempt(self, entry, cx, arguments),
            Some(watch) => invoke_watched(self, entry, watch, cx, arguments),
        }
    }
}

/// Returns the rejection of a call, or its end if the host's values were rejected too.
fn reaction<'a>(entry: &Entry, rejected: Rejected<'a>) -> Result<Reaction<'a>, End<'a>> {
    match &entry.tool.spec().host {
        // The tree of the arguments is dropped, because it contains the host's values.
        Some(host) => Err(end_incomplete(entry, host.blame(rejected.into_error()))),
        None => Ok(Reaction::Rejected(rejected)),
    }
}

impl SessionView {
    /// Rejects arguments that the tool accepts, but that the state does not allow.
    #[inline]
    pub(super) fn rejected_by_state<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
    ) -> Result<Option<Box<Rejected<'a>>>, Interruption> {
        if entry.conditional.is_none() { Ok(None) } else { self.rejected_by_narrowed(entry, arguments) }
    }

    fn rejected_by_narrowed<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
    ) -> Result<Option<Box<Rejected<'a>>>, Interruption> {
        if !entry.tool.spec().is_narrowed() {
            return Ok(None);
        }
        // The tool itself rejects text that is not valid JSON.
        let Ok(json) = arguments.to_json() else { return Ok(None) };
        // A user-defined rule may panic.
        let rejected = guarded(|| {
            let input = self.input(entry);
            error_about(&input.shape(), &json, check(&input.shape(), &json))
        });
        let rejected = rejected.map_err(Interruption::before_tool)?;
        Ok(rejected.map(|error| Box::new(decode::rejected(error, json))))
    }
}
