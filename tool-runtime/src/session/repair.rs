//! A call that was rejected is repaired, and run once more if its meaning is certain.
//!
//! In: the rejection, with what was found out about the arguments. Out: what the second call came to, or the refusal, with the ledger.
//! Invariant: a tool that rejected its arguments has run nothing, so the call runs at most once; incomplete text is never run; a good call
//! never comes here.

use std::sync::Arc;

use super::admit::Admitted;
use super::invoke::{Interruption, Invoked, guarded};
use super::sent::Sent;
use super::settle::Ended;
use super::{Outcome, Session};
use crate::check::check;
use crate::context::CallContext;
use crate::decode::{Rejected, check_arguments};
use crate::input::Arguments;
use crate::issue::{Issues, ValidationError};
use crate::json::Json;
use crate::repair::{Policy, Repair, Reread, reread};
use crate::shape::Ref;
use crate::tool::CallError;
use crate::toolbox::Entry;

impl Session {
    /// Answers a call whose arguments were rejected.
    pub(super) async fn repair_and_run(
        &self,
        call_id: &str,
        entry: &Entry,
        arguments: &Arguments<'_>,
        mut ledger: Vec<Repair>,
        rejected: Rejected<'_>,
        admitted: Admitted<'_>,
    ) -> Outcome {
        let cx = CallContext::new(call_id, Arc::clone(&self.0.scope));
        let (result, read) = match self.repair(entry, arguments, rejected) {
            Ok(Repaired { text, repairs, tree, left }) => {
                self.note(call_id, &mut ledger, repairs);
                let read = Arguments::from(&*text);
                let (answer, tree) = match left {
                    Some(error) => (Ok(Err(CallError::Invalid(error))), Some(Some(tree))),
                    None => match self.invoke(entry, &cx, &read) {
                        Invoked::Answered(answer) => (answer, None),
                        Invoked::Waiting(waiting) => (waiting.await, None),
                        Invoked::Rejected(rejected) => {
                            let (error, tree) = rejected.into_parts();
                            (Ok(Err(CallError::Invalid(error))), tree)
                        }
                    },
                };
                (self.settle(call_id, entry, answer, &Sent::known(&read, tree)), Some(text.clone()))
            }
            Err(NotRepaired::Rejected(rejected)) => {
                let (error, tree) = rejected.into_parts();
                let sent = Sent::known(arguments, tree);
                (self.settle(call_id, entry, Ok(Err(CallError::Invalid(error))), &sent), None)
            }
            Err(NotRepaired::Panicked(panic)) => (self.settle(call_id, entry, Err(panic), &Sent::new(arguments)), None),
        };
        self.conclude(Ended { call_id: call_id.into(), result, ledger, repaired: read, admitted }, entry, arguments)
    }

    /// Repairs arguments as the policy allows. Nothing runs.
    pub(super) fn repair<'a>(
        &self,
        entry: &Entry,
        arguments: &Arguments<'a>,
        rejected: Rejected<'a>,
    ) -> Result<Repaired<'a>, NotRepaired<'a>> {
        let (input, policy) = (self.input(entry), self.policy(entry));
        // A rule of the user's own may panic.
        let repaired = guarded(|| repaired(entry, &input, arguments, rejected, policy));
        repaired.map_err(NotRepaired::Panicked)?.map_err(NotRepaired::Rejected)
    }

    /// The repairs that a tool allows.
    pub(super) fn policy(&self, entry: &Entry) -> Policy {
        entry.tool.spec().settings.repair.unwrap_or(self.0.toolbox.parts().settings.policy)
    }
}

/// Arguments that were repaired, perhaps in part.
pub(super) struct Repaired<'a> {
    /// The arguments as they are now.
    pub(super) text: Box<str>,
    pub(super) repairs: Vec<Repair>,
    /// The same as a tree, which the checker has seen.
    pub(super) tree: Json<'a>,
    /// The issues that are left.
    pub(super) left: Option<ValidationError>,
}

/// Why nothing was repaired.
pub(super) enum NotRepaired<'a> {
    /// No other reading is certain.
    Rejected(Rejected<'a>),
    Panicked(Interruption),
}

fn repaired<'a>(
    entry: &Entry,
    input: &Ref,
    arguments: &Arguments<'a>,
    rejected: Rejected<'a>,
    policy: Policy,
) -> Result<Repaired<'a>, Rejected<'a>> {
    let Reread { arguments, repairs, issues } = reread(input, arguments, rejected, policy)?;
    let text: Box<str> = arguments.to_text().into();
    let left = if issues.is_empty() { None } else { left(entry, input, &text, &arguments, issues) };
    Ok(Repaired { text, repairs, tree: arguments, left })
}

/// The issues of repaired arguments that the checker still refuses.
fn left(entry: &Entry, input: &Ref, text: &str, tree: &Json<'_>, issues: Issues) -> Option<ValidationError> {
    let spec = entry.tool.spec();
    if spec.decode.is_none() {
        // The tool may know more than its shape says.
        let arguments = Arguments::from(text);
        return entry.tool.check(&arguments).and_then(|()| check_arguments(input, &arguments)).err();
    }
    // Issues by the type come before those by the state.
    let by_type = if entry.conditional.is_some() { check(&spec.input.shape(), tree) } else { Issues::new() };
    ValidationError::about(tree, if by_type.is_empty() { issues } else { by_type })
}
