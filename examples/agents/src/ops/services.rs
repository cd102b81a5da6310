//! Simulated services that do not always answer.
//!
//! `status` fails twice and then answers, so a call succeeds because the session retries it. `metrics` fails for 45 seconds on the clock,
//! so if the model keeps calling it, the throttle pauses it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_runtime::clock::Clock;
use tool_runtime::{ToolError, ToolInput, plugin_container, tool};

/// The number of failures of `status` before it answers.
const FAILURES: u32 = 2;

/// The time for which `metrics` fails.
const REBUILDING: Duration = Duration::from_secs(45);

/// A container of simulated services.
pub struct Services {
    clock: Arc<dyn Clock>,
    begin: Duration,
    asked: AtomicU32,
}

/// A service.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "lowercase")]
pub enum Service {
    /// Takes orders.
    Checkout,
    /// Takes money.
    Payments,
}

/// The state of a service.
#[derive(Debug, Serialize)]
struct Status {
    service: Service,
    healthy: bool,
}

/// The activity of a service in the last minute.
#[derive(Debug, Serialize)]
struct Metrics {
    service: Service,
    requests: u32,
    errors: u32,
}

impl Services {
    /// Creates services that start now.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let begin = clock.now();
        Self { clock, begin, asked: AtomicU32::new(0) }
    }
}

/// Ask services how they are.
#[plugin_container(instructions = "A service that does not answer is asked again later, not at once.")]
impl Services {
    /// Whether a service is healthy.
    #[tool(read_only, idempotent, retry(attempts = 3, first_ms = 200))]
    async fn status(
        &self,
        /// The service.
        service: Service,
    ) -> Result<Status, ToolError> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < FAILURES {
            return Err(
                ToolError::unavailable("The service does not answer.").caused_by("connection reset by 10.0.0.7")
            );
        }
        Ok(Status { service, healthy: true })
    }

    /// What a service has done in the last minute.
    #[tool(read_only, throttle(consecutive_failures(warn = 1, limit = 2, first = 30)))]
    fn metrics(
        &self,
        /// The service.
        service: Service,
    ) -> Result<Metrics, ToolError> {
        let passed = self.clock.now().saturating_sub(self.begin);
        match REBUILDING.checked_sub(passed).filter(|left| !left.is_zero()) {
            Some(left) => Err(ToolError::unavailable("The metrics are being rebuilt.").retry_after(left)),
            None => Ok(Metrics { service, requests: 1_240, errors: 0 }),
        }
    }
}
