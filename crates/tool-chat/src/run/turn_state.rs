//! The turn of a run: [`Turn`], its stage, and its open calls.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::session::Outcome;

use super::TurnEnd;
use super::corrections::Corrections;
use super::limits::Spent;
use super::stored_thoughts;
use crate::model::{StopReason, ToolCall, ToolChoice};

/// A turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The number of the turn, from 0.
    pub(super) number: usize,
    /// The number of the current step, from 0. Between two steps, the number of the next step.
    pub(super) step: usize,
    pub(super) spent: Spent,
    pub(super) corrections: Corrections,
    /// The tool choice of the next request only; `None` if the options decide.
    pub(super) choice: Option<ToolChoice>,
    /// The prose with which the model responded to a rejection, while the model is asked again; it becomes the answer if the forced request
    /// is rejected.
    pub(super) prose: Option<Prose>,
    /// The step of the remark that a call was written as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) markup: Option<Markup>,
    /// The number of rejected answers, if the model is asked for an answer of a type.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) rejected: usize,
    pub(super) stage: Stage,
}

/// The remark to the model that it wrote a call as text. It is made once in a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Markup {
    /// The next request contains it, with this mark.
    Telling(String),
    /// An earlier request contained it.
    Told,
}

/// The next thing that has to happen in a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// The model is asked.
    Ask,
    /// Some calls have no outcome yet.
    Calls(Step),
    /// All calls have an outcome, but some outcomes are deferrals without an answer.
    Wait(Wait),
    Ended(TurnEnd),
}

/// The calls of one answer of the model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) said: AnswerEntry,
    /// `true` if the answer may be incomplete.
    pub(super) is_cut: bool,
    /// `true` if the output limit of the model cut off the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_limited: bool,
    pub(super) calls: Vec<Open>,
}

/// A call of the step in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Open {
    pub(super) call: ToolCall,
    /// The id that the model sent, if it was replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sent_id: Option<String>,
    pub(super) is_started: bool,
    #[serde(with = "maybe_shared")]
    pub(super) outcome: Option<Arc<Outcome>>,
}

/// A step whose calls are in the transcript.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Wait {
    pub(super) said: AnswerEntry,
    /// The index of the first call in the transcript; the other calls follow it.
    pub(super) first: usize,
    /// The number of calls.
    pub(super) count: usize,
}

/// An answer of the model without its calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct AnswerEntry {
    /// The index of the text in the transcript; `None` if the text is empty.
    pub(super) entry: Option<usize>,
    #[serde(with = "stored_thoughts")]
    pub(super) thoughts: Vec<Value>,
}

/// An answer without calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Prose {
    pub(super) said: AnswerEntry,
    pub(super) stop: StopReason,
}

impl Turn {
    pub(super) fn new(number: usize) -> Self {
        Self {
            number,
            step: 0,
            spent: Spent::default(),
            corrections: Corrections::default(),
            choice: None,
            prose: None,
            markup: None,
            rejected: 0,
            stage: Stage::Ask,
        }
    }

    pub(super) const fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to the field")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The stored form of an outcome that may be missing.
mod maybe_shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tool_runtime::session::Outcome;

    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub(super) fn serialize<S: Serializer>(outcome: &Option<Arc<Outcome>>, serializer: S) -> Result<S::Ok, S::Error> {
        outcome.as_deref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<Outcome>>, D::Error> {
        Option::<Outcome>::deserialize(deserializer).map(|outcome| outcome.map(Arc::new))
    }
}
