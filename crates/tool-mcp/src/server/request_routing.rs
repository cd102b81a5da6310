//! The requests of the protocol. Requests about tools are answered here, and all others are passed on to another handler.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam, CompleteRequestParams,
    CompleteResult, CustomNotification, CustomRequest, CustomResult, DiscoverResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetSkillRequestParams, GetSkillResult, GetTaskParams, GetTaskResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tool_runtime::Arguments;

use super::approve::Brought;
use super::call::has_connection;
use super::handler::Handler;

/// Passes requests on to the other handler.
macro_rules! passed_on {
    ($($method:ident($params:ty) -> $result:ty;)*) => {$(
        #[allow(deprecated, reason = "earlier protocol versions have this request")]
        async fn $method(&self, request: $params, context: RequestContext<RoleServer>) -> Result<$result, ErrorData> {
            self.others.$method(request, context).await
        }
    )*};
}

/// Passes notifications on to the other handler.
macro_rules! noted {
    ($($method:ident($params:ty);)*) => {$(
        async fn $method(&self, notification: $params, context: NotificationContext<RoleServer>) {
            self.others.$method(notification, context).await;
        }
    )*};
}

impl<H: ServerHandler> ServerHandler for Handler<H> {
    fn get_info(&self) -> ServerConfig {
        let (theirs, mut info) = (self.others.get_info(), self.shared.settings.info.clone());
        let own = std::mem::replace(&mut info.capabilities, theirs.capabilities);
        info.capabilities.tools = own.tools;
        info.instructions = info.instructions.or(theirs.instructions);
        info
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let (mut info, theirs) = (self.get_info(), self.others.get_info().capabilities.tools);
        if let Some(tools) = &mut info.capabilities.tools {
            // Without connections, only the list of the other handler can change.
            tools.list_changed = theirs.and_then(|tools| tools.list_changed);
        }
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let others = self.others.get_info().capabilities.tools.is_some();
        if request.as_ref().is_some_and(|request| request.cursor.is_some()) {
            // All of our tools are on the first page, so this server has not issued the cursor.
            let unknown = || ErrorData::invalid_params("The cursor is not valid.", None);
            return if others { self.others.list_tools(request, context).await } else { Err(unknown()) };
        }
        let mut tools = self.conversation(&context).tools().to_vec();
        if !has_connection(&context) {
            self.shared.outputs.add_to(&mut tools);
        }
        if !others {
            return Ok(ListToolsResult::with_all_items(tools));
        }
        let mut list = self.others.list_tools(request, context).await?;
        tools.extend(list.tools.into_iter().filter(|tool| !self.shared.has_tool(&tool.name)));
        list.tools = tools;
        // Our tools may differ from user to user, so nobody can keep the list for others.
        (list.ttl_ms, list.cache_scope) = (None, None);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let theirs = self.their_tools(&request.name, &context).await;
        if theirs.iter().any(|name| *name == request.name) {
            return self.others.call_tool(request, context).await;
        }
        let CallToolRequestParams { name, arguments, input_responses: responses, request_state: state, .. } = request;
        let arguments = Arguments::from(arguments.unwrap_or_default());
        self.answer((&name, arguments, Brought { responses, state }), &theirs, &context).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.definition(name).or_else(|| self.others.get_tool(name))
    }

    /// Answers calls whose arguments are not an object. The SDK has no type for them, but they can often be repaired.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return self.others.on_custom_request(request, context).await;
        }
        let Some(Value::Object(mut params)) = request.params else {
            return Err(ErrorData::invalid_params("The parameters are not an object.", None));
        };
        let Some(Value::String(name)) = params.get_mut("name").map(Value::take) else {
            return Err(ErrorData::invalid_params("The parameter `name` is not a string.", None));
        };
        let theirs = self.their_tools(&name, &context).await;
        if theirs.contains(&name) {
            return Err(ErrorData::invalid_params("The arguments are not an object.", None));
        }
        let arguments = match params.get_mut("arguments").map(Value::take) {
            None | Some(Value::Null) => Arguments::from(Map::new()),
            Some(Value::String(text)) => Arguments::from(text),
            Some(value) => Arguments::from(value),
        };
        let mut brought = |key: &str| params.get_mut(key).map(Value::take);
        let responses = brought("inputResponses").and_then(|responses| serde_json::from_value(responses).ok());
        let state = brought("requestState").and_then(|state| serde_json::from_value(state).ok());
        let result = match self.answer((&name, arguments, Brought { responses, state }), &theirs, &context).await? {
            CallToolResponse::Complete(mut result) => {
                if has_connection(&context) {
                    // The SDK does this itself, but only for requests that it has a type for.
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

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.others.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.others.listen(context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.others.on_initialized(context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.others.on_roots_list_changed(context).await;
    }

    passed_on! {
        complete(CompleteRequestParams) -> CompleteResult;
        get_prompt(GetPromptRequestParams) -> GetPromptResponse;
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult;
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult;
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult;
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse;
        set_level(rmcp::model::SetLevelRequestParams) -> ();
        subscribe(SubscribeRequestParams) -> ();
        unsubscribe(UnsubscribeRequestParams) -> ();
        get_task(GetTaskParams) -> GetTaskResult;
        update_task(UpdateTaskParams) -> ();
        cancel_task(CancelTaskParams) -> ();
        list_skills(Option<PaginatedRequestParams>) -> ListSkillsResult;
        get_skill(GetSkillRequestParams) -> GetSkillResult;
        read_resource_directory(ReadResourceDirectoryRequestParams) -> ReadResourceDirectoryResult;
    }

    noted! {
        on_cancelled(CancelledNotificationParam);
        on_progress(ProgressNotificationParam);
        on_custom_notification(CustomNotification);
    }
}
