//! What a batch comes to: [`BatchOutcome`].
//!
//! In: the outcomes in the order of the calls. Out: the same, and what the model should do about all of them together. What always holds:
//! there is one outcome for each call, also where two calls have one id.

use super::Outcome;
use crate::failure::{Failure, Recovery};

/// The answers to the calls of a batch, in their order.
///
/// ```
/// use tool_runtime::failure::Recovery;
///
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let batch = pollster::block_on(session.call_batch([("1", "add", "{}"), ("1", "sub", "{}")]));
/// let answered: Vec<_> = batch.outcomes().iter().map(|outcome| (outcome.call_id(), outcome.tool())).collect();
/// assert_eq!(answered, [("1", "add"), ("1", "sub")]);
/// assert_eq!(batch.recovery(), Some(Recovery::Replan));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Debug)]
#[must_use = "the model waits for the answers to its calls"]
pub struct BatchOutcome(Vec<Outcome>);

impl BatchOutcome {
    pub(super) const fn new(outcomes: Vec<Outcome>) -> Self {
        Self(outcomes)
    }

    /// One answer for each call, in the order of the calls.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let batch = pollster::block_on(session.call_batch([("call_1", "add", "{}")]));
    /// assert_eq!(batch.outcomes()[0].call_id(), "call_1");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn outcomes(&self) -> &[Outcome] {
        &self.0
    }

    /// The answers themselves, in the order of the calls.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let batch = pollster::block_on(session.call_batch([("call_1", "add", "{}")]));
    /// assert_eq!(batch.into_outcomes().len(), 1);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn into_outcomes(self) -> Vec<Outcome> {
        self.0
    }

    /// Whether every call has a result. One that [waits](Outcome::is_deferred) for the host has none yet.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(!pollster::block_on(session.call_batch([("call_1", "add", "{}")])).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn is_ok(&self) -> bool {
        self.0.iter().all(Outcome::is_ok)
    }

    /// What the model should do, where a call has failed: to finish beats to correct a call, which beats to replan. A call that
    /// [waits](Outcome::is_deferred) for the host has no part in it.
    ///
    /// ```
    /// # use tool_runtime::session::CallRequest;
    /// let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert_eq!(pollster::block_on(session.call_batch(Vec::<CallRequest<'_>>::new())).recovery(), None);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn recovery(&self) -> Option<Recovery> {
        let weight = |recovery: &Recovery| match recovery {
            Recovery::Replan => 0,
            Recovery::CorrectCall => 1,
            Recovery::Finish => 2,
        };
        let failures = self.0.iter().filter_map(|outcome| outcome.failure());
        failures.filter(|failure| !failure.is_deferred()).map(Failure::recovery).max_by_key(weight)
    }
}

impl IntoIterator for BatchOutcome {
    type Item = Outcome;
    type IntoIter = std::vec::IntoIter<Outcome>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
