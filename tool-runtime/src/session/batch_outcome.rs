//! The outcomes of a batch: [`BatchOutcome`].
//!
//! In: the outcomes in the order of the calls. Out: the same outcomes, and one recovery for all of them. Invariant: there is one outcome
//! for each call, even if two calls share an id.

use super::Outcome;
use crate::failure::{Failure, Recovery};

/// The answers to the calls of a batch, in the order of the calls.
///
/// ```
/// use tool_runtime::{Toolbox, failure::Recovery, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// async fn add(
///     /// First summand.
///     a: f64,
///     /// Second summand.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// let session = Toolbox::builder().tool(AddTool).build()?.session();
/// let calls = [("call_1", "add", r#"{"a": 1, "b": 2}"#), ("call_2", "add", r#"{"a": 1}"#)];
/// let batch = pollster::block_on(session.call_batch(calls));
/// assert_eq!(batch.outcomes()[0].to_text(), "3.0");
/// assert_eq!((batch.outcomes()[1].call_id(), batch.recovery()), ("call_2", Some(Recovery::CorrectCall)));
/// assert!(!batch.is_ok());
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
    pub fn outcomes(&self) -> &[Outcome] {
        &self.0
    }

    /// Returns the owned answers, in the order of the calls.
    pub fn into_outcomes(self) -> Vec<Outcome> {
        self.0
    }

    /// Returns `true` if every call has a result. A [deferred](Outcome::is_deferred) call has none yet.
    pub fn is_ok(&self) -> bool {
        self.0.iter().all(Outcome::is_ok)
    }

    /// Returns the most urgent recovery among the failed calls; `None` if no call has failed. `Finish` takes precedence over `CorrectCall`,
    /// and `CorrectCall` over `Replan`. [Deferred](Outcome::is_deferred) calls are ignored.
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
