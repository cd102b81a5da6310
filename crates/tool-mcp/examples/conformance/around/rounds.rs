//! Tools of protocol version 2026-07-28 that need input of the client: each answers with questions until the client repeats the call with all answers.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ErrorData, InputRequiredResult, InputResponses,
    RequestStateCodec,
};
use serde_json::{Map, Value, json};
use tool_mcp::rmcp;

use super::{Context, done, typed};

pub(super) const TOOLS: [&str; 8] = [
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
    "test_missing_capability",
    "test_logging_tool",
];

/// Returns a question with one field.
pub(super) fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}})
}

fn sampling(prompt: &str) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}})
}

/// Returns the answer to a question. An answer that is not an object is no answer.
pub(super) fn response<'r>(responses: Option<&'r InputResponses>, key: &str) -> Option<&'r Value> {
    responses?.get(key).filter(|response| response.is_object())
}

pub(super) async fn call(
    request: &CallToolRequestParams,
    context: &Context,
    codec: &RequestStateCodec,
) -> Result<CallToolResponse, ErrorData> {
    let name = || ("user_name", form("What is your name?", "name", "string"));
    let greeting = || ("greeting", sampling("Generate a greeting"));
    let roots = || ("client_roots", json!({"method": "roots/list", "params": {}}));
    let capabilities = context.client_capabilities().unwrap_or_default();
    let round = match &request.request_state {
        Some(state) => {
            codec.open_json(state).map_err(|_| ErrorData::invalid_params("The state is not valid.", None))?
        }
        None => 0_usize,
    };
    // The questions of a round, and `true` if the state has to come back.
    let (questions, has_state) = match &*request.name {
        "test_input_required_result_elicitation" => (vec![name()], false),
        "test_input_required_result_sampling" => {
            (vec![("capital_question", sampling("What is the capital of France?"))], false)
        }
        "test_input_required_result_list_roots" => (vec![roots()], false),
        "test_input_required_result_multiple_inputs" => (vec![name(), greeting(), roots()], true),
        "test_input_required_result_multi_round" => match round {
            0 => (vec![("step1", form("Step 1: What is your name?", "name", "string"))], true),
            1 => (vec![("step2", form("Step 2: What is your favorite color?", "color", "string"))], true),
            _ => return Ok(done("All rounds are complete.")),
        },
        "test_input_required_result_capabilities" => {
            let elicitation = capabilities.elicitation.is_some().then(name);
            let questions = elicitation.into_iter().chain(capabilities.sampling.is_some().then(greeting));
            (questions.chain(capabilities.roots.is_some().then(roots)).collect(), false)
        }
        "test_missing_capability" if capabilities.sampling.is_none() => {
            let required: ClientCapabilities = typed(json!({"sampling": {}}))?;
            return Err(ErrorData::missing_required_client_capability(required));
        }
        "test_missing_capability" => return Ok(done("The client can sample.")),
        _ => {
            log(context).await?;
            return Ok(done("The client decides about messages of the log."));
        }
    };
    let has = |key: &str| response(request.input_responses.as_ref(), key).is_some();
    let is_answered = questions.iter().all(|(key, _)| has(key)) && (!has_state || request.request_state.is_some());
    if is_answered && &*request.name != "test_input_required_result_multi_round" {
        return Ok(done("All questions are answered."));
    }
    let questions: Map<String, Value> =
        questions.into_iter().map(|(key, question)| (key.to_owned(), question)).collect();
    let mut asked = json!({"resultType": "input_required", "inputRequests": questions});
    if has_state {
        let sealed =
            codec.seal_json(&(round + 1)).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        asked["requestState"] = sealed.into();
    }
    typed::<InputRequiredResult>(asked).map(CallToolResponse::from)
}

/// Sends a message of the log, if the request asks for messages.
#[allow(deprecated, reason = "earlier protocol versions have this notification")]
async fn log(context: &Context) -> Result<(), ErrorData> {
    if let Some(level) = context.meta.log_level() {
        let message = json!({"level": level, "data": "The request asks for messages."});
        // A client that has gone needs no messages.
        let _ = context.peer.notify_logging_message(typed(message)?).await;
    }
    Ok(())
}
