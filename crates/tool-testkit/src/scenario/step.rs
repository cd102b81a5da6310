//! The steps of a scenario: [`Step`].
//!
//! Invariant: the first prompt comes before any answer of the host, and the last step is not a wait.

use std::any::type_name;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::run::Next;
use tool_runtime::tool_schema::ToolInput;

use super::host_reply::HostReply;
use crate::{FailedExpectation, SetupError};

/// Sends a prompt. Fails if the turn ends with an answer that is not a value of the type that was asked for.
pub(super) type Ask = for<'c> fn(&'c mut Conversation, String) -> Asked<'c>;
pub(super) type Asked<'c> = Pin<Box<dyn Future<Output = Result<TurnEnd, FailedExpectation>> + Send + 'c>>;

/// Sends a prompt that asks for a text.
pub(super) fn ask(conversation: &mut Conversation, text: String) -> Asked<'_> {
    Box::pin(async move { Ok(conversation.ask(text).await) })
}

/// Sends a prompt that asks for a value.
pub(super) fn ask_for<T: ToolInput>(conversation: &mut Conversation, text: String) -> Asked<'_> {
    Box::pin(async move {
        let error = conversation.answer::<T>(text).await.err();
        match (error, conversation.run_state().next()) {
            (Some(error), Next::Done(TurnEnd::Answered { .. })) => Err(FailedExpectation::new(format!(
                "Expected an answer of the type {}, but {error}.",
                type_name::<T>()
            ))),
            (_, Next::Done(end)) => Ok(end.clone()),
            // This cannot happen, because the turn has ended or waits for the host.
            (Some(error), _) => Ok(error.end().clone()),
            (None, _) => Ok(TurnEnd::Stopped),
        }
    })
}

/// One step of a scenario.
#[derive(Clone)]
pub(super) enum Step {
    /// A prompt of the user, and the way to send it.
    Prompt { text: String, send: Ask, is_typed: bool },
    /// A time in which nothing happens.
    Wait(Duration),
    /// A reply of the host to the first deferred call of a tool.
    HostReply { tool: String, reply: Arc<dyn Fn() -> HostReply + Send + Sync> },
}

/// Returns `true` if the last prompt asks for a value.
pub(super) fn ends_typed(steps: &[Step]) -> bool {
    let typed = |step: &Step| if let Step::Prompt { is_typed, .. } = step { Some(*is_typed) } else { None };
    steps.iter().rev().find_map(typed).unwrap_or_default()
}

/// Returns the mistakes in the order of the steps.
pub(super) fn errors(steps: &[Step]) -> Vec<SetupError> {
    let mut found = Vec::new();
    let first = steps.iter().position(|step| matches!(step, Step::Prompt { .. }));
    if first.is_none() {
        found.push(SetupError::NoPrompt);
    }
    found.extend(steps[..first.unwrap_or(steps.len())].iter().filter_map(|step| match step {
        Step::HostReply { tool, .. } => Some(SetupError::NothingToAnswer(tool.clone())),
        _ => None,
    }));
    if let Some(Step::Wait(_)) = steps.last() {
        found.push(SetupError::NothingAfterWait);
    }
    found
}
