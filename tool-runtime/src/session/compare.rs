//! Compares a call with those of its tool that are paused, by what would run.
//!
//! In: a call whose arguments were decoded and repaired. Out: its right to run, or the refusal. Invariant: a spelling of the arguments, a repair
//! or a written default makes no difference.

use super::attempt::Attempt;
use super::generation::Generation;
use crate::throttle::{Refusal, Told};
use crate::toolbox::{Entry, Item};

impl Generation {
    /// Asks whether a call may run that may be a paused one.
    pub(super) fn compare<'s>(&'s self, entry: &Entry, attempt: &mut Attempt<'s>, told: Told) -> Result<(), Refusal> {
        let Some(throttle) = &self.throttle else { return Ok(()) };
        let subject = self.subject(Item::Tool(entry.position));
        attempt.ticket = Some(self.take_up(entry, throttle, throttle.reserve(subject, None, told))?);
        Ok(())
    }
}
