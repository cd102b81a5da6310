//! Adds the values that the host supplies to the arguments of a call.
//!
//! In: the accepted arguments of the model, and values keyed by the names of host parameters. Out: the arguments of the tool. Invariants: the model
//! cannot send such a value, because its arguments are checked against an input without host parameters. Only the tool receives the values,
//! so no text, event or comparison of calls contains them.

use super::attempt::{Attempt, End};
use super::run_interruptible::guarded;
use super::session_with_toolbox::SessionView;
use crate::decode::{ParsedTree, check_arguments};
use crate::failure::Failure;
use crate::issue::ValidationError;
use crate::tool::{CallError, Complete, Incomplete};
use crate::toolbox::Entry;

impl SessionView {
    /// Adds the host's values to the arguments of the model, if the tool has host parameters. This is a stage.
    pub(super) fn supply<'a>(&'a self, entry: &'a Entry, call: &mut Attempt<'a>) -> Result<(), End<'a>> {
        let Some(host) = &entry.tool.spec().host else { return Ok(()) };
        // The arguments are checked again, because the state or the toolbox may have changed since the call was deferred, and a key that
        // the model sent must never be taken for a host parameter.
        let input = self.input(entry);
        match guarded(|| check_arguments(&input, call.arguments())) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(invalid(error)),
            Err(panic) => return Err(End::Interrupted(panic.before_tool())),
        }
        // This runs user-defined rules, which may panic.
        match guarded(|| host.complete(call.arguments(), &call.supplied)) {
            Ok(Ok(Complete { arguments, prepared })) => {
                call.prepared = prepared;
                call.add_host_values(arguments);
                Ok(())
            }
            Ok(Err(incomplete)) => Err(end_incomplete(entry, incomplete)),
            Err(panic) => Err(End::Interrupted(panic.before_tool())),
        }
    }
}

/// Ends a call whose tool cannot run with the host's values.
pub(super) fn end_incomplete<'a>(entry: &Entry, incomplete: Incomplete) -> End<'a> {
    match incomplete {
        Incomplete::Host(details) => {
            End::Denied(Failure::host_input(&entry.name, details).with_secret_details(entry.host_has_secrets))
        }
        Incomplete::Model(error) => invalid(error),
    }
}

const fn invalid<'a>(error: ValidationError) -> End<'a> {
    End::Failed { error: CallError::Invalid(error), tree: ParsedTree::NotYet }
}
