//! The steps of a scenario: [`Step`].
//!
//! Invariant: the first prompt comes before any answer of the host, and the last step is not a wait.

use std::sync::Arc;
use std::time::Duration;

use super::host::Reply;
use crate::Misuse;

/// One step of a scenario.
#[derive(Clone)]
pub(super) enum Step {
    /// A prompt of the user.
    Prompt(String),
    /// A time in which nothing happens.
    Wait(Duration),
    /// A reply of the host to the first deferred call of a tool.
    Reply { tool: String, reply: Arc<dyn Fn() -> Reply + Send + Sync> },
}

/// Returns the mistakes in the order of the steps.
pub(super) fn misuses(steps: &[Step]) -> Vec<Misuse> {
    let mut found = Vec::new();
    let first = steps.iter().position(|step| matches!(step, Step::Prompt(_)));
    if first.is_none() {
        found.push(Misuse::NoPrompt);
    }
    found.extend(steps[..first.unwrap_or(steps.len())].iter().filter_map(|step| match step {
        Step::Reply { tool, .. } => Some(Misuse::NothingToAnswer(tool.clone())),
        _ => None,
    }));
    if let Some(Step::Wait(_)) = steps.last() {
        found.push(Misuse::NothingBehindWait);
    }
    found
}
