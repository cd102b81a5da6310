//! Prompts and resources.

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult, ReadResourceResponse,
    ReadResourceResult,
};
use serde_json::{Value, json};
use tool_mcp::rmcp;

use super::{completed, rounds, typed};

/// The smallest image: one pixel.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";
/// The prompt that needs an answer of the user.
const ASKING: &str = "test_input_required_result_prompt";

pub(super) fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "description": "An argument.", "required": true});
    let prompt =
        |name: &str, arguments: &[Value]| json!({"name": name, "description": "A prompt.", "arguments": arguments});
    json!({"prompts": [
        prompt("test_simple_prompt", &[]),
        prompt("test_prompt_with_arguments", &[argument("arg1"), argument("arg2")]),
        prompt("test_prompt_with_embedded_resource", &[argument("resourceUri")]),
        prompt("test_prompt_with_image", &[]),
        prompt(ASKING, &[]),
    ]})
}

pub(super) fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let argument = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
        argument.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let text = |text: String| json!({"type": "text", "text": text});
    let contents = match &*request.name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.".to_owned())],
        "test_prompt_with_arguments" => {
            vec![text(format!("Prompt with arguments: arg1='{}', arg2='{}'", argument("arg1"), argument("arg2")))]
        }
        "test_prompt_with_embedded_resource" => {
            let uri = argument("resourceUri");
            let resource =
                json!({"uri": uri, "mimeType": "text/plain", "text": "Embedded resource content for testing."});
            vec![json!({"type": "resource", "resource": resource}), text("Process the embedded resource.".to_owned())]
        }
        "test_prompt_with_image" => {
            vec![
                json!({"type": "image", "data": IMAGE, "mimeType": "image/png"}),
                text("Analyze the image.".to_owned()),
            ]
        }
        ASKING => {
            let Some(answer) = rounds::response(request.input_responses.as_ref(), "user_context") else {
                let question = rounds::form("What context should the prompt use?", "context", "string");
                let asked = json!({"resultType": "input_required", "inputRequests": {"user_context": question}});
                return typed::<InputRequiredResult>(asked).map(GetPromptResponse::from);
            };
            vec![text(format!("Context: {}", answer["content"]["context"]))]
        }
        _ => return Err(ErrorData::invalid_params("There is no such prompt.", None)),
    };
    let messages: Vec<_> = contents.into_iter().map(|content| json!({"role": "user", "content": content})).collect();
    completed::<GetPromptResult>(json!({"messages": messages})).map(GetPromptResponse::from)
}

pub(super) fn resources() -> Value {
    json!({"resources": [
        {"uri": "test://static-text", "name": "A text", "mimeType": "text/plain", "description": "A text."},
        {"uri": "test://static-binary", "name": "An image", "mimeType": "image/png", "description": "An image."},
    ]})
}

pub(super) fn templates() -> Value {
    let template = json!({"uriTemplate": "test://template/{id}/data", "name": "Data", "mimeType": "application/json"});
    json!({"resourceTemplates": [template]})
}

pub(super) fn resource(uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    let mut contents = match (uri, id) {
        ("test://static-text", _) => {
            json!({"mimeType": "text/plain", "text": "This is the content of the static text resource."})
        }
        ("test://static-binary", _) => json!({"mimeType": "image/png", "blob": IMAGE}),
        (_, Some(id)) => {
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            json!({"mimeType": "application/json", "text": data.to_string()})
        }
        _ => return Err(ErrorData::resource_not_found("Resource not found", Some(json!({"uri": uri})))),
    };
    contents["uri"] = uri.into();
    completed::<ReadResourceResult>(json!({"contents": [contents]})).map(ReadResourceResponse::from)
}
