//! One call on its way through the stages, [`Attempt`], and its result after the last stage, [`End`].

use super::invoke::Interruption;
use crate::decode::{self, Parsed, Rejected};
use crate::failure::Failure;
use crate::input::Arguments;
use crate::json::Json;
use crate::repair::Repair;
use crate::shape::Text;
use crate::throttle::{Refusal, Ticket};
use crate::tool::{Answer, CallError, Payload};
use crate::toolbox::Entry;

/// Empty arguments, for a call without arguments.
pub(super) static NO_ARGUMENTS: Arguments<'static> = Arguments::Text(std::borrow::Cow::Borrowed(""));

/// One call on its way through the stages.
pub(super) struct Attempt<'a> {
    pub(super) call_id: &'a str,
    /// The advertised name of the tool or container, or the called name if nothing has that name.
    pub(super) name: &'a Text,
    /// The arguments for the tool, as they were sent.
    pub(super) sent: &'a Arguments<'a>,
    /// The arguments that run, if they differ from those that were sent.
    pub(super) changed: Option<Changed<'a>>,
    /// The repairs of the name and of the arguments.
    pub(super) ledger: Vec<Repair>,
    /// The throttle's permission to run; `None` without a throttle.
    pub(super) ticket: Option<Ticket<'a>>,
    /// `true` if the output limit of the model cut off the answer that contains the call.
    pub(super) is_cut_off: bool,
}

/// Arguments that differ from those that were sent.
#[derive(Clone, Copy)]
pub(super) enum Changed<'a> {
    /// The arguments were sent under aliases. They were renamed, because hooks look values up by the names in the schema.
    Renamed(&'a Arguments<'a>),
    Repaired(&'a Arguments<'a>),
    /// The arguments were converted back from a provider's form, and possibly parsed leniently.
    Restored {
        arguments: &'a Arguments<'a>,
        is_repaired: bool,
    },
}

impl<'a> Attempt<'a> {
    #[inline]
    pub(super) const fn new(call_id: &'a str, name: &'a Text, sent: &'a Arguments<'a>, ledger: Vec<Repair>) -> Self {
        Self { call_id, name, sent, changed: None, ledger, ticket: None, is_cut_off: false }
    }

    /// Counts the call, because its end may be far away.
    pub(super) fn count(&mut self) {
        if let Some(ticket) = &mut self.ticket {
            ticket.count();
        }
    }

    /// Returns `true` if a repair may still be tried.
    pub(super) const fn is_repairable(&self) -> bool {
        matches!(self.changed, None | Some(Changed::Restored { .. }))
    }

    /// Returns the arguments that run.
    #[inline]
    pub(super) const fn arguments(&self) -> &'a Arguments<'a> {
        match self.changed {
            None => self.sent,
            Some(Changed::Renamed(arguments) | Changed::Repaired(arguments) | Changed::Restored { arguments, .. }) => {
                arguments
            }
        }
    }
}

/// The result of a call after the last stage that it reached.
pub(super) enum End<'a> {
    /// The tool answered, rejected the arguments, or was interrupted.
    Answered {
        entry: &'a Entry,
        answer: Result<Answer, Interruption>,
        /// The tree of the arguments that ran.
        tree: Parsed<Json<'a>>,
    },
    /// A hook panicked, or the call was cancelled while a hook was deciding. Nothing ran.
    Undecided {
        entry: &'a Entry,
        interruption: Interruption,
    },
    Throttled(Refusal),
    /// The host supplied the result of a call whose tool the toolbox no longer has.
    Given(Payload),
    /// The host answers later.
    Deferred,
    /// A container was expanded. The call may have meant one of these members.
    Expanded(usize, Vec<Text>),
    /// No tool ran, for a reason that no other variant describes.
    Refused(Failure),
}

/// The reason why arguments were not decoded.
pub(super) enum NotDecoded<'a> {
    Rejected(Rejected<'a>),
    Panicked(Interruption),
}

impl<'a> NotDecoded<'a> {
    /// Returns the answer to a call whose arguments were not decoded, and the tree of the arguments.
    pub(super) fn into_answer(self) -> (Result<Answer, Interruption>, Parsed<Json<'a>>) {
        match self {
            Self::Rejected(rejected) => {
                let (error, tree) = decode::into_parts(rejected);
                (Ok(Err(CallError::Invalid(error))), tree)
            }
            Self::Panicked(panic) => (Err(panic.before_tool()), Parsed::NotYet),
        }
    }
}
