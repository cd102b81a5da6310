//! The handler of one connection: [`Handler`].

use std::fmt;
use std::sync::{Arc, OnceLock};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData,
    ListToolsResult, PaginatedRequestParams, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tool_runtime::{Arguments, Session};

use super::approve::{Brought, Next, approve};
use super::call::{self, has_connection};
use super::conversation::Conversation;
use super::settings::Principal;
use super::shared::Shared;

/// Answers the requests of one connection with the tools of a toolbox, as an implementation of [`ServerHandler`]. See
/// [`Server::handler`](super::Server::handler).
///
/// Revisions of the protocol until 2025-11-25 have one session for each connection, and the list of tools grows when a container is expanded. In
/// 2026-07-28 the list is fixed: an expansion contains the definitions of the members, which can be called by their names or through
/// `call_tool`.
pub struct Handler {
    shared: Arc<Shared>,
    /// The conversation, with the user who began it.
    connection: OnceLock<(Option<Principal>, Arc<Conversation>)>,
    fixed: OnceLock<Arc<Conversation>>,
}

impl Handler {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, connection: OnceLock::new(), fixed: OnceLock::new() }
    }

    /// Returns the conversation that a request belongs to.
    fn conversation(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Conversation>, ErrorData> {
        let (settings, user) = (&self.shared.settings, user(context));
        if has_connection(context) {
            let begin = || (user.cloned(), Arc::new(Conversation::of_connection(settings, user)));
            let (owner, conversation) = self.connection.get_or_init(begin);
            return if owner.as_ref() == user {
                Ok(Arc::clone(conversation))
            } else {
                Err(ErrorData::invalid_request("The session belongs to another user.", None))
            };
        }
        Ok(match user {
            Some(user) => self.shared.conversation_of(user),
            None => Arc::clone(self.fixed.get_or_init(|| Arc::new(Conversation::without_connection(settings, None)))),
        })
    }

    /// Runs a call and answers it.
    async fn answer(
        &self,
        (name, arguments, brought): (&str, Arguments<'_>, Brought),
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let conversation = self.conversation(context)?;
        let (session, call_id) = (&conversation.session, self.shared.next_call_id());
        let mut outcome = call::run(session, &call_id, session.call(&call_id, name, arguments), context).await;
        if outcome.is_deferred() {
            // Nothing waits after the answer, whatever it is, also if this future is dropped.
            let _waiting = Waiting(session, &call_id);
            let approval = approve(&self.shared, session, (outcome, brought, user(context)), context);
            // Boxed, so that the future of every other call is not as large.
            match Box::pin(approval).await? {
                Next::Ended(ended) => outcome = ended,
                Next::Ask(question) => return Ok(question.into()),
            }
        }
        if has_connection(context) && conversation.has_news() {
            // Sent before the answer, so that the client knows the new list when its model goes on.
            let _ = context.peer.notify_tool_list_changed().await;
        }
        self.shared.answer(&outcome).map(CallToolResponse::from)
    }
}

/// A guard that cancels its call when it is dropped, if the call still waits for the host.
struct Waiting<'s>(&'s Session, &'s str);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.cancel(self.1);
    }
}

/// Returns the user that an HTTP request comes from.
#[cfg(feature = "http")]
fn user(context: &RequestContext<RoleServer>) -> Option<&Principal> {
    context.extensions.get::<hyper::http::request::Parts>()?.extensions.get()
}

/// Without HTTP, there is one client, which needs no name.
#[cfg(not(feature = "http"))]
fn user(_: &RequestContext<RoleServer>) -> Option<&Principal> {
    None
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.settings.info.clone()
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        if let Some(tools) = &mut info.capabilities.tools {
            // Without connections, the list never changes.
            tools.list_changed = None;
        }
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            // All tools are on the first page, so this server has not issued the cursor.
            return Err(ErrorData::invalid_params("The cursor is not valid.", None));
        }
        Ok(ListToolsResult::with_all_items(self.conversation(&context)?.tools().to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, input_responses: responses, request_state: state, .. } = request;
        let arguments = Arguments::from(arguments.unwrap_or_default());
        self.answer((&name, arguments, Brought { responses, state }), &context).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.definition(name)
    }

    /// Answers calls whose arguments are not an object. The SDK has no type for them, but they can often be repaired.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let Some(Value::Object(mut params)) = request.params else {
            return Err(ErrorData::invalid_params("The parameters are not an object.", None));
        };
        let Some(Value::String(name)) = params.get_mut("name").map(Value::take) else {
            return Err(ErrorData::invalid_params("The parameter `name` is not a string.", None));
        };
        let arguments = match params.get_mut("arguments").map(Value::take) {
            None | Some(Value::Null) => Arguments::from(Map::new()),
            Some(Value::String(text)) => Arguments::from(text),
            Some(value) => Arguments::from(value),
        };
        let mut brought = |key: &str| params.get_mut(key).map(Value::take);
        let responses = brought("inputResponses").and_then(|responses| serde_json::from_value(responses).ok());
        let state = brought("requestState").and_then(|state| serde_json::from_value(state).ok());
        let result = match self.answer((&name, arguments, Brought { responses, state }), &context).await? {
            CallToolResponse::Complete(mut result) => {
                if has_connection(&context) {
                    // The SDK does this only for requests that it has a type for.
                    result.result_type = None;
                    result.structured_content = result.structured_content.filter(Value::is_object);
                }
                serde_json::to_value(result)
            }
            CallToolResponse::InputRequired(question) => serde_json::to_value(question),
            _ => return Err(ErrorData::internal_error("The answer cannot be sent in reply to this request.", None)),
        };
        result.map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler").field("toolbox", &self.shared.settings.toolbox).finish_non_exhaustive()
    }
}
