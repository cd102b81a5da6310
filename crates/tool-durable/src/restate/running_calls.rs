//! Calls that run in other invocations, and deferred calls that wait for the host: [`RunningCalls`].
//!
//! Invariants: calls start in the order of the batch. A call of a `sequential` tool runs alone. The choice of the next call that starts
//! depends only on the journal. Each call has exactly one end.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::time::Duration;

use restate_sdk::context::{
    ContextAwakeables, ContextClient, ContextTimers, DurableFuture, DurableFuturesUnordered, ObjectContext,
    RequestTarget,
};
use restate_sdk::errors::TerminalError;
use restate_sdk::serde::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tool_runtime::session::{Outcome, SessionState};
use tool_runtime::throttle::HealthEnd;

use super::conversation_setup::timer_duration;
use super::deferred_calls::HostAnswer;
use super::health;
use super::sharing::HealthSharing;
use super::tools::{self, ToolRan, ToolRun};
use crate::health_messages::EndedCall;
use crate::private::internal::{self, DetachedCall};

/// A call whose tool runs in another invocation.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct RemoteCall {
    /// The index of the call in its step.
    pub(super) index: usize,
    pub(super) call_id: String,
    pub(super) tool: String,
    pub(super) arguments: String,
    pub(super) is_repeatable: bool,
    pub(super) runs_alone: bool,
}

impl RemoteCall {
    pub(super) fn new(index: usize, call: DetachedCall, arguments: String) -> Self {
        let DetachedCall { call_id, tool, is_repeatable, runs_alone } = call;
        Self { index, call_id, tool, arguments, is_repeatable, runs_alone }
    }
}

/// The end of a call, before the session of the conversation has received it.
pub(super) enum Ending {
    /// The tool has answered.
    Outcome(Outcome),
    /// The invocation was killed, so the effect of the call is not known.
    Unknown,
    /// The time limit of the turn was reached.
    Cancelled,
    /// The host has answered the call instead of running the tool.
    Answered(HostAnswer),
}

enum Done {
    Ran(Result<Json<ToolRan>, TerminalError>),
    Answer(Result<Vec<u8>, TerminalError>),
    TimeOver,
}

type Future<'ctx> = Pin<Box<dyn DurableFuture<Output = Done> + Send + 'ctx>>;

/// A call that waits to start.
struct Queued {
    call: RemoteCall,
    /// The values for the host parameters of the tool.
    values: Map<String, Value>,
    /// `true` if the host has approved the call, so that no rule may reject it.
    is_approved: bool,
}

/// The limits of the calls of one batch.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The maximum number of calls that run at the same time.
    pub(super) most: usize,
    /// The remaining time of the turn.
    pub(super) left: Option<Duration>,
    /// The time of day at which the time of the turn ends.
    pub(super) until: Option<Duration>,
}

/// The calls that wait to start, that run, or that wait for the host.
pub(super) struct RunningCalls<'a, 'ctx> {
    ctx: &'a ObjectContext<'ctx>,
    /// The saved session of the conversation, from which the sessions that run the calls are restored.
    state: &'a SessionState,
    bounds: Bounds,
    futures: DurableFuturesUnordered<Future<'ctx>>,
    sharing: Option<&'a HealthSharing>,
    queue: VecDeque<Queued>,
    /// The running calls, keyed by the index of their future.
    started: BTreeMap<usize, RemoteCall>,
    asked: BTreeMap<usize, RemoteCall>,
    is_alone: bool,
    ended: Vec<(RemoteCall, Ending)>,
}

impl<'a, 'ctx> RunningCalls<'a, 'ctx> {
    pub(super) fn new(
        ctx: &'a ObjectContext<'ctx>,
        state: &'a SessionState,
        bounds: Bounds,
        sharing: Option<&'a HealthSharing>,
    ) -> Self {
        let mut futures = DurableFuturesUnordered::<Future<'ctx>>::new();
        if let Some(left) = bounds.left {
            futures.push(Box::pin(ctx.sleep(timer_duration(left)).map(|_| Done::TimeOver)));
        }
        Self {
            ctx,
            state,
            bounds,
            futures,
            sharing,
            queue: VecDeque::new(),
            started: BTreeMap::new(),
            asked: BTreeMap::new(),
            is_alone: false,
            ended: Vec::new(),
        }
    }

    /// Adds a call to the queue.
    pub(super) fn add(&mut self, call: RemoteCall) {
        self.queue.push_back(Queued { call, values: Map::new(), is_approved: false });
    }

    /// Adds a call that waits for the host. Returns the id of the awakeable for the answer.
    pub(super) fn ask(&mut self, call: RemoteCall) -> String {
        let (id, answer) = self.ctx.awakeable::<Vec<u8>>();
        let index = self.futures.push(Box::pin(answer.map(Done::Answer)));
        self.asked.insert(index, call);
        id
    }

    /// Runs all calls and returns their ends.
    pub(super) async fn end(mut self) -> Result<Vec<(RemoteCall, Ending)>, TerminalError> {
        loop {
            self.start();
            if self.started.is_empty() && self.asked.is_empty() {
                return Ok(self.ended);
            }
            let Some((index, done)) = self.futures.next().await? else { return Ok(self.ended) };
            match done {
                Done::Ran(ran) => {
                    let Some(call) = self.started.remove(&index) else { continue };
                    self.is_alone = false;
                    if let Ok(Json(ran)) = &ran {
                        self.report(&call.tool, ran);
                    }
                    let ending = ran.map_or(Ending::Unknown, |Json(ran)| Ending::Outcome(ran.outcome));
                    self.ended.push((call, ending));
                }
                Done::Answer(answer) => {
                    let Some(call) = self.asked.remove(&index) else { continue };
                    match read(answer) {
                        HostAnswer::Approved { values } => {
                            self.queue.push_back(Queued { call, values, is_approved: true });
                        }
                        answer => self.ended.push((call, Ending::Answered(answer))),
                    }
                }
                Done::TimeOver => {
                    let waiting = std::mem::take(&mut self.queue).into_iter().map(|queued| queued.call);
                    let stopped = std::mem::take(&mut self.started).into_values().chain(waiting);
                    self.ended.extend(stopped.map(|call| (call, Ending::Cancelled)));
                }
            }
        }
    }

    /// Sends the end of a call to the shared health of its tool. Nobody waits for the arrival.
    fn report(&self, tool: &str, ran: &ToolRan) {
        let (Some(sharing), Some(permit)) = (self.sharing, ran.permit) else { return };
        let Some(key) = sharing.key_of(self.ctx.key(), tool) else { return };
        let ended = Json(EndedCall { permit, end: HealthEnd::from_failure(ran.outcome.failure()) });
        let _ = self.ctx.request::<_, ()>(health::target(&key, "report"), ended).send();
    }

    /// Starts the next calls, as far as the limits allow.
    fn start(&mut self) {
        while !self.is_alone
            && self.started.len() < self.bounds.most
            && self.queue.front().is_some_and(|queued| !queued.call.runs_alone || self.started.is_empty())
        {
            let Some(Queued { call, values, is_approved }) = self.queue.pop_front() else { return };
            let request = ToolRun {
                conversation: self.ctx.key().to_owned(),
                session: internal::state_of_call(self.state, &call.call_id),
                call_id: call.call_id.clone(),
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
                is_repeatable: call.is_repeatable,
                is_approved,
                values,
                until: self.bounds.until,
            };
            let target = RequestTarget::service(tools::SERVICE, tools::HANDLER);
            let answer = self.ctx.request::<_, Json<ToolRan>>(target, Json(request)).call();
            let index = self.futures.push(Box::pin(answer.map(Done::Ran)));
            self.is_alone = call.runs_alone;
            self.started.insert(index, call);
        }
    }
}

/// Parses the host's answer. Anybody who knows the id can send any bytes, so invalid bytes must not stop the conversation.
fn read(answer: Result<Vec<u8>, TerminalError>) -> HostAnswer {
    match answer.map(|bytes| serde_json::from_slice(&bytes)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => HostAnswer::Failed { message: "The host's answer could not be read.".to_owned() },
        Err(error) => HostAnswer::Failed { message: error.message().to_owned() },
    }
}
