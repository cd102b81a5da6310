//! The next thing to do in a run: [`Next`].

use std::time::Duration;

use tool_runtime::session::CallRequest;
use tool_runtime::tool_schema::dialect::Definitions;

use super::TurnEnd;
use crate::model::{Message, Options, Request, ToolCall};
use crate::transcript::Call;

/// The next thing to do in a [`Run`](super::Run).
#[derive(Debug)]
#[non_exhaustive]
pub enum Next<'r> {
    /// No turn has begun. Apply [`Record::Prompted`](super::Record::Prompted).
    Prompt,
    /// Ask the model. Then apply its answer or its error, or [`Record::TimedOut`](super::Record::TimedOut) if the time limit of the turn is
    /// reached first.
    Ask(Ask<'r>),
    /// Run these calls, in any order or all at once, and apply [`Record::Ended`](super::Record::Ended) for each.
    Call(Vec<OpenCall<'r>>),
    /// Wait for the answers to these deferred calls, and apply [`Record::Ended`](super::Record::Ended) for each.
    Wait(Vec<WaitingCall<'r>>),
    /// The turn has ended. The next prompt begins another one.
    Done(&'r TurnEnd),
}

/// A request to the model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ask<'r> {
    /// The number of the turn, from 0.
    pub turn: usize,
    /// The number of the step within the turn, from 0.
    pub step: usize,
    /// The messages.
    pub messages: &'r [Message],
    /// The options, with the tool choice of this request.
    pub options: Options,
    /// The remaining time of the turn, if it is limited.
    pub time_left: Option<Duration>,
}

impl Ask<'_> {
    /// Returns the request to send to the model, with these tool definitions.
    pub fn request<'a>(&'a self, tools: &'a Definitions) -> Request<'a> {
        Request::new(self.messages, tools, &self.options)
    }
}

/// A call without an outcome.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OpenCall<'r> {
    /// The number of the turn, from 0.
    pub turn: usize,
    /// The number of the step within the turn, from 0.
    pub step: usize,
    /// The index of the call in its step.
    pub index: usize,
    /// The call as the model made it, with the id that its answer must have.
    pub call: &'r ToolCall,
    /// The id that the model sent, if it was replaced because it was missing or not unique.
    pub sent_id: Option<&'r str>,
    /// `true` if its start was recorded, so it may have taken effect.
    pub is_started: bool,
    /// `true` if the output limit of the model cut off the answer after this call, so that the call may be incomplete.
    pub is_cut_off: bool,
    /// `true` if the answer of the model may be incomplete.
    pub(super) is_cut: bool,
}

impl<'r> OpenCall<'r> {
    /// Returns the arguments with which to run the call. An empty text means that the call has no arguments. But if the model's answer may
    /// have been cut off before the arguments, `{` is returned instead of an empty text, so that the session rejects the call.
    pub fn arguments(&self) -> &'r str {
        let text = &*self.call.arguments;
        if self.is_cut && text.trim().is_empty() { "{" } else { text }
    }
}

/// Converts a call for [`call_batch`](tool_runtime::Session::call_batch).
impl<'r> From<&OpenCall<'r>> for CallRequest<'r> {
    fn from(open: &OpenCall<'r>) -> Self {
        Self::new(open.call.id.as_str(), open.call.name.as_str(), open.arguments()).cut_off(open.is_cut_off)
    }
}

/// A deferred call without an answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WaitingCall<'r> {
    /// The index of the call in its step.
    pub index: usize,
    /// The call in the transcript; its outcome is the deferral.
    pub call: &'r Call,
}
