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

use restate_sdk::context::{CallFuture, Context, ContextClient, ContextSideEffects, ContextTimers, RunFuture};
use restate_sdk::errors::{HandlerResult, TerminalError};
use restate_sdk::serde::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tool_runtime::Session;
use tool_runtime::hook::HostArguments;
use tool_runtime::session::{Completion, CompletionError, Outcome, SessionState};
use tool_runtime::throttle::{HealthPermit, ThrottledCall};

use super::conversation_setup::{Setup, SetupWithId, now, timer_duration};
use super::health;
use super::sharing::HealthSharing;
use crate::health_messages::{AskedHealth, HealthAnswer};
use crate::listener_event::ListenerEvent;
use crate::private::internal;

pub(super) const SERVICE: &str = "ToolCalls";
pub(super) const HANDLER: &str = "run";
/// The code of the error with which Restate cancels an invocation.
const CANCELLED: u16 = 409;

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
    /// `true` if the host has approved the call, so that no rule may reject it.
    #[serde(default)]
    pub(super) is_approved: bool,
    /// The values for the host parameters of the tool.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) values: Map<String, Value>,
    /// The time of day at which the call is cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<Duration>,
}

/// The end of a call.
#[derive(Serialize, Deserialize)]
pub(super) struct ToolRan {
    pub(super) outcome: Outcome,
    /// The permit of the shared health of the tool; `None` if the health is not shared or has rejected the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) permit: Option<HealthPermit>,
}

pub(super) struct ToolCalls {
    pub(super) setup: Arc<Setup>,
    pub(super) sharing: Option<HealthSharing>,
}

// The limit is high, because the effect of an interrupted tool would be unknown. Restate recognizes lost connections without this limit.
#[restate_sdk::service(
    name = "ToolCalls",
    client_visibility = "pub(super)",
    ingress_private = true,
    abort_timeout = "1 day"
)]
impl ToolCalls {
    #[handler]
    async fn run(&self, ctx: Context<'_>, Json(call): Json<ToolRun>) -> HandlerResult<Json<ToolRan>> {
        let ToolRun { conversation, session, call_id, tool, arguments, is_repeatable, is_approved, values, until } =
            call;
        let parts = SetupWithId::new(&*self.setup, &conversation);
        let session = parts.session(Some(session))?;
        let key = self.sharing.as_ref().and_then(|sharing| sharing.key_of(&conversation, &tool));
        let permit = match key {
            None => None,
            Some(_) if is_approved => Some(HealthPermit::default()),
            Some(key) => match self.ask(&ctx, &key, &tool).await? {
                Some(Ok(permit)) => Some(permit),
                Some(Err(throttled)) => {
                    let outcome = internal::throttle_detached(&session, &call_id, throttled)?;
                    return Ok(Json(ToolRan { outcome, permit: None }));
                }
                None => {
                    parts.report_event(&ListenerEvent::HealthUnknown { call_id: &call_id, tool: &tool });
                    None
                }
            },
        };
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
                parts.report_event(&ListenerEvent::EffectUnknown { call_id, tool });
                let outcome = internal::effect_unknown(&session, call_id, tool, &arguments);
                return Ok(Json(ToolRan { outcome, permit }));
            }
            parts.report_event(&ListenerEvent::CallRepeated { call_id, tool });
        }
        let values = values.into_iter().fold(HostArguments::new(), |all, (name, value)| all.with(name, value));
        let outcome = run_until(&session, &call_id, values, until).await?;
        Ok(Json(ToolRan { outcome, permit }))
    }
}

impl ToolCalls {
    /// Asks the shared health of a tool whether a call may run. Returns `None` if there is no answer within the time limit.
    async fn ask(
        &self,
        ctx: &Context<'_>,
        key: &str,
        tool: &str,
    ) -> Result<Option<Result<HealthPermit, ThrottledCall>>, TerminalError> {
        let limit = self.sharing.as_ref().map_or(Duration::ZERO, HealthSharing::limit);
        let asked = Json(AskedHealth { tool: tool.to_owned() });
        let answer = ctx.request::<_, Json<HealthAnswer>>(health::target(key, "admit"), asked).call();
        // The id of the invocation arrives before the answer, so this costs no time.
        let question = answer.invocation_handle().await?;
        let answer = restate_sdk::select! {
            answer = answer => answer,
            _ = ctx.sleep(timer_duration(limit)) => {
                // Otherwise, a question that still waits could become the probe of a tool later, although nobody would run it.
                question.cancel();
                return Ok(None);
            }
        };
        match answer {
            Ok(Json(answer)) => Ok(Some(answer.into_result(tool))),
            Err(error) if error.code() == CANCELLED => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Runs a call, and cancels it at the given time of day. After that time, the tool does not run.
async fn run_until(
    session: &Session,
    call_id: &str,
    values: HostArguments,
    until: Option<Duration>,
) -> Result<Outcome, CompletionError> {
    let left = until.map(|until| until.saturating_sub(now(session)));
    if left.is_some_and(|left| left.is_zero()) {
        // The turn has ended, and the model has read that the call was cancelled.
        return session.complete(call_id, Completion::cancelled());
    }
    let mut running = pin!(internal::run_detached(session, call_id, values));
    let mut alarm = left.map(|left| internal::clock(session).sleep(left));
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
