//! Runs tools together with the values that the host supplies.
//!
//! In: the accepted arguments of the model, and values keyed by the names of host parameters. Out: the outcome. Invariants: the model
//! cannot send such a value, because its arguments are checked against an input without host parameters. Only the tool receives the values,
//! so no text, event or comparison of calls contains them.

use super::Outcome;
use super::attempt::{Attempt, End};
use super::generation::Generation;
use super::invoke::{Invoked, guarded};
use crate::context::CallContext;
use crate::decode::{Parsed, Rejected, check_arguments};
use crate::failure::Failure;
use crate::hook::HostArguments;
use crate::issue::ValidationError;
use crate::tool::{CallError, Complete, HostInput, Incomplete};
use crate::toolbox::Entry;

impl Generation {
    /// Runs a tool with the model's arguments and the host's values.
    pub(super) async fn run_with_host<'a>(
        &'a self,
        entry: &'a Entry,
        host: &HostInput,
        cx: CallContext,
        attempt: Attempt<'a>,
        supplied: &HostArguments,
    ) -> Outcome {
        // The arguments are checked again, because the state or the toolbox may have changed since the call was deferred, and a key that
        // the model sent must never be taken for a host parameter.
        let input = self.input(entry);
        let refused = match guarded(|| check_arguments(&input, attempt.arguments())) {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(Ok(Err(CallError::Invalid(error)))),
            Err(panic) => Some(Err(panic.before_tool())),
        };
        if let Some(answer) = refused {
            return self.end(entry, attempt, answer, Parsed::NotYet);
        }
        // This runs user-defined rules, which may panic.
        let Complete { arguments, prepared } = match guarded(|| host.complete(attempt.arguments(), supplied)) {
            Ok(Ok(complete)) => complete,
            Ok(Err(incomplete)) => return self.end_incomplete(entry, attempt, incomplete),
            Err(panic) => return self.end(entry, attempt, Err(panic.before_tool()), Parsed::NotYet),
        };
        let attempt = if self.shared.starts.are_recorded() {
            match Box::pin(self.record_start(entry, &cx, attempt)).await {
                Ok(attempt) => attempt,
                Err(outcome) => return outcome,
            }
        } else {
            attempt
        };
        let cx = cx.with_prepared(prepared, &arguments);
        let answer = match self.invoke_accepted(entry, &cx, &arguments) {
            Invoked::Answered(answer) => answer,
            Invoked::Waiting(waiting) => waiting.await,
            Invoked::Rejected(rejected) => Ok(Err(CallError::Invalid(rejected.into_error()))),
        };
        match answer {
            Ok(Err(CallError::Invalid(error))) => {
                let incomplete = host.blame(without_tree(error));
                self.end_incomplete(entry, attempt, incomplete)
            }
            answer => self.end(entry, attempt, answer, Parsed::NotYet),
        }
    }

    fn end_incomplete<'a>(&'a self, entry: &'a Entry, attempt: Attempt<'a>, incomplete: Incomplete) -> Outcome {
        match incomplete {
            Incomplete::Host(details) => {
                let failure = Failure::host_input(&entry.name, details).with_secret_details(entry.host_has_secrets);
                self.settle(attempt, End::Refused(failure))
            }
            Incomplete::Model(error) => self.end(entry, attempt, Ok(Err(CallError::Invalid(error))), Parsed::NotYet),
        }
    }
}

/// Removes the tree of the arguments from an error, because it contains the host's values.
fn without_tree(error: ValidationError) -> ValidationError {
    Rejected::from(error).into_error()
}
