//! The virtual object with the health of one tool, which all conversations share: [`ToolHealthObject`].
//!
//! Invariants: a call asks at most once before it runs, and its end is a message that nobody waits for. If the stored state cannot be read,
//! the tool counts as healthy. The time of day is read in a step of the journal, and only if the decision depends on it.

use std::time::{Duration, SystemTime};

use restate_sdk::context::{
    ContextReadState, ContextSideEffects, ContextWriteState, ObjectContext, RequestTarget, RunFuture,
    SharedObjectContext,
};
use restate_sdk::errors::HandlerResult;
use restate_sdk::serde::Json;
use serde::{Deserialize, Serialize};
use tool_runtime::throttle::{HealthPermit, ToolHealth};

use super::sharing::HealthSharing;
use crate::health_messages::{AskedHealth, EndedCall, HealthAnswer};

const OBJECT: &str = "ToolHealth";
/// The key under which the health is stored.
const HEALTH: &str = "health";

/// Returns the address of a handler for the tool with this key.
pub(super) fn target(key: &str, handler: &str) -> RequestTarget {
    RequestTarget::object(OBJECT, key, handler)
}

pub(super) struct ToolHealthObject(pub(super) HealthSharing);

/// The shared health of a tool, for people and programs that watch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HealthSummary {
    /// `true` if the tool is paused or waits for the outcome of a probe.
    pub is_paused: bool,
    /// The number of pauses so far.
    pub pauses: u64,
    /// The number of calls so far that ran as the probe after a pause.
    pub probes: u64,
}

#[restate_sdk::object(name = "ToolHealth", client_visibility = "pub(super)")]
impl ToolHealthObject {
    /// Decides whether a call may run.
    #[handler]
    async fn admit(&self, ctx: ObjectContext<'_>, Json(asked): Json<AskedHealth>) -> HandlerResult<Json<HealthAnswer>> {
        let rules = self.0.rules(ctx.key());
        let mut health = Stored::load(ctx.get::<Vec<u8>>(HEALTH).await?);
        if health.now.admits_at_any_time(&rules) {
            return Ok(Json(HealthAnswer::Admitted { permit: HealthPermit::default() }));
        }
        let now = time(&ctx).await?;
        let answer = match health.now.admit(&rules, &asked.tool, now) {
            Ok(permit) => HealthAnswer::Admitted { permit },
            Err(throttled) => HealthAnswer::throttled(&throttled),
        };
        health.store(&ctx)?;
        Ok(Json(answer))
    }

    /// Counts the end of a call.
    #[handler]
    async fn report(&self, ctx: ObjectContext<'_>, Json(ended): Json<EndedCall>) -> HandlerResult<()> {
        let rules = self.0.rules(ctx.key());
        let mut health = Stored::load(ctx.get::<Vec<u8>>(HEALTH).await?);
        if health.now.ignores(&rules, &ended.end) {
            return Ok(());
        }
        let now = time(&ctx).await?;
        health.now.report_end(&rules, ended.permit, &ended.end, now);
        health.store(&ctx)?;
        Ok(())
    }

    /// Returns a summary of the health.
    #[handler]
    async fn summary(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<HealthSummary>> {
        let health = Stored::load(ctx.get::<Vec<u8>>(HEALTH).await?).now;
        let (is_paused, pauses, probes) = (health.is_paused(), health.pause_count(), health.probe_count());
        Ok(Json(HealthSummary { is_paused, pauses, probes }))
    }
}

/// The health, and the bytes that the storage contains.
struct Stored {
    before: Vec<u8>,
    now: ToolHealth,
}

impl Stored {
    fn load(stored: Option<Vec<u8>>) -> Self {
        let before = stored.unwrap_or_default();
        let now = serde_json::from_slice(&before).unwrap_or_default();
        Self { before, now }
    }

    /// Stores the health if it has changed.
    fn store(&self, ctx: &ObjectContext<'_>) -> HandlerResult<()> {
        let after = serde_json::to_vec(&self.now)?;
        if after != self.before {
            ctx.set(HEALTH, after);
        }
        Ok(())
    }
}

/// Returns the time of day.
async fn time(ctx: &ObjectContext<'_>) -> HandlerResult<Duration> {
    // If the clock of the machine is before 1970, it is wrong, and 1970 is used.
    let read = || async { Ok(Json(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())) };
    let Json(now) = ctx.run(read).name("time").await?;
    Ok(now)
}
