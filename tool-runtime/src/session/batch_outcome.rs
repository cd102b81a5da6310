//! The outcomes of a batch: [`BatchOutcome`].
//!
//! In: the outcomes in the order of the calls. Out: the same outcomes, and one recovery for all of them. Invariant: there is one outcome
//! for each call, even if two calls share an id.

use super::Outcome;
use crate::failure::{Failure, Recovery};

/// The answers to the calls of a batch, in the order of the calls.
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

    /// Returns one answer for each call, in the order of the calls.
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

    /// Returns the owned answers, in the order of the calls.
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

    /// Returns `true` if every call has a result. A [deferred](Outcome::is_deferred) call has none yet.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(!pollster::block_on(session.call_batch([("call_1", "add", "{}")])).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn is_ok(&self) -> bool {
        self.0.iter().all(Outcome::is_ok)
    }

    /// Returns the most urgent recovery among the failed calls; `None` if no call has failed. `Finish` takes precedence over `CorrectCall`,
    /// and `CorrectCall` over `Replan`. [Deferred](Outcome::is_deferred) calls are ignored.
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
