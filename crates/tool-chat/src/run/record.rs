//! The things that happen in a run, as data: [`Record`].

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_runtime::session::Outcome;

use super::thoughts::response;
use crate::model::{ModelError, Response};
use crate::transcript::shared;

/// One thing that happened in a [`Run`](super::Run), as data.
///
/// A run that is given the same records has the same state, so a list of records is a second way to store a run. A record contains
/// what the model sent and what it reads, including values of sensitive fields.
///
/// ```
/// use tool_chat::model::Response;
/// use tool_chat::run::{Next, Record, Run};
///
/// let log = [Record::prompted("What time is it?"), Record::answered(Response::text("Noon."))];
/// let stored = serde_json::to_string(&log)?;
///
/// let mut run = Run::new();
/// for record in serde_json::from_str::<Vec<Record>>(&stored)? {
///     run.apply(record)?;
/// }
/// assert!(matches!(run.next(), Next::Done(end) if end.text() == Some("Noon.")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Record {
    /// The user sent a prompt. A turn that has not ended is stopped first, as by [`Stopped`](Self::Stopped).
    #[non_exhaustive]
    Prompted {
        /// The prompt.
        text: String,
    },
    /// The model answered.
    #[non_exhaustive]
    Answered {
        /// The answer.
        #[serde(with = "response")]
        response: Response,
        /// `true` if the rest of the answer was not read, so its last call may be incomplete. An answer that the provider cut off is
        /// recognized by its stop reason.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_cut: bool,
        /// `true` if the tool of [`Run::correction`](super::Run::correction) can be called, so the run may ask the model to call it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_offered: bool,
        /// The time since the previous record of the turn.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        took: Duration,
    },
    /// The model did not answer.
    #[non_exhaustive]
    Failed {
        /// The error.
        error: ModelError,
        /// The time since the previous record of the turn.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        took: Duration,
    },
    /// The time of the turn was over before the model had answered.
    #[non_exhaustive]
    TimedOut {
        /// The time since the previous record of the turn.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        took: Duration,
    },
    /// A call was started. It may have taken effect, also if its end is never recorded.
    #[non_exhaustive]
    Started {
        /// The index of the call in its step.
        call: usize,
    },
    /// A call has an outcome, which may be a deferral, or a deferred call was answered.
    #[non_exhaustive]
    Ended {
        /// The index of the call in its step.
        call: usize,
        /// The outcome.
        #[serde(with = "shared")]
        outcome: Arc<Outcome>,
        /// The time since the previous record of the turn. The time in which a turn waits for the host does not count.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        took: Duration,
    },
    /// Containers have collapsed, and their expansions are replaced by one short line in the messages.
    #[non_exhaustive]
    Collapsed {
        /// The names of the containers.
        containers: Vec<String>,
    },
    /// The host stopped the turn. The calls of the step in progress stay in the history: those without an answer are cancelled.
    #[non_exhaustive]
    Stopped {
        /// Answers to open calls, by the index of the call in its step.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<CallAnswer>,
    },
    /// The host stopped the turn, and the answer of the model whose calls are open is not a part of the history, nor are its calls.
    Abandoned,
}

/// An outcome with the index of its call in the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallAnswer {
    /// The index of the call.
    pub call: usize,
    /// The outcome.
    #[serde(with = "shared")]
    pub outcome: Arc<Outcome>,
}

impl Record {
    /// Creates the record of a prompt.
    pub fn prompted(text: impl Into<String>) -> Self {
        Self::Prompted { text: text.into() }
    }

    /// Creates the record of an answer that was read to its end.
    pub fn answered(response: Response) -> Self {
        Self::Answered { response, is_cut: false, is_offered: false, took: Duration::ZERO }
    }

    /// Creates the record of a model's error.
    pub fn failed(error: ModelError) -> Self {
        Self::Failed { error, took: Duration::ZERO }
    }

    /// Creates the record of a request whose answer came too late.
    pub const fn timed_out() -> Self {
        Self::TimedOut { took: Duration::ZERO }
    }

    /// Creates the record of the start of a call, by its index in the step.
    pub const fn started(call: usize) -> Self {
        Self::Started { call }
    }

    /// Creates the record of the end of a call, by its index in the step.
    pub fn ended(call: usize, outcome: impl Into<Arc<Outcome>>) -> Self {
        Self::Ended { call, outcome: outcome.into(), took: Duration::ZERO }
    }

    /// Creates the record of collapsed containers.
    pub fn collapsed(containers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::Collapsed { containers: containers.into_iter().map(Into::into).collect() }
    }

    /// Creates the record of a turn that the host stopped, with answers to open calls.
    pub fn stopped(answers: impl IntoIterator<Item = CallAnswer>) -> Self {
        Self::Stopped { answers: answers.into_iter().collect() }
    }

    /// Sets whether the rest of an answer was not read; see [`Answered`](Self::Answered).
    #[must_use]
    pub fn cut(mut self, cut: bool) -> Self {
        if let Self::Answered { is_cut, .. } = &mut self {
            *is_cut = cut;
        }
        self
    }

    /// Sets whether the tool of [`Run::correction`](super::Run::correction) can be called; see [`Answered`](Self::Answered).
    #[must_use]
    pub fn offering(mut self, offered: bool) -> Self {
        if let Self::Answered { is_offered, .. } = &mut self {
            *is_offered = offered;
        }
        self
    }

    /// Sets the time since the previous record of the turn. Other records than those with this time are not changed.
    #[must_use]
    pub fn taking(mut self, time: Duration) -> Self {
        match &mut self {
            Self::Answered { took, .. }
            | Self::Failed { took, .. }
            | Self::TimedOut { took }
            | Self::Ended { took, .. } => {
                *took = time;
            }
            _ => {}
        }
        self
    }
}
