//! The handler of one connection: [`Handler`].

use std::fmt;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tool_runtime::{Arguments, Session};

use super::shared::Shared;
use super::tools::Listed;

/// Answers the requests of one connection with the tools of a toolbox, as an implementation of [`ServerHandler`]. See
/// [`Server::handler`](super::Server::handler).
pub struct Handler {
    shared: Arc<Shared>,
    session: Session,
    listed: Listed,
}

impl Handler {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let session = shared.toolbox.session();
        Self { shared, session, listed: Listed::default() }
    }

    /// Runs a call and answers it.
    async fn answer(&self, name: &str, arguments: Arguments<'_>) -> Result<CallToolResult, ErrorData> {
        let call_id = self.shared.next_call_id();
        let outcome = self.session.call(&call_id, name, arguments).await;
        self.shared.answer(&outcome)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.info.clone()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            // All tools are on the first page, so this server has not issued the cursor.
            return Err(ErrorData::invalid_params("The cursor is not valid.", None));
        }
        Ok(ListToolsResult::with_all_items(self.listed.of(&self.session).to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Arguments::from(request.arguments.unwrap_or_default());
        Ok(self.answer(&request.name, arguments).await?.into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listed.of(&self.session).iter().find(|tool| tool.name == name).cloned()
    }

    /// Answers calls whose arguments are not an object. The SDK has no type for them, but they can often be repaired.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return Err(ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let Some(Value::Object(mut params)) = request.params else {
            return Err(ErrorData::invalid_params("The parameters are not an object.", None));
        };
        let Some(Value::String(name)) = params.get_mut("name").map(Value::take) else {
            return Err(ErrorData::invalid_params("The parameter name is not a text.", None));
        };
        let arguments = match params.get_mut("arguments").map(Value::take) {
            None | Some(Value::Null) => Arguments::from(Map::new()),
            Some(Value::String(text)) => Arguments::from(text),
            Some(value) => Arguments::from(value),
        };
        let mut result = self.answer(&name, arguments).await?;
        result.result_type = None;
        serde_json::to_value(result)
            .map(CustomResult::new)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler").field("session", &self.session).finish_non_exhaustive()
    }
}
