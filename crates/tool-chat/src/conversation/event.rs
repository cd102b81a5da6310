//! Events of a conversation: [`ConversationEvent`].
//!
//! The session reports its own decisions about a call as [`ToolEvent`](tool_runtime::event::ToolEvent)s.

use tool_runtime::Issue;

use super::TurnEnd;
use crate::model::{Delta, PrefixLoss, Request, Response};

/// An event of a conversation.
///
/// ```
/// use std::sync::mpsc;
/// use tool_chat::conversation::{Conversation, ConversationEvent};
/// use tool_chat::model::ScriptedModel;
///
/// let (sender, prompts) = mpsc::channel();
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let conversation = Conversation::new(session, ScriptedModel::new().text("Noon."));
/// let mut conversation = conversation.on_event(move |event| {
///     if let ConversationEvent::Prompted { prompt, .. } = event {
///         let _ = sender.send(prompt.to_string());
///     }
/// });
/// pollster::block_on(conversation.ask("What time is it?"));
/// assert_eq!(prompts.recv()?, "What time is it?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ConversationEvent<'a> {
    /// The user sent a prompt.
    #[non_exhaustive]
    Prompted {
        /// The number of the turn, from 0. Each prompt begins a turn.
        turn: usize,
        /// The prompt.
        prompt: &'a str,
    },
    /// A turn that waited for the host continues.
    #[non_exhaustive]
    Resumed {
        /// The number of the turn.
        turn: usize,
        /// The number of the step in which the turn waited.
        step: usize,
    },
    /// A request is sent to the model.
    #[non_exhaustive]
    Requested {
        /// The number of the turn.
        turn: usize,
        /// The number of the step within the turn, from 0. Each answer of the model is a step.
        step: usize,
        /// The request.
        request: Request<'a>,
    },
    /// The next request does not begin with the request before it, so the provider cannot take all of it from its cache. This happens if
    /// tools become visible or change, if the system message changes, after a reminder, and if the host lets expansions be shortened.
    #[non_exhaustive]
    PrefixLost {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The part that changed, and the number of bytes.
        loss: PrefixLoss,
    },
    /// A piece of a streamed answer arrived.
    #[non_exhaustive]
    Delta {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The piece.
        delta: &'a Delta,
    },
    /// Arguments that are still arriving do not match the input of the tool. A repair may still make them valid.
    #[non_exhaustive]
    EarlyIssues {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The name of the called tool.
        tool: &'a str,
        /// The issues so far.
        issues: &'a [Issue],
    },
    /// Arguments that were still arriving can no longer become valid JSON, so the rest of the answer was not read.
    #[non_exhaustive]
    ArgumentsCutOff {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The name of the called tool.
        tool: &'a str,
    },
    /// The model answered.
    #[non_exhaustive]
    Answered {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The answer: text and calls.
        response: &'a Response,
    },
    /// A running tool reported its progress. The listener is called on the thread of the tool. The documentation of `CallContext::progress`
    /// lists the reports that are left out.
    #[non_exhaustive]
    Progressed {
        /// The number of the turn.
        turn: usize,
        /// The number of the step within the turn.
        step: usize,
        /// The id of the call.
        call_id: &'a str,
        /// The name of the tool.
        tool: &'a str,
        /// The amount of work done, greater than in the previous report.
        done: f64,
        /// The total amount of work, if it is known.
        total: Option<f64>,
        /// The tool's message, one line of at most 200 bytes; empty if there is none.
        message: &'a str,
    },
    /// A call was rejected, and the model may correct it.
    #[non_exhaustive]
    CallRejected {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The name of the called tool.
        tool: &'a str,
        /// The number of rejections in a row.
        attempts: usize,
    },
    /// The model responded to a rejection of its call with prose, and now has to call the tool.
    #[non_exhaustive]
    CorrectionForced {
        /// The number of the turn.
        turn: usize,
        /// The number of the step in which the model answered with prose.
        step: usize,
        /// The tool that the model has to call.
        tool: &'a str,
    },
    /// The model was asked for an answer of a type, and its answer has no value of this type.
    #[non_exhaustive]
    AnswerRejected {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// Every issue.
        issues: &'a [Issue],
    },
    /// The model wrote a call as text, in markup such as `<tool_call>` ([`Response::call_markup`]). Nothing was run.
    #[non_exhaustive]
    CallAsText {
        /// The number of the turn.
        turn: usize,
        /// The number of the step.
        step: usize,
        /// The mark by which the call was noticed.
        mark: &'a str,
        /// `true` if the model is asked again, `false` if the text is the answer.
        is_asked_again: bool,
    },
    /// The turn ended, or it waits for the host. A waiting turn continues when the host [resumes](Self::Resumed) it, and the next prompt
    /// ends it.
    #[non_exhaustive]
    Ended {
        /// The number of the turn.
        turn: usize,
        /// The end.
        end: &'a TurnEnd,
    },
}

impl ConversationEvent<'_> {
    /// Returns the number of the turn.
    pub const fn turn(&self) -> usize {
        match self {
            Self::Prompted { turn, .. }
            | Self::Resumed { turn, .. }
            | Self::Requested { turn, .. }
            | Self::PrefixLost { turn, .. }
            | Self::Delta { turn, .. }
            | Self::EarlyIssues { turn, .. }
            | Self::ArgumentsCutOff { turn, .. }
            | Self::Answered { turn, .. }
            | Self::Progressed { turn, .. }
            | Self::CallRejected { turn, .. }
            | Self::CorrectionForced { turn, .. }
            | Self::AnswerRejected { turn, .. }
            | Self::CallAsText { turn, .. }
            | Self::Ended { turn, .. } => *turn,
        }
    }
}
