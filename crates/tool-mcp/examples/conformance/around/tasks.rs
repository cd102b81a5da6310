//! Tools that create tasks, with the task manager of rmcp.

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CreateTaskResult,
    ErrorData, InputRequiredResult,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use serde_json::{Value, json};
use tool_mcp::rmcp;

use super::{Context, rounds, typed};

pub(super) const TOOLS: [&str; 6] =
    ["slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input", "test_tool_with_task"];

/// The tools that can only run as a task.
const ALWAYS: [&str; 4] = ["failing_job", "test_tool_with_task", "confirm_delete", "multi_input"];

pub(super) async fn call(
    request: &CallToolRequestParams,
    context: &Context,
    tasks: &TaskManager,
) -> Result<CallToolResponse, ErrorData> {
    let supports_tasks = context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks());
    let name = request.name.to_string();
    if ALWAYS.contains(&&*name) && !supports_tasks {
        let required: ClientCapabilities = typed(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}))?;
        return Err(ErrorData::missing_required_client_capability(required));
    }
    let answer = rounds::response(request.input_responses.as_ref(), "user_name").cloned();
    if name == "test_tool_with_task" && answer.is_none() {
        let question = rounds::form("What is your name?", "name", "string");
        let asked = json!({"resultType": "input_required", "inputRequests": {"user_name": question}});
        return typed::<InputRequiredResult>(asked).map(CallToolResponse::from);
    }
    let seconds = request.arguments.as_ref().and_then(|arguments| arguments.get("seconds")?.as_f64());
    let pause = Duration::try_from_secs_f64(seconds.unwrap_or(0.5)).unwrap_or_default();
    if !supports_tasks {
        tokio::time::sleep(pause).await;
        return Ok(text("computed").into());
    }
    let task = tasks.spawn(TaskOptions::default(), move |task| {
        Box::pin(async move { run(&name, pause, answer.unwrap_or_default(), task).await })
    });
    Ok(CreateTaskResult::new(task).into())
}

fn text(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

async fn run(name: &str, pause: Duration, answer: Value, task: TaskContext) -> Result<CallToolResult, TaskExit> {
    match name {
        "confirm_delete" => {
            let answer = ask(&task, "confirm", rounds::form("Delete the file?", "confirm", "boolean")).await?;
            return Ok(text(&format!("confirmed: {}", answer["content"]["confirm"])));
        }
        "multi_input" => {
            let question = || rounds::form("Which value?", "value", "string");
            let (first, second) = tokio::join!(ask(&task, "first", question()), ask(&task, "second", question()));
            return Ok(text(&format!("{}, {}", first?["content"]["value"], second?["content"]["value"])));
        }
        _ => {}
    }
    tokio::select! {
        () = task.cancelled() => return Err(TaskExit::Cancelled),
        () = tokio::time::sleep(pause) => {}
    }
    match name {
        "failing_job" => Ok(CallToolResult::error(vec![ContentBlock::text("The job has failed.")])),
        "protocol_error_job" => Err(TaskExit::Error(ErrorData::internal_error("The job cannot run.", None))),
        "test_tool_with_task" => Ok(text(&format!("Hello, {}!", answer["content"]["name"]))),
        _ => Ok(text("computed")),
    }
}

async fn ask(task: &TaskContext, key: &str, question: Value) -> Result<Value, TaskExit> {
    task.request_input(key, typed(question).map_err(TaskExit::Error)?).await
}
