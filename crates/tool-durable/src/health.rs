//! The messages about the shared health of a tool, in the form in which they are sent.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{HealthEnd, HealthPermit, Refusal};

use crate::private::siblings;

/// The question whether a call of a tool may run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AskedHealth {
    /// The advertised name of the tool, for the text of a refusal.
    pub(crate) tool: String,
}

/// The answer to the question whether a call may run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HealthAnswer {
    Admitted { permit: HealthPermit },
    Refused { rule: ThrottleRule, count: u32, message: String, retry_after: Option<Duration> },
}

impl HealthAnswer {
    #[cfg(feature = "restate")]
    pub(crate) fn refused(refusal: &Refusal) -> Self {
        let Refusal { rule, count, retry_after, .. } = *refusal;
        Self::Refused { rule, count, message: refusal.message.clone(), retry_after }
    }

    /// Returns the permit, or the refusal of a call of this tool.
    pub(crate) fn into_result(self, tool: &str) -> Result<HealthPermit, Refusal> {
        match self {
            Self::Admitted { permit } => Ok(permit),
            Self::Refused { rule, count, message, retry_after } => {
                Err(siblings::refusal(tool, rule, count, message, retry_after))
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
