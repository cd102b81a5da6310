//! The things that can happen in a run, as data: [`Record`].

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_report::CallRecorder;
use tool_report::line::TokenCounts;
use tool_runtime::Issue;
use tool_runtime::session::Outcome;

use super::stored_thoughts::response;
use crate::model::{ModelError, Response, Usage};
use crate::transcript::shared;

/// One thing that happened in a [`Run`](super::Run), as data.
///
/// Runs that are given the same records have the same state, so you can also store a run as the list of its records. Records contain
/// everything that the model sends and reads, including values of sensitive fields.
///
/// ```
/// use tool_chat::model::Response;
/// use tool_chat::run::{Next, Record, Run};
///
/// let log = [Record::from_prompt("What time is it?"), Record::from_model_answer(Response::from_text("Noon."))];
/// let stored = serde_json::to_string(&log)?;
///
/// let mut run = Run::new();
/// for record in serde_json::from_str::<Vec<Record>>(&stored)? {
///     run.apply_record(record)?;
/// }
/// assert!(matches!(run.next(), Next::Done(end) if end.text() == Some("Noon.")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Record {
    /// The user sent a prompt. If the previous turn has not ended, it is stopped first, as if [`Stopped`](Self::Stopped) without answers
    /// had been applied.
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
        /// `true` if the driver did not read the rest of the answer, so the last call may be incomplete. Leave it `false` if the provider
        /// cut off the answer, because its stop reason says so.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_cut: bool,
        /// `true` if the tool of [`Run::correction_tool`](super::Run::correction_tool) can be called, so the run may ask the model to call it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_offered: bool,
        /// `true` if the model has tools, so that it may be asked again if it wrote a call as text.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        has_tools: bool,
        /// `true` if no call keeps an id that several calls of the answer have. In records of earlier versions, the first of them kept it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        replaces_repeated_ids: bool,
        /// The rejection of an answer without calls that has no value of the type that was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rejection: Option<Box<RejectedAnswer>>,
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
    /// The time limit of the turn was reached before the model had answered.
    #[non_exhaustive]
    TimedOut {
        /// The time since the previous record of the turn.
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        took: Duration,
    },
    /// A call was started. From now on it may have taken effect, even if its end is never recorded.
    #[non_exhaustive]
    Started {
        /// The index of the call in its step.
        call: usize,
    },
    /// A call ended with an outcome, which may be a deferral. Or a deferred call was answered with this outcome.
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
        /// The known outcomes of open calls.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<CallAnswer>,
    },
    /// The host stopped the turn. If calls are open, the answer of the model that made them is left out of the history, together with all
    /// its calls.
    Abandoned,
}

/// An answer that has no value of the type that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RejectedAnswer {
    /// Every issue.
    pub issues: Vec<Issue>,
    /// The text for the model.
    pub feedback: String,
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
    pub fn from_prompt(text: impl Into<String>) -> Self {
        Self::Prompted { text: text.into() }
    }

    /// Writes a prompt, or an answer of the model, to a recording of the calls of a session. The session reports its calls itself.
    pub fn write_to_recorder(&self, recorder: &CallRecorder, session: &str) {
        match self {
            Self::Prompted { text } => recorder.record_prompt(session, text),
            Self::Answered { response, rejection, .. } => {
                let Usage { input_tokens: input, output_tokens: output } = response.usage;
                recorder.record_text(session, &response.text, TokenCounts { input, output });
                if let Some(rejection) = rejection {
                    recorder.record_rejected_answer(session, &rejection.feedback);
                }
            }
            _ => {}
        }
    }

    /// Creates the record of an answer that was read to its end.
    pub fn from_model_answer(response: Response) -> Self {
        let replaces_repeated_ids = !response.calls.is_empty();
        Self::Answered {
            response,
            is_cut: false,
            is_offered: false,
            has_tools: false,
            replaces_repeated_ids,
            rejection: None,
            took: Duration::ZERO,
        }
    }

    /// Creates the record of a model's error.
    pub fn from_model_error(error: ModelError) -> Self {
        Self::Failed { error, took: Duration::ZERO }
    }

    /// Creates the record of a request whose answer came too late.
    pub const fn new_timed_out() -> Self {
        Self::TimedOut { took: Duration::ZERO }
    }

    /// Creates the record of the start of a call, by its index in the step.
    pub const fn from_call_start(call: usize) -> Self {
        Self::Started { call }
    }

    /// Creates the record of the end of a call, by its index in the step.
    pub fn from_call_end(call: usize, outcome: impl Into<Arc<Outcome>>) -> Self {
        Self::Ended { call, outcome: outcome.into(), took: Duration::ZERO }
    }

    /// Creates the record of collapsed containers.
    pub fn from_collapsed_containers(containers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::Collapsed { containers: containers.into_iter().map(Into::into).collect() }
    }

    /// Creates the record of a turn that the host stopped, with the known outcomes of open calls.
    pub fn from_stopped_turn(answers: impl IntoIterator<Item = CallAnswer>) -> Self {
        Self::Stopped { answers: answers.into_iter().collect() }
    }

    /// Sets whether the driver stopped reading the answer before its end; see [`Answered`](Self::Answered).
    #[must_use]
    pub fn with_cut_off(mut self, cut: bool) -> Self {
        if let Self::Answered { is_cut, .. } = &mut self {
            *is_cut = cut;
        }
        self
    }

    /// Sets whether the tool of [`Run::correction_tool`](super::Run::correction_tool) can be called; see [`Answered`](Self::Answered).
    #[must_use]
    pub fn with_correction_tool(mut self, offered: bool) -> Self {
        if let Self::Answered { is_offered, .. } = &mut self {
            *is_offered = offered;
        }
        self
    }

    /// Sets whether the model has tools; see [`Answered`](Self::Answered). If its answer contains a call as text, the run asks once more, and
    /// [`Run::set_session_texts`](super::Run::set_session_texts) adds what the model has to know.
    #[must_use]
    pub fn with_has_tools(mut self, tools: bool) -> Self {
        if let Self::Answered { has_tools, .. } = &mut self {
            *has_tools = tools;
        }
        self
    }

    /// Sets the rejection of an answer without calls; see [`AnswerRequest::response_to_record`](super::AnswerRequest::response_to_record). The model reads its
    /// feedback and answers again, until the corrections of the turn are used up.
    #[must_use]
    pub fn with_rejected_answer(mut self, rejected: Option<RejectedAnswer>) -> Self {
        if let Self::Answered { rejection, .. } = &mut self {
            *rejection = rejected.map(Box::new);
        }
        self
    }

    /// Sets the time since the previous record of the turn. Has no effect on kinds of records that do not store this time.
    #[must_use]
    pub fn with_time_since_previous(mut self, time: Duration) -> Self {
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
