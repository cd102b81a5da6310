//! Answers calls that reach no tool, because their name matches none or means a container.
//!
//! In: the reason from `resolve.rs`. Out: an expansion, a failure, or a refusal by the throttle. The throttle counts these calls like any
//! other call.

use super::Outcome;
use super::attempt::{Attempt, End, NO_ARGUMENTS};
use super::generation::Generation;
use super::member::Member;
use super::resolve::{Reason, Unrun};
use crate::input::Arguments;

impl Generation {
    /// Answers a call that reaches no tool.
    #[cold]
    pub(super) fn answer_unrun<'a>(
        &'a self,
        call_id: &str,
        unrun: Unrun,
        arguments: &Arguments<'a>,
        member: Option<Box<Member<'a>>>,
    ) -> Outcome {
        let Unrun { name, ledger, reason } = unrun;
        let mut attempt = Attempt::new(call_id, &name, &NO_ARGUMENTS, ledger);
        match reason {
            Reason::Container(container, near) => match self.admit_container(container, member.as_deref()) {
                Ok(ticket) => {
                    attempt.ticket = ticket;
                    self.make_visible(call_id, container);
                    self.settle(attempt, End::Expanded(container, near))
                }
                Err(refusal) => self.settle(attempt, End::Throttled(refusal)),
            },
            Reason::Expanded(container) => self.settle(attempt, End::Expanded(container, Vec::new())),
            Reason::Failed(failure) => {
                attempt.sent = arguments;
                let failure = failure.cut_off(member.as_ref().is_some_and(|member| member.is_cut_off));
                match self.admit_failed(&failure, &mut attempt, member) {
                    Ok(warning) => {
                        let mut outcome = self.settle(attempt, End::Refused(failure));
                        if let Some(warning) = warning {
                            self.warn(&mut outcome, warning);
                        }
                        outcome
                    }
                    Err(refusal) => self.settle(attempt, End::Throttled(refusal)),
                }
            }
        }
    }
}
