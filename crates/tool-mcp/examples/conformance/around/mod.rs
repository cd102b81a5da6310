//! The handler beside the tools of the toolbox: [`Around`].
//!
//! Prompts, resources and completion, and the tools that need the protocol itself: they send requests to the client, ask for input, create
//! tasks, or change lists.

mod asking;
mod offers;
mod rounds;
mod tasks;

use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CompleteRequestParams, CompleteResult,
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::task_manager::TaskManager;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tool_mcp::rmcp;

type Context = RequestContext<RoleServer>;

/// The tools that pretend to change a list.
const CHANGING: [&str; 2] = ["test_trigger_tool_change", "test_trigger_prompt_change"];

pub(crate) struct Around {
    codec: RequestStateCodec,
    tasks: TaskManager,
    subscribers: Mutex<Vec<SubscriptionSink>>,
}

impl Around {
    pub(crate) fn new() -> Self {
        let codec = RequestStateCodec::new_unchecked("a key that everybody can read here");
        Self { codec, tasks: TaskManager::new(), subscribers: Mutex::default() }
    }

    /// Tells the subscribers that a list has changed.
    async fn change(&self, tool: &str) -> CallToolResponse {
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for subscriber in subscribers {
            // A client that has not asked for this kind of change, or has gone, needs no notification.
            let _ = match tool {
                "test_trigger_tool_change" => subscriber.notify_tool_list_changed().await,
                _ => subscriber.notify_prompt_list_changed().await,
            };
        }
        done("Changed.")
    }
}

/// Writes down that this handler answers a request.
fn note(method: &str, name: &str) {
    eprintln!("{method} {name}");
}

/// Converts JSON to a type of rmcp.
fn typed<T: DeserializeOwned>(json: Value) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// Converts the JSON of a result. protocol version 2026-07-28 requires the type of a result, and rmcp removes it for earlier ones.
fn completed<T: DeserializeOwned>(mut json: Value) -> Result<T, ErrorData> {
    json["resultType"] = "complete".into();
    typed(json)
}

/// Returns a result with a text.
fn done(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

impl ServerHandler for Around {
    fn get_info(&self) -> ServerConfig {
        let capabilities = json!({
            "completions": {},
            "logging": {},
            "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true},
            "tools": {"listChanged": true},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        });
        ServerConfig::new(typed(capabilities).unwrap_or_default())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let names = || asking::TOOLS.iter().chain(&rounds::TOOLS).chain(&tasks::TOOLS).chain(&CHANGING);
        let name = names().find(|known| **known == name)?;
        typed(json!({"name": name, "description": "A tool of the suite.", "inputSchema": {"type": "object"}})).ok()
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        let names = asking::TOOLS.iter().chain(&rounds::TOOLS).chain(&tasks::TOOLS).chain(&CHANGING);
        Ok(ListToolsResult::with_all_items(names.filter_map(|name| self.get_tool(name)).collect()))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        note("tools/call", &request.name);
        let name = request.name.clone();
        let is_in = |tools: &[&str]| tools.contains(&&*name);
        if is_in(&asking::TOOLS) {
            asking::call(&request, &context).await.map(done)
        } else if is_in(&rounds::TOOLS) {
            rounds::call(&request, &context, &self.codec).await
        } else if is_in(&tasks::TOOLS) {
            tasks::call(&request, &context, &self.tasks).await
        } else if is_in(&CHANGING) {
            Ok(self.change(&name).await)
        } else {
            Err(ErrorData::invalid_params("There is no such tool.", None))
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        note("prompts/list", "");
        completed(offers::prompts())
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Context) -> Result<GetPromptResponse, ErrorData> {
        note("prompts/get", &request.name);
        offers::prompt(&request)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        note("resources/list", "");
        completed(offers::resources())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        note("resources/templates/list", "");
        completed(offers::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        note("resources/read", &request.uri);
        offers::resource(&request.uri)
    }

    async fn complete(&self, _: CompleteRequestParams, _: Context) -> Result<CompleteResult, ErrorData> {
        note("completion/complete", "");
        completed(json!({"completion": {"values": ["paris", "park", "party"]}}))
    }

    #[allow(deprecated, reason = "earlier protocol versions have this request")]
    async fn set_level(&self, _: rmcp::model::SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        note("logging/setLevel", "");
        Ok(())
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        note("resources/subscribe", &request.uri);
        Ok(())
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        note("resources/unsubscribe", &request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        note("subscriptions/listen", "");
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(context.sink().clone());
        context.cancelled().await;
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.retain(|subscriber| subscriber.id() != context.sink().id());
        Ok(())
    }

    async fn get_task(&self, request: GetTaskParams, _: Context) -> Result<GetTaskResult, ErrorData> {
        note("tasks/get", "");
        self.tasks.get_task(&request.task_id).map(GetTaskResult::new)
    }

    async fn update_task(&self, request: UpdateTaskParams, _: Context) -> Result<(), ErrorData> {
        note("tasks/update", "");
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: Context) -> Result<(), ErrorData> {
        note("tasks/cancel", "");
        self.tasks.cancel_task(&request.task_id)
    }
}
