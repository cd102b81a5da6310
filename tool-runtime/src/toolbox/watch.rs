//! What is watched while a tool runs: its time limit, its attempts, as the tool and the toolbox together say.
//!
//! In: what the tool says of itself, what the toolbox says for all. Out: a [`Watch`], or nothing, which is what a call of a tool without
//! limits looks at and no more. What always holds: a tool's own word is not overruled, and only an `idempotent` tool has more than one
//! attempt.

use std::time::Duration;

use crate::tool::{Retry, ToolSpec};

/// What is watched while a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    pub(crate) time_limit: Option<Duration>,
    pub(crate) retry: Option<Retry>,
}

/// What a toolbox says for all of its tools.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLimits {
    pub(super) time_limit: Option<Duration>,
    pub(super) retry: Option<Retry>,
}

impl Watch {
    pub(super) fn of(spec: &ToolSpec, all: RunLimits) -> Option<Self> {
        let is_idempotent = spec.settings.annotations.idempotent == Some(true);
        let retry = spec.settings.retry.or(all.retry).filter(|retry| is_idempotent && retry.attempts > 1);
        let time_limit = spec.settings.time_limit.or(all.time_limit);
        (time_limit.is_some() || retry.is_some()).then_some(Self { time_limit, retry })
    }
}
