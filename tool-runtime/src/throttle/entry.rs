//! Calls that arrive at a throttle.
//!
//! Each call, alone or in a batch, gets a ticket or a throttled call. Calls of unknown names are counted too. Invariant: the lock is only held for
//! the decision, not while arguments are parsed; a call that no rule can throttle starts without the lock.

use std::sync::atomic::Ordering;

use super::decide::{AdmissionRequest, Admitted};
use super::lock::LockedState;
use super::policy::Subject;
use super::recent_call::{CallIdentity, Check};
use super::session_rules::UnknownNameReaction;
use super::state::State;
use super::ticket::Phase;
use super::{Batch, Throttle, ThrottledCall, Ticket, Warning, messages};
use crate::bounded;
use crate::failure::ThrottleRule;
use crate::input::Arguments;

impl Throttle {
    /// Begins a batch: several calls that the model made at once.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::clock::SimulatedClock;
    /// # use tool_runtime::tool_schema::shape::{Ref, Shape};
    /// # use tool_runtime::throttle::{SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
    /// # let mut policy = ThrottlePolicy::with_limits(SessionLimits::strict());
    /// # let read = policy.add_tool("read", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
    /// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// let (batch, next) = (Some(throttle.batch()), Some(throttle.batch()));
    /// for page in 0..8 {
    ///     drop(throttle.admit(read, &page.to_string().into(), batch)?); // eight different calls count as one
    /// }
    /// assert!(throttle.admit(read, &"8".into(), next).is_ok());
    /// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
    /// ```
    pub fn batch(&self) -> Batch {
        Batch(self.memory.batches.fetch_add(1, Ordering::Relaxed))
    }

    /// Decides whether a call may run. A call of a tool that the policy does not contain may always run.
    ///
    /// # Errors
    ///
    /// Fails if a rule throttles the call. The error contains the rule, its message, and the time after which the call may be repeated.
    pub fn admit(
        &self,
        tool: usize,
        arguments: &Arguments<'_>,
        batch: Option<Batch>,
    ) -> Result<Ticket<'_>, ThrottledCall> {
        self.admit_checked(tool, arguments, Check::Open, batch)
    }

    /// Decides like [`admit`](Self::admit), if the result of the check of the arguments is known.
    pub(crate) fn admit_checked(
        &self,
        tool: usize,
        arguments: &Arguments<'_>,
        check: Check,
        batch: Option<Batch>,
    ) -> Result<Ticket<'_>, ThrottledCall> {
        if batch.is_none() {
            let mut ticket = None;
            self.admit_unread(tool, false, &mut ticket)?;
            if let Some(ticket) = ticket {
                return Ok(ticket);
            }
        }
        let identity = self
            .policy
            .subject(tool)
            .map(|subject| CallIdentity::from_arguments(arguments, &subject.input).checked(check));
        self.start_reserved(tool, self.reserve(tool, batch, identity.unwrap_or_default()))
    }

    /// Decides about a call whose arguments were not parsed yet, and writes its ticket. Writes none if no rule has throttled the call so far,
    /// but the decision [depends on its arguments](Self::compares). Such a call must be decoded and then [reserved](Self::reserve). If `is_reserved` is `true`, the call does not start yet.
    #[inline]
    pub(crate) fn admit_unread<'t>(
        &'t self,
        tool: usize,
        is_reserved: bool,
        ticket: &mut Option<Ticket<'t>>,
    ) -> Result<(), ThrottledCall> {
        let now = self.clock.nanoseconds();
        let mut admitted = Admitted::default();
        let mut phase = if is_reserved { Phase::Reserved } else { Phase::Running };
        if !is_reserved && self.is_open(now) {
            phase = Phase::Uncounted;
        } else if let Some(subject) = self.policy.subject(tool) {
            let mut state = self.state();
            if state.compares(tool) {
                return self.ask(state, subject, tool, now);
            }
            if !is_reserved {
                state.minute.note(now);
                state.run.known();
            }
            match self.decide(&mut state, subject, tool, None, now, CallIdentity::default()) {
                Ok(passed) => admitted = passed,
                Err(throttled) => {
                    if is_reserved {
                        state.minute.note(now);
                        state.run.known();
                    }
                    state.tool(tool).counters.throttled += 1;
                    return Err(*throttled);
                }
            }
        }
        // Written in place, because a ticket is large.
        *ticket = Some(Ticket { throttle: self, tool, batch: None, began: now, admitted, phase });
        Ok(())
    }

    /// Starts a call that belongs to no batch, if no rule can throttle it. Returns the time of the start in nanoseconds.
    #[inline]
    pub(crate) fn start_unasked(&self) -> Option<u64> {
        let now = self.clock.nanoseconds();
        self.is_open(now).then_some(now)
    }

    /// Returns the ticket of a call that [`start_unasked`](Self::start_unasked) has started.
    pub(crate) fn unasked_ticket(&self, tool: usize, began: u64) -> Ticket<'_> {
        self.ticket(tool, None, began, Phase::Uncounted)
    }

    /// Applies the rules that do not depend on the arguments of the call. Only a throttled call is counted.
    #[cold]
    fn ask(&self, mut state: LockedState<'_>, subject: &Subject, tool: usize, now: u64) -> Result<(), ThrottledCall> {
        let limits = self.policy.limits_for(subject);
        if limits.unlimited {
            return Ok(());
        }
        let request = AdmissionRequest { tool, subject, limits, batch: None, now, identity: CallIdentity::LATER };
        let asked = state.ask(&self.policy, &request).map(drop);
        if asked.is_err() {
            state.minute.note(now);
            state.run.known();
            state.tool(tool).counters.throttled += 1;
        }
        drop(state);
        asked.map_err(|throttled| *throttled)
    }

    /// Decides about a call before it starts. The call enters the statistics when it is [taken up](Self::take_up). If the call cannot equal
    /// any other call, `identity` may be the default value.
    pub(crate) fn reserve(
        &self,
        tool: usize,
        batch: Option<Batch>,
        identity: CallIdentity,
    ) -> Result<Ticket<'_>, ThrottledCall> {
        let now = self.clock.nanoseconds();
        let ticket = self.ticket(tool, batch, now, Phase::Reserved);
        let Some(subject) = self.policy.subject(tool) else { return Ok(ticket) };
        let mut state = self.state();
        let decided = self.decide(&mut state, subject, tool, batch, now, identity);
        drop(state);
        match decided {
            Ok(admitted) => Ok(ticket.with(admitted)),
            Err(throttled) => {
                ticket.forget();
                Err(*throttled)
            }
        }
    }

    /// Returns `true` if the decision about the next call of a tool depends on its arguments, because calls of the tool are paused, or
    /// because a pause of the tool admits valid arguments.
    pub(crate) fn compares(&self, tool: usize) -> bool {
        self.state().compares(tool)
    }

    /// Starts a reserved call, or counts it as throttled. A call that has already started is not counted again.
    pub(crate) fn start_reserved<'t>(
        &'t self,
        tool: usize,
        decided: Result<Ticket<'t>, ThrottledCall>,
    ) -> Result<Ticket<'t>, ThrottledCall> {
        if let Ok(ticket) = &decided
            && !ticket.is_reserved()
        {
            return decided;
        }
        let now = self.clock.nanoseconds();
        let mut state = self.state();
        state.minute.note(now);
        state.run.known();
        if decided.is_err() {
            state.tool(tool).counters.throttled += 1;
        }
        drop(state);
        decided.map(|ticket| ticket.start(now))
    }

    #[inline]
    fn decide(
        &self,
        state: &mut State,
        subject: &Subject,
        tool: usize,
        batch: Option<Batch>,
        now: u64,
        identity: CallIdentity,
    ) -> Result<Admitted, Box<ThrottledCall>> {
        let limits = self.policy.limits_for(subject);
        if limits.unlimited {
            return Ok(Admitted::default());
        }
        let batch = batch.map(|Batch(number)| number);
        state.admit(&self.policy, &AdmissionRequest { tool, subject, limits, batch, now, identity })
    }

    pub(super) fn ticket(&self, tool: usize, batch: Option<Batch>, now: u64, phase: Phase) -> Ticket<'_> {
        let batch = batch.map(|Batch(number)| number);
        Ticket { throttle: self, tool, batch, began: now, admitted: Admitted::default(), phase }
    }

    /// Counts a call of an unknown name. Returns a warning when the count reaches [`UnknownNameLimits::warn`](super::UnknownNameLimits::warn).
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, throttle::{SessionLimits, ThrottlePolicy, Throttle}};
    /// # let throttle = Throttle::new(Arc::new(ThrottlePolicy::with_limits(SessionLimits::default())), Arc::new(SimulatedClock::new()));
    /// let mut invent = || throttle.count_unknown_name("seach", ["search", "load"], None);
    /// for _ in 0..5 {
    ///     invent()?;
    /// }
    /// assert_eq!(
    ///     invent().err().map(|throttled| throttled.message).as_deref(),
    ///     Some("5 names in a row were invented. The tools are: search, load."),
    /// );
    /// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the count exceeds [`UnknownNameLimits::limit`](super::UnknownNameLimits::limit). The throttled call replaces the answer `unknown_tool`,
    /// and lists only the names of the `tools`. The count starts again when an existing name is called.
    pub fn count_unknown_name<'n>(
        &self,
        name: &str,
        tools: impl IntoIterator<Item = &'n str>,
        batch: Option<Batch>,
    ) -> Result<Option<Warning>, ThrottledCall> {
        let now = self.clock.nanoseconds();
        let batch = batch.map(|Batch(number)| number);
        let session = self.policy.limits();
        let mut state = self.state();
        state.minute.note(now);
        state.unknown_names += 1;
        state.run.fail(batch);
        let Some(limits) = session.unknown_tools else { return Ok(None) };
        let unknown_name = state.run.unknown_names(limits, batch);
        drop(state);
        match unknown_name {
            UnknownNameReaction::Nothing => Ok(None),
            UnknownNameReaction::Warn(count) => Ok(Some(messages::unknown_names(count))),
            UnknownNameReaction::Shrink(count) => Err(ThrottledCall {
                tool: bounded::name(name).into_owned().into(),
                rule: ThrottleRule::UnknownTools,
                count,
                message: messages::shrunk(count, tools),
                retry_after: None,
                admits_others: false,
            }),
        }
    }
}
