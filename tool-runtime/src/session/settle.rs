//! What a call came to, told to the observer and put into a failure where there is no result.
//!
//! In: the answer of a tool, or why there is none. Out: a result, or a failure in its final words. What always holds: each call has one
//! `Executed` or one `Rejected`, and what was sent in sensitive fields is in no words of a tool's.

use super::invoke::{Interruption, guarded};
use super::{Outcome, Session};
use crate::check::Secrets;
use crate::decode::sent_at;
use crate::event::Decision;
use crate::failure::{Failure, ToolError};
use crate::input::Arguments;
use crate::issue::Path;
use crate::repair::Repair;
use crate::tool::{Answer, CallError, Payload};
use crate::toolbox::Entry;

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
        arguments: &Arguments<'_>,
    ) -> Result<Payload, Box<Failure>> {
        match answer {
            Ok(Ok(payload)) => {
                self.succeeded(call_id, entry, &payload);
                Ok(payload)
            }
            Ok(Err(error)) => Err(Box::new(self.fail(call_id, entry, error, arguments))),
            Err(interruption) => {
                Err(Box::new(self.reject(call_id, &entry.name, interruption.into_failure(&entry.name))))
            }
        }
    }

    pub(super) fn fail(&self, call_id: &str, entry: &Entry, error: CallError, arguments: &Arguments<'_>) -> Failure {
        let tool = &entry.name;
        // What the error itself does not know.
        let having_sent = |failure: Failure| match failure.issues() {
            [] => failure,
            _ => failure.having_sent(arguments.to_json().map_or(true, |json| !json.members().is_empty())),
        };
        let of_tool = |error: &ToolError| {
            let sent_at = |path: &Path| sent_at(&entry.tool.spec().input, &arguments.to_json().ok()?, path);
            having_sent(Failure::tool_error(tool, error).about(sent_at))
        };
        let shown = || entry.tool.spec().show_errors.unwrap_or(self.0.toolbox.parts().settings.show_errors);
        let secrets = || {
            let shape = entry.tool.spec().input.shape();
            let arguments = if shape.has_secrets() { arguments.to_json().ok() } else { None };
            arguments.map_or_else(Secrets::default, |arguments| Secrets::of(&shape, &arguments))
        };
        let failure = match error {
            CallError::Invalid(error) if error.has_sent().is_some() => Failure::validation(tool, error),
            CallError::Invalid(error) => having_sent(Failure::validation(tool, error)),
            CallError::Tool(error) => said(tool, || error.without(&secrets()), of_tool),
            CallError::Failed(error) => {
                said(tool, || ToolError::from_error_without(error, shown(), &secrets()), of_tool)
            }
            CallError::Malformed(payload) => Failure::malformed_response(tool, &payload),
        };
        self.reject(call_id, tool, self.worded(entry, failure, arguments))
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
