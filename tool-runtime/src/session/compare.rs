//! Asks the throttle about a call whose tool is paused only for some arguments: those of paused calls, or those that are rejected.
//!
//! In: a call whose arguments were decoded and repaired. Out: permission to run, or the refusal. Invariant: two calls are equal if the same
//! arguments would run after repairs and with defaults, however the calls were spelled.

use super::attempt::Attempt;
use super::generation::Generation;
use crate::throttle::{Refusal, Told};
use crate::toolbox::{Entry, Item};

impl Generation {
    /// Asks the throttle about a call that may equal a paused call, or whose tool is paused for rejected arguments.
    pub(super) fn compare<'s>(&'s self, entry: &Entry, attempt: &mut Attempt<'s>, told: Told) -> Result<(), Refusal> {
        let Some(throttle) = &self.throttle else { return Ok(()) };
        let subject = self.subject(Item::Tool(entry.position));
        attempt.ticket = Some(self.take_up(entry, throttle, throttle.reserve(subject, None, told))?);
        Ok(())
    }
}
