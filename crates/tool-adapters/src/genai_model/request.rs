//! The conversion of requests for genai: [`translate`].
//!
//! Invariants: a call is answered under its id. Arguments that are not a JSON object are wrapped in an object, because most APIs accept
//! nothing else.

use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, ContentPart, JsonSpec, MessageContent, Tool, ToolCall,
    ToolChoice as Choice, ToolResponse,
};
use serde_json::{Map, Value, json};
use tool_chat::model::{Message, ModelError, ModelErrorKind, Options, Request, ToolChoice};
use tool_runtime::tool_schema::dialect::{Definition, Definitions};

use super::definitions::{self, Api};
use super::result_media::Media;
use super::target::Target;
use super::thought_signatures;
use crate::definition_parts::Parts;

/// The key of the object in which other arguments are wrapped, as proposed in Anthropic's documentation.
const NO_OBJECT: &str = "INVALID_JSON";

/// Converts a request. If `defers` is `true`, the provider loads deferred definitions. `body` contains the keys that the host sets in the request body.
pub(super) fn translate(
    request: Request<'_>,
    target: &Target,
    media: Media,
    defers: bool,
    mut body: Map<String, Value>,
) -> Result<(ChatRequest, ChatOptions), ModelError> {
    let is_ollama = target.api() == Api::Ollama;
    let Request { messages, tools: definitions, options, .. } = request;
    let mut tools = definitions.iter().map(|tool| definition(tool, target)).collect::<Result<Vec<_>, _>>()?;
    if is_ollama {
        // Ollama's own API has no tool choice, so tools that the model must not call are left out.
        match &options.tool_choice {
            ToolChoice::None => tools.clear(),
            ToolChoice::Tool(name) => tools.retain(|tool| tool.name.as_str() == name),
            _ => {}
        }
    }
    let choice = if tools.is_empty() { None } else { choice(&options.tool_choice, definitions) };
    let format = options.answer.as_ref().and_then(|answer| form(answer, &mut body));
    // For Ollama, each answer is a message. The other APIs expect the answers to all calls of a message together.
    let mut chat = ChatRequest::new(chat_messages(messages, !is_ollama, media));
    if !tools.is_empty() {
        chat = chat.with_tools(tools);
        let api = target.api();
        let has_list = !defers && definitions::loads_from_answers(&request);
        if has_list && api != Api::Responses {
            let message = "the tools are deferred for the Responses API, but the model has another API";
            return Err(ModelError::new(ModelErrorKind::Rejected, message));
        }
        let loaded = if has_list { definitions::loaded(messages) } else { Vec::new() };
        api.define(definitions, defers, loaded, &mut body)?;
    }
    let mut translated = translated(options, choice);
    translated.response_format = format;
    Ok((chat, target.options(translated, body)))
}

/// Adds the request for a typed answer to the keys of the host, below those that the host has set. For Gemini, genai writes the key itself,
/// because an object in the body would replace all other options.
fn form(answer: &Value, body: &mut Map<String, Value>) -> Option<ChatResponseFormat> {
    if let Some(schema) = answer.pointer("/generationConfig/responseJsonSchema") {
        return Some(JsonSpec::new("answer", schema.clone()).into());
    }
    for (key, value) in answer.as_object().into_iter().flatten() {
        match (body.get_mut(key), value) {
            (Some(Value::Object(own)), Value::Object(more)) => own.extend(more.clone()),
            _ => {
                body.insert(key.clone(), value.clone());
            }
        }
    }
    None
}

fn chat_messages(messages: &[Message], groups: bool, media: Media) -> Vec<ChatMessage> {
    let mut chat_messages = Vec::with_capacity(messages.len());
    let mut answers: Vec<ToolResponse> = Vec::new();
    // The images and sounds of the answers, to be sent after all of the answers.
    let mut following = Vec::new();
    for message in messages {
        if let Message::Tool { call_id, name, text, parts, .. } = message {
            let text = match parts {
                Some(parts) => {
                    let (text, shown) = media.split(name, parts);
                    following.extend(shown);
                    text
                }
                None => text.clone(),
            };
            answers.push(ToolResponse::new(call_id, text).with_fn_name(name));
            if !groups {
                chat_messages.push(ChatMessage::from(std::mem::take(&mut answers)));
            }
            continue;
        }
        flush(&mut chat_messages, &mut answers, &mut following);
        match message {
            Message::System(text) => chat_messages.push(ChatMessage::system(text.as_str())),
            Message::User(text) => chat_messages.push(ChatMessage::user(text.as_str())),
            Message::Assistant { text, calls, thoughts, .. } => {
                // Anthropic rejects an empty text.
                let text = (!text.is_empty()).then(|| ContentPart::from_text(text.as_str()));
                let calls = calls.iter().enumerate().map(|(place, call)| {
                    ContentPart::ToolCall(ToolCall {
                        call_id: call.id.clone(),
                        fn_name: call.name.clone(),
                        fn_arguments: object(&call.arguments),
                        thought_signatures: thought_signatures::signatures(thoughts, &call.id, place),
                    })
                });
                // Thoughts are only needed together with calls, and some servers reject them in messages without calls.
                let thoughts = thought_signatures::parts(if calls.len() > 0 { thoughts } else { &[] });
                let parts: Vec<ContentPart> = thoughts.chain(text).chain(calls).collect();
                if !parts.is_empty() {
                    chat_messages.push(ChatMessage::assistant(MessageContent::from_parts(parts)));
                }
            }
            _ => {}
        }
    }
    flush(&mut chat_messages, &mut answers, &mut following);
    chat_messages
}

/// Moves the collected answers into a message, and the images and sounds of these answers into a second message.
fn flush(chat_messages: &mut Vec<ChatMessage>, answers: &mut Vec<ToolResponse>, following: &mut Vec<ContentPart>) {
    if !answers.is_empty() {
        chat_messages.push(ChatMessage::from(std::mem::take(answers)));
    }
    if !following.is_empty() {
        chat_messages.push(ChatMessage::user(MessageContent::from_parts(std::mem::take(following))));
    }
}

/// Returns the arguments as an object, wrapped if necessary.
pub(super) fn object(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Value::Object(arguments),
        _ if text.trim().is_empty() => json!({}),
        _ => json!({ NO_OBJECT: text }),
    }
}

/// Converts a definition in any dialect to a tool of genai. genai sends it if the definitions cannot be put into the body.
/// Strictness is never turned on, because genai would then rewrite the schema.
fn definition(definition: &Definition, target: &Target) -> Result<Tool, ModelError> {
    let Parts { name, description, schema } = Parts::of(definition);
    if is_taken(name, target.kind()) {
        let message = format!("a tool cannot be called {name}: the provider has a tool of its own with this name");
        return Err(ModelError::new(ModelErrorKind::Rejected, message));
    }
    let mut tool = Tool::new(name);
    if let Some(description) = description {
        tool = tool.with_description(description);
    }
    if let Some(schema) = schema {
        tool = tool.with_schema(schema.to_value());
    }
    Ok(tool)
}

/// Returns `true` if genai would mistake a tool with this name for a built-in tool of the provider.
fn is_taken(name: &str, kind: AdapterKind) -> bool {
    match kind {
        AdapterKind::Anthropic => name == "web_search",
        AdapterKind::Gemini | AdapterKind::Vertex => {
            matches!(name, "googleSearch" | "googleSearchRetrieval" | "codeExecution" | "urlContext")
        }
        _ => false,
    }
}

fn choice(choice: &ToolChoice, definitions: &Definitions) -> Option<Choice> {
    match choice {
        ToolChoice::None => Some(Choice::None),
        ToolChoice::Required => Some(Choice::Required),
        // The provider knows a search by no name.
        ToolChoice::Tool(name) if definitions.get(name).is_some_and(Definition::is_tool_search) => {
            Some(Choice::Required)
        }
        ToolChoice::Tool(name) => Some(Choice::tool(name)),
        // `Auto` is the default of every API, so it is not sent: some servers do not know the word.
        _ => None,
    }
}

fn translated(options: &Options, choice: Option<Choice>) -> ChatOptions {
    let mut chat = ChatOptions::default().with_capture_usage(true);
    chat.temperature = options.temperature;
    chat.max_tokens = options.max_tokens;
    chat.seed = options.seed;
    chat.tool_choice = choice;
    chat
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::object;

    #[test]
    fn arguments_are_sent_back_as_an_object() {
        assert_eq!(object(r#"{"a": 1}"#), json!({"a": 1}));
        assert_eq!(object(""), json!({}));
        assert_eq!(object(r#"{"a": 1"#), json!({"INVALID_JSON": r#"{"a": 1"#}));
        assert_eq!(object("[1]"), json!({"INVALID_JSON": "[1]"}));
    }
}
