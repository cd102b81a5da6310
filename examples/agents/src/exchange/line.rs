//! Entries of a transcript as JSON: one object for each entry, with keys in a fixed order and without empty members.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;
use tool_chat::conversation::TurnEnd;
use tool_chat::model::Usage;
use tool_chat::transcript::{Call, Entry};
use tool_runtime::failure::Failure;
use tool_runtime::throttle::Statistics;

use super::{Noted, is_answered};

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub(super) enum Line<'e> {
    Prompt { turn: usize, text: &'e str },
    Said { turn: usize, step: usize, text: &'e str },
    Call(Called<'e>),
    End { turn: usize, end: &'static str, detail: Option<String> },
    Statistics { statistics: &'e Statistics, usage: Usage },
}

#[derive(Serialize)]
pub(super) struct Called<'e> {
    turn: usize,
    step: usize,
    id: &'e str,
    name: &'e str,
    tool: &'e str,
    arguments: &'e str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waits_ms: Vec<u128>,
    told: Cow<'e, str>,
}

impl<'e> Line<'e> {
    /// Converts an entry. Returns `None` for unknown kinds of entries.
    pub(super) fn of(entry: &'e Entry, noted: &Noted) -> Option<Self> {
        Some(match entry {
            Entry::Prompt { turn, text, .. } => Self::Prompt { turn: *turn, text },
            Entry::Answer { turn, step, text, .. } => Self::Said { turn: *turn, step: *step, text },
            Entry::Called(call) => Self::Call(Called::of(call, noted)),
            _ => return None,
        })
    }

    pub(super) fn end(turn: usize, end: &TurnEnd) -> Self {
        let (end, detail) = match end {
            TurnEnd::Answered { .. } if is_answered(end) => ("answered", None),
            TurnEnd::Answered { .. } => ("empty", None),
            TurnEnd::Exhausted { tool, attempts, .. } => ("exhausted", Some(format!("{tool}, {attempts} times"))),
            TurnEnd::Limited { limit } => ("limited", Some(format!("{limit:?}"))),
            TurnEnd::Failed { error } => ("failed", Some(error.to_string())),
            other => ("other", Some(format!("{other:?}"))),
        };
        Self::End { turn, end, detail }
    }
}

impl<'e> Called<'e> {
    fn of(call: &'e Call, noted: &Noted) -> Self {
        let outcome = &*call.outcome;
        let failure = outcome.failure();
        Self {
            turn: call.turn,
            step: call.step,
            id: outcome.call_id(),
            name: &call.name,
            tool: outcome.tool_name(),
            arguments: &call.arguments,
            ok: outcome.is_ok(),
            error_type: failure.map(Failure::error_type),
            recovery: failure.map(|failure| failure.recovery().as_str()),
            repairs: outcome.repairs().iter().map(ToString::to_string).collect(),
            warnings: outcome.warnings().iter().map(|warning| &**warning).collect(),
            waits_ms: noted.waits(outcome.call_id()).iter().map(Duration::as_millis).collect(),
            told: outcome.to_text(),
        }
    }
}
