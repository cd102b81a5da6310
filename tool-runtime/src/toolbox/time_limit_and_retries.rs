//! The time limit and the attempts of a tool: [`TimeLimitAndRetries`].
//!
//! The settings of a tool take precedence over the settings of the toolbox. Only `idempotent` tools have more than one attempt. A tool with
//! neither a time limit nor further attempts has no [`TimeLimitAndRetries`], which keeps its calls cheap.

use std::time::Duration;

use crate::tool::{Retry, ToolSpec};

/// The time limit and the attempts of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimitAndRetries {
    pub(crate) time_limit: Option<Duration>,
    pub(crate) retry: Option<Retry>,
}

/// The time limit and the attempts that a toolbox sets for all of its tools.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLimits {
    pub(super) time_limit: Option<Duration>,
    pub(super) retry: Option<Retry>,
}

impl TimeLimitAndRetries {
    pub(super) fn for_tool(spec: &ToolSpec, all: RunLimits) -> Option<Self> {
        let is_idempotent = spec.settings.annotations.idempotent == Some(true);
        let retry = spec.settings.retry.or(all.retry).filter(|retry| is_idempotent && retry.attempts > 1);
        let time_limit = spec.settings.time_limit.or(all.time_limit);
        (time_limit.is_some() || retry.is_some()).then_some(Self { time_limit, retry })
    }
}
