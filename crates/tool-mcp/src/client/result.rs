//! The conversion of a server's result to the answer of a tool.
//!
//! Invariants: the model reads the text of a server's error unchanged. A part of an unknown type does not affect the other parts.

use std::fmt::Write as _;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use tool_runtime::ToolError;
use tool_runtime::tool::{Answer, CallError, Content, ContentParts, Media, Payload, Resource, ResourceLink};

use crate::private::bounded;

/// The maximum number of bytes of a type in the description of an unknown part.
const TYPE: usize = 64;

/// Converts a result to an answer.
pub(super) fn answer(result: CallToolResult) -> Answer {
    let contents = result.content.into_iter().map(content).collect();
    finished(contents, result.structured_content, result.is_error == Some(true))
}

/// Returns the answer for a result that does not follow the protocol, and keeps the parts that can be used.
pub(super) fn lenient_answer(mut result: Value) -> Answer {
    let is_error = result["isError"] == true;
    let structured = result.get_mut("structuredContent").map(Value::take);
    let contents = match result.get_mut("content").map(Value::take) {
        Some(Value::Array(contents)) => contents.into_iter().map(lenient_content).collect(),
        Some(Value::String(text)) => vec![Content::text(text)],
        _ if structured.is_none() && !is_error => {
            return Err(ToolError::new("The server answered with something that is not a result.").into());
        }
        _ => Vec::new(),
    };
    finished(contents, structured, is_error)
}

fn finished(contents: Vec<Content>, structured: Option<Value>, is_error: bool) -> Answer {
    if is_error {
        return Err(failure(&contents, structured).into());
    }
    match (<[Content; 1]>::try_from(contents), structured) {
        (Ok([Content::Text { text }]), None) => Ok(Payload::Text(text)),
        (Ok(content), structured) => with(ContentParts::from_parts(content), structured),
        (Err(contents), structured) => with(ContentParts::from_parts(contents), structured),
    }
}

fn with(parts: ContentParts, structured: Option<Value>) -> Answer {
    match structured {
        Some(structured) => {
            parts.with_structured(&structured).map(Payload::Parts).map_err(|error| CallError::Failed(error.into()))
        }
        None => Ok(Payload::Parts(parts)),
    }
}

/// Returns the error that a result with `isError` reports.
fn failure(contents: &[Content], structured: Option<Value>) -> ToolError {
    let parts = ContentParts::from_parts(contents.to_vec());
    match (parts.as_str().trim().is_empty(), structured) {
        (false, _) => ToolError::verbatim(parts.as_str().to_owned()),
        (true, Some(structured)) => ToolError::verbatim(structured.to_string()),
        (true, None) => ToolError::new("The tool failed and gave no reason."),
    }
}

fn content(block: ContentBlock) -> Content {
    match block {
        ContentBlock::Text(text) => Content::Text { text: text.text },
        ContentBlock::Image(image) => Content::Image(Media::from_base64(image.mime_type, image.data)),
        ContentBlock::Audio(audio) => Content::Audio(Media::from_base64(audio.mime_type, audio.data)),
        ContentBlock::ResourceLink(resource) => {
            let mut link = ResourceLink::new(resource.uri, resource.name);
            link.title = resource.title;
            link.description = resource.description;
            link.mime_type = resource.mime_type;
            link.size = resource.size;
            link.into()
        }
        ContentBlock::Resource(embedded) => {
            let mut resource = Resource::default();
            match embedded.resource {
                ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                    (resource.uri, resource.mime_type, resource.text) = (uri, mime_type, Some(text));
                }
                ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                    (resource.uri, resource.mime_type, resource.blob) = (uri, mime_type, Some(blob));
                }
                _ => return unknown("resource"),
            }
            resource.into()
        }
        _ => unknown("content"),
    }
}

fn lenient_content(block: Value) -> Content {
    let kind = block["type"].as_str().unwrap_or_default().to_owned();
    serde_json::from_value(block).map_or_else(|_| unknown(&kind), content)
}

fn unknown(kind: &str) -> Content {
    let mut text = "[a part of the type ".to_owned();
    let _ = write!(text, "{:?}, not shown]", bounded::text(kind, TYPE));
    Content::Text { text }
}
