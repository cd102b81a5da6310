//! One call on its way through the stages, [`Attempt`], and the ways in which a call ends without a result, [`End`].

use std::borrow::Cow;
use std::sync::OnceLock;

use super::decoded::{Decoded, NotDecoded};
use super::health_permit::Permit;
use super::run_interruptible::Interruption;
use crate::context::{CallContext, DecodedArguments};
use crate::decode::{self, ParsedTree, Rejected};
use crate::failure::Failure;
use crate::hook::HostArguments;
use crate::input::Arguments;
use crate::json::Json;
use crate::repair::Repair;
use crate::shape::Text;
use crate::throttle::{Batch, ThrottledCall, Ticket, Warning};
use crate::tool::{AnswerOrFuture, CallError};
use crate::toolbox::Entry;

/// Empty arguments, for a call without arguments.
pub(super) static NO_ARGUMENTS: Arguments<'static> = Arguments::Text(Cow::Borrowed(""));

/// One call on its way through the stages.
pub(super) struct Attempt<'a> {
    pub(super) call_id: &'a str,
    /// The name that the model called.
    pub(super) called: &'a str,
    /// The advertised name of the tool or container, or the called name if nothing has that name. Empty until the call is resolved.
    pub(super) name: Cow<'a, Text>,
    /// The tool; `None` until the call is resolved.
    pub(super) entry: Option<&'a Entry>,
    /// The arguments for the tool, as they were sent.
    pub(super) sent: &'a Arguments<'a>,
    /// The arguments that run, if they differ from those that were sent.
    changed: Option<(Change, &'a Arguments<'a>)>,
    /// The arguments that run together with the values of the host, if the tool has host parameters. Nothing but the tool reads them.
    pub(super) completed: Option<&'a Arguments<'a>>,
    /// The decoded arguments, if they were decoded before the tool runs.
    pub(super) prepared: Option<DecodedArguments>,
    /// The values of host parameters that hooks or the host supplied.
    pub(super) supplied: HostArguments,
    /// The repairs of the name and of the arguments.
    pub(super) ledger: Vec<Repair>,
    /// The place of the call in its batch.
    pub(super) member: Option<Box<Member<'a>>>,
    /// The throttle's permission to run; `None` without a throttle.
    pub(super) ticket: Option<Ticket<'a>>,
    /// The permission of the shared health of the tool.
    pub(super) permit: Option<Box<Permit<'a>>>,
    /// The answer of the tool, or its future, if the tool was called before the stages.
    pub(super) invocation: Option<Result<AnswerOrFuture<'a>, Interruption>>,
    /// A warning of the throttle about a call that reaches no tool.
    pub(super) warning: Option<Box<Warning>>,
    /// `true` if the output limit of the model cut off the answer that contains the call.
    pub(super) is_cut_off: bool,
    /// The context of the call, if it was created before the stages.
    pub(super) cx: Option<&'a CallContext>,
    storage: &'a CallStorage,
}

/// The storage of the values that a call creates on its way, and borrows until it ends. Values that few calls have are boxed.
#[derive(Default)]
pub(super) struct CallStorage {
    cx: OnceLock<CallContext>,
    nested: OnceLock<Box<Arguments<'static>>>,
    decoded: OnceLock<Box<Arguments<'static>>>,
    repaired: OnceLock<Box<Arguments<'static>>>,
    completed: OnceLock<Box<Arguments<'static>>>,
}

/// The reason why other arguments run than those that were sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The arguments were sent under aliases. They were renamed, because hooks look values up by the names in the schema.
    Renamed,
    Repaired,
    /// The arguments were converted back from a provider's form, and possibly parsed leniently.
    Restored {
        is_repaired: bool,
    },
}

impl<'a> Attempt<'a> {
    /// Creates a call that is not resolved yet.
    pub(super) fn new(call_id: &'a str, called: &'a str, sent: &'a Arguments<'a>, storage: &'a CallStorage) -> Self {
        Self {
            call_id,
            called,
            name: Cow::Owned(Text::EMPTY),
            entry: None,
            sent,
            changed: None,
            completed: None,
            prepared: None,
            supplied: HostArguments::new(),
            ledger: Vec::new(),
            member: None,
            ticket: None,
            permit: None,
            invocation: None,
            warning: None,
            is_cut_off: false,
            cx: None,
            storage,
        }
    }

    /// Creates a call whose tool or container has this name.
    pub(super) fn named(call_id: &'a str, name: &'a Text, sent: &'a Arguments<'a>, storage: &'a CallStorage) -> Self {
        Self { name: Cow::Borrowed(name), ..Self::new(call_id, name, sent, storage) }
    }

    /// Remembers the tool of the call.
    pub(super) fn reach(&mut self, entry: &'a Entry) {
        self.entry = Some(entry);
        self.name = Cow::Borrowed(&entry.name);
    }

    /// Returns the context of the call, which exists once.
    pub(super) fn cx(&mut self, create: impl FnOnce(&str) -> CallContext) -> &'a CallContext {
        self.cx.get_or_insert_with(|| self.storage.cx.get_or_init(|| create(self.call_id)))
    }

    /// Replaces the arguments that were sent by those inside of them, which a container passes on.
    pub(super) fn send_nested(&mut self, nested: Arguments<'static>) {
        self.sent = self.storage.nested.get_or_init(|| Box::new(nested));
    }

    /// Replaces the arguments that run.
    pub(super) fn change(&mut self, change: Change, text: Box<str>) {
        let storage = if self.changed.is_none() { &self.storage.decoded } else { &self.storage.repaired };
        self.changed = Some((change, storage.get_or_init(|| Box::new(String::from(text).into()))));
    }

    /// Marks the arguments that were sent as repaired before.
    pub(super) fn mark_repaired(&mut self) {
        self.changed = Some((Change::Repaired, self.sent));
    }

    /// Keeps the arguments together with the values of the host.
    pub(super) fn add_host_values(&mut self, completed: Arguments<'static>) {
        self.completed = Some(self.storage.completed.get_or_init(|| Box::new(completed)));
    }

    /// Counts the call, because its end may be far away.
    pub(super) fn count(&mut self) {
        if let Some(ticket) = &mut self.ticket {
            ticket.count();
        }
    }

    /// Returns `true` if a repair may still be tried. Arguments that a hook has approved are not changed.
    pub(super) fn is_repairable(&self, entry: &Entry) -> bool {
        !entry.is_asked_about && matches!(self.change_made(), None | Some(Change::Restored { .. }))
    }

    /// Returns the reason why other arguments run than those that were sent; `None` if the sent arguments run.
    pub(super) fn change_made(&self) -> Option<Change> {
        self.changed.map(|(change, _)| change)
    }

    /// Returns `true` if the arguments that run were repaired.
    pub(super) fn is_repaired(&self) -> bool {
        matches!(self.change_made(), Some(Change::Repaired | Change::Restored { is_repaired: true }))
    }

    /// Returns the arguments that run.
    pub(super) fn arguments(&self) -> &'a Arguments<'a> {
        self.changed.map_or(self.sent, |(_, arguments)| arguments)
    }
}

/// The end of a call without a result of its tool.
pub(super) enum End<'a> {
    /// The tool failed, or rejected the arguments.
    Failed {
        error: CallError,
        /// The tree of the arguments that ran.
        tree: ParsedTree<Json<'a>>,
    },
    /// The tool was interrupted.
    Interrupted(Interruption),
    /// A hook panicked, or the call was cancelled while a hook was deciding. Nothing ran.
    Undecided(Interruption),
    Throttled(ThrottledCall),
    /// The host answers later. `needs_approval` is `false` if another program runs the tool.
    Deferred {
        needs_approval: bool,
    },
    /// A container was expanded. The call may have meant one of these members.
    Expanded(usize, Vec<Text>),
    /// No tool ran, for a reason that no other variant describes.
    Denied(Failure),
}

impl<'a> End<'a> {
    /// Ends a call whose arguments were rejected.
    pub(super) fn rejected(rejected: Rejected<'a>) -> Self {
        let (error, tree) = decode::into_parts(rejected);
        Self::Failed { error: CallError::Invalid(error), tree }
    }
}

impl<'a> From<NotDecoded<'a>> for End<'a> {
    fn from(not_decoded: NotDecoded<'a>) -> Self {
        match not_decoded {
            NotDecoded::Rejected(rejected) => Self::rejected(rejected),
            NotDecoded::Panicked(panic) => Self::Interrupted(panic.before_tool()),
        }
    }
}

/// A call of a batch in a session with a throttle, or a call of a batch that may have been cut off.
pub(super) struct Member<'s> {
    /// The batch, if there is a throttle.
    pub(super) batch: Option<Batch>,
    pub(super) decision: Option<BatchDecision<'s>>,
    /// `true` if the output limit of the model cut off the answer that contains the call.
    pub(super) is_cut_off: bool,
}

/// The throttle's decision about a call of a batch.
pub(super) struct BatchDecision<'s> {
    pub(super) subject: usize,
    pub(super) admitted: Result<Ticket<'s>, ThrottledCall>,
    /// The decoded arguments; `None` if the decision did not need them.
    pub(super) decoded: Option<Box<Decoded<'static>>>,
}

/// Returns the batch that a call belongs to, if any.
pub(super) fn batch_of(member: Option<&Member<'_>>) -> Option<Batch> {
    member.and_then(|member| member.batch)
}
