//! One call of a server's tool: [`call`].
//!
//! In: the arguments, which fit the schema. Out: one answer. Invariants: a request that may have reached the server is not repeated. The
//! number of times that the server may ask for input is bounded. A task is cancelled on the server when its call is dropped, and it is
//! polled no longer than the server keeps it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelTaskParams, CancelTaskRequest, ClientRequest, ErrorCode, ErrorData,
    GetTaskParams, GetTaskRequest, InputRequest, InputRequests, InputResponses, ServerResult, Task, TaskPayload,
    UpdateTaskParams, UpdateTaskRequest,
};
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tool_runtime::tool::{Answer, CallError};
use tool_runtime::{CallContext, ToolError};

use super::connection::{Connection, Routed};
use super::elicitation::ask;
use super::fault::Fault;
use super::line_transport::{TOO_LONG, UNREADABLE};
use super::reconnecting_link::{Gone, Link};
use super::result;
use crate::private::bounded;

/// The maximum number of requests for one call: the server may answer each with a request for input instead of a result.
const MOST_ROUNDS: usize = 10;
/// The maximum number of bytes that an answer shows of the message of a protocol error.
const MESSAGE: usize = 300;
const SHORTEST_POLL: Duration = Duration::from_millis(100);
const USUAL_POLL: Duration = Duration::from_secs(1);
const LONGEST_POLL: Duration = Duration::from_secs(30);

/// Calls a tool under the name that the server gave it.
pub(super) async fn call(link: &Arc<Link>, tool: String, arguments: Map<String, Value>, cx: &CallContext) -> Answer {
    let connection = link.connection().await.map_err(|gone| absent(link, gone))?;
    let call = Call { link, connection, cx };
    let mut params = CallToolRequestParams::new(tool).with_arguments(arguments);
    for round in 0..MOST_ROUNDS {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params.clone()));
        let answered = call.connection.request_with_progress(request, Some(cx)).await;
        let (result, routed) = answered.map_err(|fault| failed(link, fault))?;
        match result {
            ServerResult::CallToolResult(result) => return result::answer(result),
            // The steps of few calls are boxed, because the future of every call is moved to the heap.
            ServerResult::CreateTaskResult(created) => return Box::pin(call.finish(created.task, &routed)).await,
            ServerResult::InputRequiredResult(required) => {
                let requests = required.input_requests.unwrap_or_default();
                if requests.is_empty() {
                    // The server asks nothing, but wants the call to be repeated later.
                    link.settings.clock.sleep(SHORTEST_POLL * (1 << round)).await;
                }
                let responses = Box::pin(call.respond(requests)).await?;
                params.input_responses = (!responses.is_empty()).then_some(responses);
                params.request_state = required.request_state;
            }
            other => return result::lenient_answer(serde_json::to_value(other).unwrap_or_default()),
        }
    }
    Err(insatiable(link))
}

struct Call<'c> {
    link: &'c Arc<Link>,
    connection: Arc<Connection>,
    cx: &'c CallContext,
}

impl Call<'_> {
    async fn request(&self, request: ClientRequest) -> Result<ServerResult, CallError> {
        self.connection.request(request).await.map_err(|fault| failed(self.link, fault))
    }

    /// Answers the questions of the server.
    async fn respond(&self, requests: InputRequests) -> Result<InputResponses, CallError> {
        let mut responses = BTreeMap::new();
        for (key, request) in requests {
            let InputRequest::Elicitation(request) = request else {
                let message = format!("{} asks for something that this application does not offer.", server(self.link));
                return Err(ToolError::new(message).into());
            };
            let settings = &self.link.settings;
            let asked = ask(settings.hook.as_ref(), &settings.name, &self.connection.events, request.params);
            let result = tokio::select! {
                biased;
                result = asked => result,
                reason = self.connection.events.ended() => return Err(failed(self.link, Fault::Ended(reason))),
            };
            responses.insert(key, serde_json::to_value(result).unwrap_or_default());
        }
        Ok(responses)
    }

    /// Polls a task until it has a result. A new status message is passed on as a progress report, unless the server reports progress
    /// itself.
    async fn finish(&self, task: Task, routed: &Routed<'_>) -> Answer {
        let clock = &self.link.settings.clock;
        let created_at = clock.now();
        let mut status = Status { cx: self.cx, routed, reports: 0, message: String::new() };
        status.report(task.status_message.as_deref());
        let mut kept_for = task.ttl_ms.map(Duration::from_millis);
        let mut rounds = 0;
        let mut running =
            Running { connection: &self.connection, id: task.task_id, runtime: Handle::current(), is_over: false };
        let mut pause = poll_interval(task.poll_interval_ms);
        loop {
            tokio::select! {
                () = clock.sleep(pause) => {}
                reason = self.connection.events.ended() => return Err(failed(self.link, Fault::Ended(reason))),
            }
            let request = GetTaskRequest::new(GetTaskParams::new(running.id.clone()));
            let task = match self.connection.request(ClientRequest::GetTaskRequest(request)).await {
                Ok(ServerResult::GetTaskResult(result)) => result.task,
                Ok(_) | Err(Fault::Rejected(ErrorData { code: ErrorCode(..=-32_000), .. })) => {
                    running.is_over = true;
                    let message = "The server lost the task of this call, which may or may not have taken effect.";
                    return Err(ToolError::new(message).into());
                }
                Err(fault) => return Err(failed(self.link, fault)),
            };
            pause = poll_interval(task.task.poll_interval_ms);
            kept_for = task.task.ttl_ms.map(Duration::from_millis).or(kept_for);
            running.is_over = task.status().is_terminal();
            status.report(task.task.status_message.as_deref());
            match task.payload {
                TaskPayload::Completed { result } => {
                    let result = Value::Object(result);
                    return match serde_json::from_value(result.clone()) {
                        Ok(result) => result::answer(result),
                        Err(_) => result::lenient_answer(result),
                    };
                }
                TaskPayload::Failed { error } => {
                    let message = error.get("message").and_then(Value::as_str).unwrap_or("The task failed.");
                    return Err(ToolError::new(bounded::sentence(message, MESSAGE).into_owned()).into());
                }
                TaskPayload::Cancelled => {
                    return Err(ToolError::new("The server cancelled the task of this call.").into());
                }
                TaskPayload::InputRequired { .. } if rounds == MOST_ROUNDS => return Err(insatiable(self.link)),
                TaskPayload::InputRequired { input_requests } => {
                    rounds += 1;
                    let responses = self.respond(input_requests).await?;
                    let update = UpdateTaskRequest::new(UpdateTaskParams::new(running.id.clone(), responses));
                    self.request(ClientRequest::UpdateTaskRequest(update)).await?;
                }
                // Once this time is over, the server may delete the task at any moment.
                _ if kept_for.is_some_and(|kept| clock.now().saturating_sub(created_at) > kept) => {
                    let message = format!(
                        "The task of this call did not finish in the time for which {} keeps it. It may or may not have taken effect.",
                        server(self.link)
                    );
                    return Err(ToolError::timeout(message).into());
                }
                _ => {}
            }
        }
    }
}

/// The last status message of a task.
struct Status<'c> {
    cx: &'c CallContext,
    routed: &'c Routed<'c>,
    reports: u32,
    message: String,
}

impl Status<'_> {
    /// Reports a message that has changed. The numbers of progress reports must grow, so this does nothing if the server has sent reports
    /// with its own numbers.
    fn report(&mut self, message: Option<&str>) {
        if self.routed.reports() == 0
            && let Some(message) = message.filter(|message| *message != self.message)
        {
            message.clone_into(&mut self.message);
            self.reports += 1;
            self.cx.progress(f64::from(self.reports), None, message);
        }
    }
}

fn poll_interval(suggested: Option<u64>) -> Duration {
    suggested.map_or(USUAL_POLL, Duration::from_millis).clamp(SHORTEST_POLL, LONGEST_POLL)
}

/// A task of the server. If this value is dropped before the end of the task, the task is cancelled.
struct Running<'c> {
    connection: &'c Arc<Connection>,
    id: String,
    runtime: Handle,
    is_over: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let (connection, id) = (Arc::clone(self.connection), std::mem::take(&mut self.id));
            let request = ClientRequest::CancelTaskRequest(CancelTaskRequest::new(CancelTaskParams::new(id)));
            self.runtime.spawn(async move { connection.request(request).await.map(drop) });
        }
    }
}

/// Returns the error for a server that is not connected.
fn absent(link: &Link, gone: Gone) -> CallError {
    match gone {
        Gone::Failed { reason, retry_after } => {
            let message = format!("{} is not running, so the call was not sent.", server(link));
            ToolError::unavailable(message).retry_after(retry_after).caused_by(reason).into()
        }
        Gone::Closed => ToolError::unavailable(format!("{} is closed.", server(link))).into(),
    }
}

/// Returns the error for a request without a result.
fn failed(link: &Link, fault: Fault) -> CallError {
    let error = match fault {
        Fault::Ended(reason) => {
            let message = format!("{} stopped during the call, which may or may not have taken effect.", server(link));
            ToolError::unavailable(message).caused_by(reason)
        }
        Fault::Silent(patience) => {
            let message = format!(
                "{} did not answer within {patience:?}. The call may or may not have taken effect.",
                server(link)
            );
            ToolError::timeout(message)
        }
        Fault::Rejected(error) => rejected(link, error),
        #[cfg(feature = "http-client")]
        Fault::Status { status, retry_after, .. } => {
            let message = format!("{} answered with the HTTP status {status}.", server(link));
            let error = match status {
                429 => ToolError::rate_limited(message),
                500.. => ToolError::unavailable(message),
                _ => ToolError::new(message),
            };
            match retry_after {
                Some(pause) => error.retry_after(pause),
                None => error,
            }
        }
    };
    error.into()
}

fn rejected(link: &Link, ErrorData { code, message, .. }: ErrorData) -> ToolError {
    match code {
        TOO_LONG => ToolError::new(format!(
            "The result is larger than {} bytes and was dropped. The call has run; ask for less.",
            link.settings.message_limit
        )),
        UNREADABLE => {
            ToolError::new("The server answered with something that is not valid. The call may have taken effect.")
        }
        ErrorCode::INVALID_PARAMS => ToolError::retry(bounded::sentence(&message, MESSAGE).into_owned()),
        _ => ToolError::new(bounded::sentence(&message, MESSAGE).into_owned()),
    }
}

/// Returns the error for a server that asks for input again and again.
fn insatiable(link: &Link) -> CallError {
    ToolError::new(format!("{} kept asking for more input.", server(link))).into()
}

fn server(link: &Link) -> String {
    format!("The MCP server {}", bounded::name(&link.settings.name))
}
