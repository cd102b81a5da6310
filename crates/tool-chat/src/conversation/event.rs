//! What happens in a conversation beside its calls: [`Event`].
//!
//! The session reports its own decisions about a call as [`ToolEvent`](tool_runtime::event::ToolEvent)s.

use tool_runtime::Issue;

use super::End;
use crate::model::{Delta, Request, Response};

/// Something that happened in a conversation.
///
/// ```
/// use std::sync::mpsc;
/// use tool_chat::conversation::{Conversation, Event};
/// use tool_chat::model::ScriptedModel;
///
/// let (sender, prompts) = mpsc::channel();
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let conversation = Conversation::new(session, ScriptedModel::new().text("Noon."));
/// let mut conversation = conversation.on_event(move |event| {
///     if let Event::Asked { prompt, .. } = event {
///         let _ = sender.send(prompt.to_string());
///     }
/// });
/// pollster::block_on(conversation.ask("What time is it?"));
/// assert_eq!(prompts.recv()?, "What time is it?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The user asked.
    #[non_exhaustive]
    Asked {
        /// Which prompt of the user, from 0.
        turn: usize,
        /// What was asked.
        prompt: &'a str,
    },
    /// A turn that waited for the host goes on.
    #[non_exhaustive]
    Resumed {
        /// Which turn.
        turn: usize,
        /// Within which step it waited.
        step: usize,
    },
    /// The model is asked.
    #[non_exhaustive]
    Requested {
        /// Within which turn.
        turn: usize,
        /// Which answer of the model within the turn, from 0.
        step: usize,
        /// What it is sent.
        request: Request<'a>,
    },
    /// A piece of an answer came.
    #[non_exhaustive]
    Delta {
        /// Within which turn.
        turn: usize,
        /// Within which step.
        step: usize,
        /// The piece.
        delta: &'a Delta,
    },
    /// Arguments that still come do not fit the tool as they are; a repair may make them fit.
    #[non_exhaustive]
    Doubtful {
        /// Within which turn.
        turn: usize,
        /// Within which step.
        step: usize,
        /// What is called.
        tool: &'a str,
        /// What does not fit.
        issues: &'a [Issue],
    },
    /// Arguments that still came can no longer become JSON, and the rest of the answer was not read.
    #[non_exhaustive]
    CutOff {
        /// Within which turn.
        turn: usize,
        /// Within which step.
        step: usize,
        /// What is called.
        tool: &'a str,
    },
    /// The model answered.
    #[non_exhaustive]
    Said {
        /// Within which turn.
        turn: usize,
        /// Within which step.
        step: usize,
        /// What it said and called.
        response: &'a Response,
    },
    /// A call was refused, and the model may correct it.
    #[non_exhaustive]
    Refused {
        /// Within which turn.
        turn: usize,
        /// Within which step.
        step: usize,
        /// What was called.
        tool: &'a str,
        /// How often it was refused in a row.
        attempts: usize,
    },
    /// A refused call was answered with prose; the model is asked again and has to call.
    #[non_exhaustive]
    Forced {
        /// Within which turn.
        turn: usize,
        /// Within which step the prose came.
        step: usize,
        /// What it has to call.
        tool: &'a str,
    },
    /// The turn ended, or waits for the host: then it is [resumed](Self::Resumed), or the next prompt ends it.
    #[non_exhaustive]
    Ended {
        /// Which turn.
        turn: usize,
        /// How.
        end: &'a End,
    },
}

impl Event<'_> {
    /// Within which turn it happened.
    pub const fn turn(&self) -> usize {
        match self {
            Self::Asked { turn, .. }
            | Self::Resumed { turn, .. }
            | Self::Requested { turn, .. }
            | Self::Delta { turn, .. }
            | Self::Doubtful { turn, .. }
            | Self::CutOff { turn, .. }
            | Self::Said { turn, .. }
            | Self::Refused { turn, .. }
            | Self::Forced { turn, .. }
            | Self::Ended { turn, .. } => *turn,
        }
    }
}
