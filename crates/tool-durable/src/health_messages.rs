//! The messages about the shared health of a tool, in the form in which they are sent.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{HealthEnd, HealthPermit, ThrottledCall};

use crate::private::internal;

/// The question whether a call of a tool may run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AskedHealth {
    /// The advertised name of the tool, for the text of a throttled.
    pub(crate) tool: String,
}

/// The answer to the question whether a call may run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HealthAnswer {
    Admitted {
        permit: HealthPermit,
    },
    #[serde(rename = "refused")]
    Throttled {
        rule: ThrottleRule,
        count: u32,
        message: String,
        retry_after: Option<Duration>,
    },
}

impl HealthAnswer {
    #[cfg(feature = "restate")]
    pub(crate) fn throttled(throttled: &ThrottledCall) -> Self {
        let ThrottledCall { rule, count, retry_after, .. } = *throttled;
        Self::Throttled { rule, count, message: throttled.message.clone(), retry_after }
    }

    /// Returns the permit, or the throttled of a call of this tool.
    pub(crate) fn into_result(self, tool: &str) -> Result<HealthPermit, ThrottledCall> {
        match self {
            Self::Admitted { permit } => Ok(permit),
            Self::Throttled { rule, count, message, retry_after } => {
                Err(internal::throttled_call(tool, rule, count, message, retry_after))
            }
        }
    }
}

/// The end of an admitted call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EndedCall {
    pub(crate) permit: HealthPermit,
    pub(crate) end: HealthEnd,
}
