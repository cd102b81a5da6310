//! The approval of calls that a hook has deferred, by a question to the user of the client (elicitation).
//!
//! Before protocol version 2026-07-28, the server asks while the call waits. From that revision on, the server responds to the call with the
//! question and a state, and the client repeats the call with the user's answer and this state. The state is sealed and bound to the user,
//! the tool and its arguments, so an answer counts only for the call that the question was about, and only once in this process. Invariant:
//! without an answer, nothing runs.

use std::pin::pin;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, ErrorData, InputRequest,
    InputRequiredResult, InputResponses, SealOptions,
};
use rmcp::service::RequestContext;
use serde_json::Value;
use tool_runtime::session::{Completion, DeferredCall};
use tool_runtime::{Outcome, Session};

use super::call::{self, has_connection};
use super::settings::Principal;
use super::shared::Shared;
use super::used_answers::{Nonce, nonce};
use crate::private::bounded;
use crate::private::feedback::redact_arguments;

/// The name of the question in an answer of protocol version 2026-07-28.
const QUESTION: &str = "approval";

/// The maximum time in which the user has to answer.
const VALID: Duration = Duration::from_secs(600);

/// The maximum number of bytes that a question shows of the arguments.
const SHOWN: usize = 2_000;

/// The user's answer, which the client sends with the repeated call.
#[derive(Default)]
pub(super) struct Brought {
    pub(super) responses: Option<InputResponses>,
    pub(super) state: Option<String>,
}

/// The next step for a deferred call.
pub(super) enum Next {
    /// The call has its outcome.
    Ended(Outcome),
    /// The client asks this question, and repeats the call with the answer.
    Ask(InputRequiredResult),
}

/// The reasons why a deferred call does not run. No result follows, because the answer to the call ends it.
const DENIED: &str = "The user has denied the call.";
const CANNOT_ASK: &str = "It needs the approval of the user, and this client cannot ask for it.";
const UNCLEAR: &str = "It needs the approval of the user, and the answer of the client cannot be used.";
const NOBODY: &str = "The application that has to answer this call is not connected.";

/// Asks the user about a deferred call, if the client can show the question. Otherwise, the call is denied.
pub(super) async fn approve(
    shared: &Shared,
    session: &Session,
    (outcome, brought, user): (Outcome, Brought, Option<&Principal>),
    context: &RequestContext<RoleServer>,
) -> Result<Next, ErrorData> {
    let waiting = session.deferred_calls().into_iter().find(|waiting| waiting.call_id() == outcome.call_id());
    let Some(waiting) = waiting else { return Ok(Next::Ended(outcome)) };
    let call_id = outcome.call_id();
    let denied = |reason: &str| session.complete(call_id, Completion::denied(reason));
    // If the tool has no handler, or a value of the host is missing, the call cannot run, so the user is not asked.
    let reason =
        if waiting.is_external() || !waiting.missing_host_parameters().is_empty() { Some(NOBODY) } else { None };
    if let Some(reason) = reason.or_else(|| (!can_ask(context)).then_some(CANNOT_ASK)) {
        return Ok(Next::Ended(denied(reason).unwrap_or(outcome)));
    }
    let action = if has_connection(context) {
        ask(&question(shared, &waiting), context).await
    } else {
        let bound = bound_to(user, &waiting);
        match brought.answer(shared, &bound)? {
            Some(action) => Some(action),
            None => match shared.codec.as_ref().zip(nonce()) {
                Some((codec, nonce)) => {
                    let options = SealOptions::new().associated_data(bound.as_bytes()).ttl(VALID);
                    let asked = InputRequest::Elicitation(ElicitRequest::new(question(shared, &waiting)));
                    let mut result = InputRequiredResult::from_request_state(codec.seal_with(&nonce, &options));
                    result.input_requests = Some([(QUESTION.to_owned(), asked)].into());
                    return Ok(Next::Ask(result));
                }
                None => None,
            },
        }
    };
    let ended = match action {
        None => denied(UNCLEAR),
        Some(ElicitationAction::Accept) => call::run(session, call_id, pin!(session.resume(call_id)), context).await,
        Some(_) => denied(DENIED),
    };
    // An error means that the call was cancelled while the user was asked.
    Ok(Next::Ended(ended.unwrap_or(outcome)))
}

/// Returns `true` if the client can show a form to its user.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    // A client that does not list any modes supports forms.
    capability.is_some_and(|capability| capability.form.is_some() || capability.url.is_none())
}

/// Asks the user while the call waits. Returns `None` if there is no valid answer.
async fn ask(question: &ElicitRequestParams, context: &RequestContext<RoleServer>) -> Option<ElicitationAction> {
    tokio::select! {
        answer = context.peer.create_elicitation(question.clone()) => answer.ok().filter(fits).map(|answer| answer.action),
        () = context.ct.cancelled() => None,
    }
}

impl Brought {
    /// Returns the user's answer, if there is one, and if its question was about this call.
    fn answer(mut self, shared: &Shared, bound: &str) -> Result<Option<ElicitationAction>, ErrorData> {
        let (Some(state), Some(answer)) =
            (self.state, self.responses.as_mut().and_then(|responses| responses.remove(QUESTION)))
        else {
            return Ok(None);
        };
        let opened = shared.codec.as_ref().and_then(|codec| codec.open_with(&state, bound.as_bytes()).ok());
        let Some(nonce) = opened.and_then(|content| Nonce::try_from(content).ok()) else {
            // The text is the same for every reason, so that it does not help anybody to forge a state.
            return Err(ErrorData::invalid_params("The state of the request is not valid or has expired.", None));
        };
        let answer: Option<ElicitResult> = serde_json::from_value(answer).ok().filter(fits);
        let Some(answer) = answer else {
            return Err(ErrorData::invalid_params("The answer to the question is not valid.", None));
        };
        // An answer that was already used does not count, so the user is asked again.
        Ok(shared.first_use(nonce, VALID).then_some(answer.action))
    }
}

/// Returns `true` if the values of an answer fit the form of the question. The form has no fields, so any object fits: unknown values are
/// ignored, as the protocol recommends.
fn fits(answer: &ElicitResult) -> bool {
    answer.content.as_ref().is_none_or(Value::is_object)
}

/// Returns the text to which a state is bound: the user, the tool, and the arguments with which the tool would run.
fn bound_to(user: Option<&Principal>, waiting: &DeferredCall) -> String {
    let user = user.map(|user| user.0.as_str());
    Value::from(vec![Value::from(user), waiting.tool_name().into(), Value::from(&*waiting.arguments_text())])
        .to_string()
}

/// Returns the question for the user, without secrets.
fn question(shared: &Shared, waiting: &DeferredCall) -> ElicitRequestParams {
    let tool = shared.settings.toolbox.tool(waiting.tool_name());
    let arguments = tool.zip(waiting.arguments().to_json().ok());
    let arguments = arguments.map(|(tool, json)| redact_arguments(&tool.spec().input.shape(), &json));
    let shown = arguments.map_or_else(String::new, |json| format!(" with {}", bounded::json(&json, SHOWN)));
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("May {} run{shown}?", waiting.tool_name()),
        requested_schema: ElicitationSchema::new(std::collections::BTreeMap::new()),
    }
}
