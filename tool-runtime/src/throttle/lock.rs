//! The lock of the state: [`LockedState`].
//!
//! Invariant: whenever the lock is released, [`Memory::open_from`](super::Memory::open_from) is up to date, so that a call that starts
//! without the lock is decided as with it.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{MutexGuard, PoisonError};

use super::Throttle;
use super::state::State;

/// The locked state.
pub(super) struct LockedState<'t> {
    state: MutexGuard<'t, State>,
    open_from: &'t AtomicU64,
}

impl Throttle {
    #[inline]
    pub(super) fn state(&self) -> LockedState<'_> {
        // No code of callers runs under the lock, and the counts are consistent after every statement.
        let state = self.memory.state.lock().unwrap_or_else(PoisonError::into_inner);
        LockedState { state, open_from: &self.memory.open_from }
    }

    /// Returns `true` if no rule can throttle a call that starts now and belongs to no batch.
    #[inline]
    pub(super) fn is_open(&self, now: u64) -> bool {
        self.is_open && now >= self.memory.open_from.load(Ordering::Acquire)
    }
}

impl Deref for LockedState<'_> {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for LockedState<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Drop for LockedState<'_> {
    #[inline]
    fn drop(&mut self) {
        self.open_from.store(self.state.open_from(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use proptest::prelude::*;

    use crate::clock::SimulatedClock;
    use crate::input::Arguments;
    use crate::shape::{Ref, Shape};
    use crate::throttle::{CallEnd, LimitOverrides, SessionLimits, Throttle, ThrottlePolicy, Ticket, Warning};

    const ERROR: &str = "The index is not there.";

    fn throttle(clock: &SimulatedClock) -> Throttle {
        let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
        let rules = [LimitOverrides::NONE, LimitOverrides::NONE, LimitOverrides::NONE.unlimited()];
        for (tool, overrides) in rules.iter().enumerate() {
            policy.add_tool(format!("tool{tool}"), Ref::Static(Shape::ANY), overrides);
        }
        policy.mark_read_only(1);
        Throttle::new(Arc::new(policy), Arc::new(clock.clone()))
    }

    fn end(ticket: Ticket<'_>, arguments: &str, end: u8) -> Option<Warning> {
        let arguments = Arguments::from(arguments);
        match end {
            0 => ticket.report(&arguments, CallEnd::Failed { error: ERROR }),
            1 => ticket.report(&arguments, CallEnd::Succeeded { result: "[]", repairs: 0 }),
            2 => ticket.report(&arguments, CallEnd::Denied),
            3 => {
                drop(ticket);
                None
            }
            number => ticket.report(&arguments, CallEnd::Succeeded { result: &number.to_string(), repairs: 0 }),
        }
    }

    proptest! {
        #[test]
        fn a_call_that_starts_without_the_lock_is_decided_as_with_it(
            steps in prop::collection::vec((0..4_usize, 0..3_u8, 0..40_u8, 0..20_u8, 0_u64..4_000), 1..120),
        ) {
            let clock = SimulatedClock::new();
            let (quick, mut asking) = (throttle(&clock), throttle(&clock));
            asking.is_open = false;
            let both = [&quick, &asking];
            let mut open = Vec::new();
            let mut without = 0;
            for (tool, arguments, how, kind, millis) in steps {
                clock.advance(Duration::from_millis(millis));
                without += usize::from(quick.is_open(clock_now(&clock)));
                let text = format!("{{\"a\": {arguments}}}");
                match kind {
                    // The host interferes.
                    0 => both.iter().for_each(|throttle| throttle.close_breaker(tool)),
                    1 => both.iter().for_each(|throttle| throttle.reset_tool(tool)),
                    // A batch of equal calls, and of a different one.
                    2 | 3 => {
                        let identity = both.map(|throttle| {
                            let batch = Some(throttle.batch());
                            let texts = [&*text, &*text, "{\"a\": 9}"];
                            let tickets = texts.map(|text| throttle.admit(tool, &text.into(), batch));
                            let ends = texts.into_iter().zip(tickets);
                            let ends = ends.map(|(text, ticket)| ticket.map(|ticket| end(ticket, text, how)));
                            format!("{:?}", ends.collect::<Vec<_>>())
                        });
                        prop_assert_eq!(&identity[0], &identity[1]);
                    }
                    // A call that ends later.
                    4 | 5 => {
                        let [first, second] = both.map(|throttle| throttle.admit(tool, &(&*text).into(), None));
                        prop_assert_eq!(first.as_ref().err(), second.as_ref().err());
                        if let (Ok(first), Ok(second)) = (first, second) {
                            open.push((first, second, text, how));
                        }
                    }
                    6 | 7 => {
                        if let Some((first, second, text, how)) = open.pop() {
                            prop_assert_eq!(end(first, &text, how), end(second, &text, how));
                        }
                    }
                    _ => {
                        let identity = both.map(|throttle| {
                            throttle.admit(tool, &(&*text).into(), None).map(|ticket| end(ticket, &text, how))
                        });
                        prop_assert_eq!(&identity[0], &identity[1]);
                    }
                }
                for (ticket, ..) in &mut open {
                    ticket.count();
                }
                prop_assert_eq!(quick.statistics(), asking.statistics());
            }
            prop_assert!(without > 0, "the first call needs no lock");
        }
    }

    fn clock_now(clock: &SimulatedClock) -> u64 {
        crate::clock::Clock::nanoseconds(clock)
    }
}
