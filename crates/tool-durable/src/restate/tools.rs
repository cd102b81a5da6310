//! The service that runs one call of a tool: [`ToolCalls`].
//!
//! Invariants: before a tool runs, a step is recorded in the journal. If another attempt finds this step in the journal, it runs the tool
//! only if the tool is repeatable.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use restate_sdk::context::{Context, ContextSideEffects, RunFuture};
use restate_sdk::errors::HandlerResult;
use restate_sdk::serde::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tool_runtime::Session;
use tool_runtime::hook::HostArguments;
use tool_runtime::session::{CompletionError, Outcome, SessionState};

use super::parts::{Parts, Setup, now};
use crate::event::DurableEvent;
use crate::private::siblings;

pub(super) const SERVICE: &str = "ToolCalls";
pub(super) const HANDLER: &str = "run";

/// A call, with everything that another machine needs to run it.
#[derive(Serialize, Deserialize)]
pub(super) struct ToolRun {
    pub(super) conversation: String,
    /// The saved session of the conversation, in which the call is deferred.
    pub(super) session: SessionState,
    pub(super) call_id: String,
    pub(super) tool: String,
    pub(super) arguments: String,
    pub(super) is_repeatable: bool,
    /// The values for the host parameters of the tool.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) values: Map<String, Value>,
    /// The time of day at which the call is cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<Duration>,
}

pub(super) struct ToolCalls(pub(super) Arc<Setup>);

// The limit is high, because the effect of an interrupted tool would be unknown. Restate recognizes lost connections without this limit.
#[restate_sdk::service(
    name = "ToolCalls",
    client_visibility = "pub(super)",
    ingress_private = true,
    abort_timeout = "1 day"
)]
impl ToolCalls {
    #[handler]
    async fn run(&self, ctx: Context<'_>, Json(call): Json<ToolRun>) -> HandlerResult<Json<Outcome>> {
        let ToolRun { conversation, session, call_id, tool, arguments, is_repeatable, values, until } = call;
        let parts = Parts::new(&*self.0, &conversation);
        let session = parts.session(Some(session))?;
        let is_first = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_first);
        let start = move || async move {
            flag.store(true, Ordering::Release);
            Ok(())
        };
        ctx.run(start).name("start").await?;
        if !is_first.load(Ordering::Acquire) {
            let (call_id, tool) = (&*call_id, &*tool);
            if !is_repeatable {
                parts.tell(&DurableEvent::EffectUnknown { call_id, tool });
                return Ok(Json(siblings::effect_unknown(&session, call_id, tool, &arguments)));
            }
            parts.tell(&DurableEvent::Repeated { call_id, tool });
        }
        let values = values.into_iter().fold(HostArguments::new(), |all, (name, value)| all.with(name, value));
        Ok(Json(run_until(&session, &call_id, values, until).await?))
    }
}

/// Runs a call, and cancels it at the given time of day.
async fn run_until(
    session: &Session,
    call_id: &str,
    values: HostArguments,
    until: Option<Duration>,
) -> Result<Outcome, CompletionError> {
    let mut running = pin!(siblings::run_detached(session, call_id, values));
    let mut alarm = until.map(|until| siblings::clock(session).sleep(until.saturating_sub(now(session))));
    poll_fn(|cx| {
        if let Poll::Ready(outcome) = running.as_mut().poll(cx) {
            return Poll::Ready(outcome);
        }
        if alarm.as_mut().is_some_and(|alarm| alarm.as_mut().poll(cx).is_ready()) {
            alarm = None;
            session.cancel(call_id);
            return running.as_mut().poll(cx);
        }
        Poll::Pending
    })
    .await
}
