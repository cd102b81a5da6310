//! [`Ticket`], an admitted call.
//!
//! Invariant: every ticket is settled once. If a ticket is dropped, its call counts as cancelled, so a probe is never lost.

use std::borrow::Cow;

use serde::Serialize;

use super::decide::Admitted;
use super::failures::failed_result;
use super::recent_call::{Call, CallIdentity, Check};
use super::state::End;
use super::{CallEnd, Throttle, Warning, argument_values_in_error, canonical};
use crate::fast_hash::hash;
use crate::input::Arguments;
use crate::json::Json;
use crate::shape::Ref;

/// Several calls that the model made at once. Some rules count the calls of a batch as one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Batch(pub(crate) u64);

/// An admitted call whose end must be reported with [`report`](Self::report).
#[must_use = "a ticket that is dropped counts as a cancelled call"]
#[derive(Debug)]
pub struct Ticket<'t> {
    pub(super) throttle: &'t Throttle,
    pub(super) tool: usize,
    pub(super) batch: Option<u64>,
    /// The time of the start in nanoseconds.
    pub(super) began: u64,
    pub(super) admitted: Admitted,
    pub(super) phase: Phase,
}

/// The phase of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The call may run but has not started. If it is dropped, it is not counted.
    Reserved,
    /// The call runs but is not counted yet, because it started without the lock. It is counted when it ends or begins to wait.
    Uncounted,
    Running,
    Settled,
}

impl Ticket<'_> {
    pub(super) fn with(mut self, admitted: Admitted) -> Self {
        self.admitted = admitted;
        self
    }

    /// Discards the ticket of a throttled call, so that dropping it does not count as a cancellation.
    pub(super) fn forget(mut self) {
        self.phase = Phase::Settled;
    }

    /// Returns the batch to which the call belongs, if any.
    pub(crate) fn batch(&self) -> Option<Batch> {
        self.batch.map(Batch)
    }

    /// Returns `true` if the call may run and has not started.
    pub(super) fn is_reserved(&self) -> bool {
        self.phase == Phase::Reserved
    }

    /// Counts a call that started without the lock, because its end may be far away.
    pub(crate) fn count(&mut self) {
        if self.phase == Phase::Uncounted {
            self.phase = Phase::Running;
            let policy = &*self.throttle.policy;
            if let Some(subject) = policy.subject(self.tool) {
                self.throttle.state().started(self.tool, self.began, policy.limits_for(subject).unlimited);
            }
        }
    }

    /// Starts the call.
    pub(super) fn start(mut self, now: u64) -> Self {
        (self.began, self.phase) = (now, Phase::Running);
        self
    }
}

impl Ticket<'_> {
    /// Reports how the call ended. If a rule warns, returns a warning that you add to the answer to the call.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, Arguments};
    /// # use tool_runtime::tool_schema::shape::{Ref, Shape};
    /// # use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
    /// # let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
    /// # let ping = policy.add_tool("ping", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
    /// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// let arguments = Arguments::from("{}");
    /// let mut warning = None;
    /// for _ in 0..2 {
    ///     warning = throttle.admit(ping, &arguments, None)?.report(&arguments, CallEnd::Failed { error: "No answer." });
    /// }
    /// assert_eq!(
    ///     warning.map(|warning| warning.text),
    ///     Some("ping has failed 2 times with the same error. After one more failure like it the tool is paused.".into()),
    /// );
    /// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
    /// ```
    pub fn report(mut self, arguments: &Arguments<'_>, exit: CallEnd<'_>) -> Option<Warning> {
        self.end(arguments, exit).map(|warning| *warning)
    }

    /// Reports the end of the call like [`report`](Self::report), without a move of the ticket.
    #[inline]
    pub(crate) fn end(&mut self, arguments: &Arguments<'_>, exit: CallEnd<'_>) -> Option<Box<Warning>> {
        self.settle(arguments, None, exit)
    }

    /// Reports the end of a call that ran with other arguments than those that were sent. `sent` is the length of the sent arguments in
    /// bytes.
    #[cold]
    pub(crate) fn end_changed(&mut self, ran: &Arguments<'_>, sent: usize, exit: CallEnd<'_>) -> Option<Box<Warning>> {
        self.settle(ran, Some(sent), exit)
    }

    #[cold]
    fn cancel(&mut self) {
        if self.phase == Phase::Reserved {
            self.throttle.state().withdraw(self.tool, self.admitted, self.began);
        } else {
            self.settle(&Arguments::from(""), None, CallEnd::Cancelled);
        }
    }

    fn settle(&mut self, arguments: &Arguments<'_>, sent: Option<usize>, exit: CallEnd<'_>) -> Option<Box<Warning>> {
        let &mut Self { throttle, tool, batch, began, admitted, phase } = self;
        self.phase = Phase::Settled;
        let text = as_text(arguments);
        let started = Started { tool, batch, began, admitted, phase };
        throttle.end(&started, meant(arguments, &text), sent.unwrap_or(text.len()), exit)
    }
}

/// A call that has ended, as it started.
struct Started {
    tool: usize,
    batch: Option<u64>,
    began: u64,
    admitted: Admitted,
    phase: Phase,
}

impl Throttle {
    /// Reports that a call which [`start_unasked`](Self::start_unasked) has started returned a result.
    pub(crate) fn succeeded(
        &self,
        tool: usize,
        began: u64,
        arguments: &Arguments<'_>,
        result: &str,
    ) -> Option<Box<Warning>> {
        let exit = CallEnd::Succeeded { result, repairs: 0 };
        let Arguments::Text(text) = arguments else { return self.unasked_ticket(tool, began).end(arguments, exit) };
        let started = Started { tool, batch: None, began, admitted: Admitted::default(), phase: Phase::Uncounted };
        self.end(&started, meant(arguments, text.as_bytes()), text.len(), exit)
    }

    /// Ends a call that ran with these arguments. `argument_bytes` is the length of the arguments that were sent.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most of the branches are left out for a success")]
    fn end(&self, started: &Started, ran: &[u8], argument_bytes: usize, exit: CallEnd<'_>) -> Option<Box<Warning>> {
        let &Started { tool, batch, began, admitted, phase } = started;
        let policy = &*self.policy;
        let subject = policy.subject(tool)?;
        let limits = policy.limits_for(subject);
        let ended = self.clock.nanoseconds();
        // The texts are hashed before the lock is taken, because this takes longer for larger texts.
        let failed = exit.failed().map(|failed| exit.quoting(failed, ran));
        let result = match (exit, failed) {
            (CallEnd::Succeeded { result, .. }, _) => canonical::result(result, &limits.volatile),
            (_, Some(failed)) => failed_result(failed.error),
            _ => 0,
        };
        let call = Call {
            tool,
            input: &subject.input,
            is_read_only: subject.is_read_only,
            has_failed: failed.is_some(),
            arguments: ran,
            result,
            batch,
            began,
            ended,
        };
        let Admitted { probes, in_batch, .. } = admitted;
        let end = End { call, exit, failed, argument_bytes, probes, in_batch };
        let mut state = self.state();
        if phase == Phase::Uncounted {
            state.started(tool, began, limits.unlimited);
        }
        let warning = state.conclude(policy, limits, end);
        state.apply_pauses();
        warning
    }
}

impl Drop for Ticket<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.phase != Phase::Settled {
            self.cancel();
        }
    }
}

impl CallIdentity {
    /// Identifies a call by its arguments.
    #[cold]
    pub(crate) fn from_arguments(arguments: &Arguments<'_>, input: &Ref) -> Self {
        Self::from_tree(arguments, arguments.to_json().ok().as_ref(), input)
    }

    /// Identifies a call by its arguments and their parsed tree, which is `None` if they are not valid JSON.
    #[cold]
    pub(crate) fn from_tree(arguments: &Arguments<'_>, tree: Option<&Json<'_>>, input: &Ref) -> Self {
        let value = tree.map(|tree| canonical::tree(tree, input));
        let values = tree.map_or(0, argument_values_in_error::values_of);
        Self { arguments: hash(meant(arguments, &as_text(arguments))), value, values, check: Check::Open }
    }

    /// Sets the result of the check of the arguments.
    pub(crate) const fn checked(self, check: Check) -> Self {
        Self { check, ..self }
    }
}

/// Returns the arguments as sent, or, if they were parsed before, as encoded by `serde_json`.
#[inline]
fn as_text<'a>(arguments: &'a Arguments<'_>) -> Cow<'a, [u8]> {
    match arguments {
        Arguments::Text(text) => Cow::Borrowed(text.as_bytes()),
        Arguments::Bytes(bytes) => Cow::Borrowed(bytes),
        // Parsed values are always encodable.
        Arguments::Value(value) => Cow::Owned(encoded(&**value)),
        Arguments::Map(map) => Cow::Owned(encoded(&**map)),
    }
}

#[cold]
fn encoded(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// Returns the text that identifies the arguments: the text itself, or `{}` for all spellings of empty arguments.
#[inline]
fn meant<'a>(arguments: &Arguments<'_>, text: &'a [u8]) -> &'a [u8] {
    // Most texts begin with a key, so they need not be checked for empty arguments.
    if !text.starts_with(b"{\"") && arguments.is_empty() { b"{}" } else { text }
}
