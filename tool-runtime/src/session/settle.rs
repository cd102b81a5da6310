//! What a call came to, told to the observer and put into a failure where there is no result.
//!
//! In: the answer of a tool, or why there is none. Out: a result, or a failure in its final words. What always holds: each call has one
//! `Executed` or one `Rejected`; where a call sent a secret, the model reads no words of the tool that are not public.

use super::admit::Admitted;
use super::invoke::{Interruption, guarded};
use super::sent::Sent;
use super::{Outcome, Session};
use crate::check::sends_secret;
use crate::context::CallId;
use crate::decode::{knows_location, sent_at};
use crate::event::Decision;
use crate::failure::{Failure, ToolError};
use crate::input::Arguments;
use crate::issue::Path;
use crate::repair::Repair;
use crate::tool::{Answer, CallError, Payload};
use crate::toolbox::Entry;

/// A call that has ended, before its outcome is made.
pub(super) struct Ended<'s> {
    pub(super) call_id: CallId,
    pub(super) result: Result<Payload, Box<Failure>>,
    /// The repairs of the name and of the arguments.
    pub(super) ledger: Vec<Repair>,
    /// The arguments that ran, if they are not those that were sent.
    pub(super) repaired: Option<Box<str>>,
    pub(super) admitted: Admitted<'s>,
}

impl Session {
    /// A result is told to the observer, and what was refused before counts no longer.
    #[inline]
    pub(super) fn succeeded(&self, call_id: &str, entry: &Entry, payload: &Payload) {
        self.0.refused.succeeded(&entry.name);
        self.observe(call_id, || Decision::Executed { tool: &entry.name, payload });
    }

    /// What a tool came to, told to the observer.
    #[cold]
    pub(super) fn settle(
        &self,
        call_id: &str,
        entry: &Entry,
        answer: Result<Answer, Interruption>,
        sent: &Sent<'_>,
    ) -> Result<Payload, Box<Failure>> {
        match answer {
            Ok(Ok(payload)) => {
                self.succeeded(call_id, entry, &payload);
                Ok(payload)
            }
            Ok(Err(error)) => Err(Box::new(self.fail(call_id, entry, error, sent))),
            Err(interruption) => {
                let failure = interruption.into_failure(&entry.name);
                let failure = failure.with_secret_details(conceals_words(entry, sent));
                Err(Box::new(self.reject(call_id, &entry.name, failure)))
            }
        }
    }

    pub(super) fn fail(&self, call_id: &str, entry: &Entry, error: CallError, sent: &Sent<'_>) -> Failure {
        let tool = &entry.name;
        // What the error itself does not know.
        let having_sent = |failure: Failure| match failure.issues() {
            [] => failure,
            _ => failure.having_sent(sent.tree().is_none_or(|json| !json.members().is_empty())),
        };
        let shown = || entry.tool.spec().settings.show_errors.unwrap_or(self.0.toolbox.parts().settings.show_errors);
        // A refusal has no words of the tool's.
        let conceals = !matches!(error, CallError::Invalid(_)) && conceals_words(entry, sent);
        let concealed = |error: ToolError| if conceals { error.concealed() } else { error };
        let of_tool = |error: &ToolError| {
            let input = &entry.tool.spec().input;
            let sent_at = |path: &Path| sent_at(input, sent.tree()?, path);
            // A tool may write what it was sent into the path.
            let is_told =
                |path: &Path| !conceals || sent.tree().is_some_and(|arguments| knows_location(input, arguments, path));
            having_sent(Failure::tool_error(tool, error).about(is_told, sent_at))
        };
        let failure = match error {
            CallError::Invalid(error) if error.has_sent().is_some() => Failure::validation(tool, error),
            CallError::Invalid(error) => having_sent(Failure::validation(tool, error)),
            CallError::Tool(error) => said(tool, || concealed(error), of_tool),
            CallError::Failed(error) => said(tool, || concealed(ToolError::from_error(error, shown())), of_tool),
            CallError::Malformed(payload) => Failure::malformed_response(tool, &payload),
        };
        // The sentences of serde quote values too, of whatever place.
        let has_secret_details = conceals || failure.is_about_arguments() && entry.takes_secrets;
        let failure = failure.with_secret_details(has_secret_details);
        self.reject(call_id, tool, self.render(entry, failure, sent))
    }

    /// The outcome of a call that reached a tool: counted by the throttle, then inspected. It is counted as the tool gave it, because what a host has
    /// cut or marked may look the same.
    #[inline]
    pub(super) fn conclude(&self, ended: Ended<'_>, entry: &Entry, arguments: &Arguments<'_>) -> Outcome {
        let Ended { call_id, result, ledger, repaired, admitted } = ended;
        let mut outcome = Outcome::new(call_id, &entry.name, result, ledger, repaired);
        self.count(admitted, arguments, &mut outcome);
        self.inspect(entry, arguments, &mut outcome);
        outcome
    }

    /// The answer to a call that reached no tool.
    pub(super) fn refuse(&self, call_id: &str, tool: &str, failure: Failure, ledger: Vec<Repair>) -> Outcome {
        let failure = self.reject(call_id, tool, failure);
        Outcome::new(call_id.into(), &tool.to_owned().into(), Err(Box::new(failure)), ledger, None)
    }

    pub(super) fn reject(&self, call_id: &str, tool: &str, failure: Failure) -> Failure {
        self.observe(call_id, || Decision::Rejected { tool, failure: &failure });
        failure
    }
}

/// Whether the tool's own words about a call must not be shown, because it sent a value in a sensitive field. What cannot be read may have.
pub(super) fn conceals_words(entry: &Entry, sent: &Sent<'_>) -> bool {
    let sends = || sent.tree().is_none_or(|arguments| sends_secret(&entry.tool.spec().input.shape(), arguments));
    entry.takes_secrets && sends()
}

/// A failure out of an error of the tool's own, which may panic when it is asked for its words, and again when it is let go.
fn said(tool: &str, error: impl FnOnce() -> ToolError, failure: impl FnOnce(&ToolError) -> Failure) -> Failure {
    let mut told = None;
    let panic = guarded(|| told = Some(failure(&error())));
    match (told, panic) {
        (Some(failure), _) => failure,
        (None, Err(panic)) => panic.into_failure(tool),
        (None, Ok(())) => Failure::internal(tool, "an error without words"),
    }
}
