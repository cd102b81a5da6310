//! What happens in a scenario, one thing after another: [`Step`].
//!
//! In: the lines of a [`Scenario`](super::Scenario). Out: the same in their order, and what is wrong with it. What always holds: something
//! is asked before anything is answered, and time passes only before something that follows.

use std::sync::Arc;
use std::time::Duration;

use super::host::Reply;
use crate::Misuse;

/// One thing that happens.
#[derive(Clone)]
pub(super) enum Step {
    /// The user asks.
    Prompt(String),
    /// Nothing happens for a while.
    Wait(Duration),
    /// The host answers the first call of a tool that waits.
    Reply { tool: String, reply: Arc<dyn Fn() -> Reply + Send + Sync> },
}

/// What is wrong with the order of the steps.
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
