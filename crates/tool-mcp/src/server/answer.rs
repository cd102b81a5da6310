//! The conversion of an [`Outcome`] to an answer in the types of rmcp.
//!
//! A failure becomes a result that is marked as an error, with the same text that a model reads in a session. Repairs and warnings are in
//! `_meta`. Warnings are also added as a second text, because the model should read them.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, MetaObject};
use serde_json::Value;
use tool_runtime::failure::Failure;
use tool_runtime::tool::{Content, ContentParts, Payload};
use tool_runtime::tool_schema::shape::Text;
use tool_runtime::{Outcome, Repair};

use super::output_schemas::Revision;
use super::shared::Shared;
use crate::private::tool_names::suggested_tools;

/// The keys in `_meta`, which programs read.
const REPAIRS: &str = "tool-runtime/repairs";
const WARNINGS: &str = "tool-runtime/warnings";

impl Shared {
    /// Converts the outcome of a call to its answer, which also suggests the tools of another handler.
    pub(super) fn answer(
        &self,
        outcome: &Outcome,
        theirs: &[String],
        revision: Revision,
    ) -> Result<CallToolResult, ErrorData> {
        let mut result = match outcome.as_result() {
            Ok(payload) => self.result(outcome.tool_name(), payload, revision),
            Err(failure) => {
                let failure = with_others(failure, outcome.tool_name(), theirs);
                if !self.settings.unknown_tools_as_results && is_unknown(&failure) {
                    return Err(unknown(&failure));
                }
                failed(&failure)
            }
        };
        let warnings: Vec<&str> =
            outcome.remark().into_iter().chain(outcome.warnings().iter().map(Text::as_str)).collect();
        if !warnings.is_empty() {
            result.content.push(ContentBlock::text(warnings.join("\n")));
        }
        let repairs: Vec<String> = outcome.repairs().iter().map(Repair::to_string).collect();
        let mut meta = MetaObject::default();
        for (key, notes) in [(REPAIRS, Value::from(repairs)), (WARNINGS, Value::from(warnings))] {
            if notes.as_array().is_some_and(|notes| !notes.is_empty()) {
                meta.0.insert(key.to_owned(), notes);
            }
        }
        result.meta = Some(meta).filter(|meta| !meta.0.is_empty());
        Ok(result)
    }

    fn result(&self, tool: &str, payload: &Payload, revision: Revision) -> CallToolResult {
        let structured = match payload {
            Payload::Json(json) => serde_json::from_str(json).ok(),
            Payload::Parts(parts) => parts.structured_content().and_then(|json| serde_json::from_str(json).ok()),
            _ => None,
        };
        if let Some(failure) = self.outputs.failure(tool, structured.as_ref(), revision) {
            return failed(&failure);
        }
        let content = match payload {
            Payload::Parts(parts) if !parts.contents().is_empty() => parts.contents().iter().map(block).collect(),
            payload => vec![ContentBlock::text(payload.as_str())],
        };
        let mut result = CallToolResult::success(content);
        result.structured_content = structured;
        result
    }
}

/// Creates a result that is marked as an error, with the text of the failure.
fn failed(failure: &Failure) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(failure.to_text())])
}

/// Adds the tools of another handler to the failure for an unknown name.
fn with_others<'f>(failure: &'f Failure, tool: &str, theirs: &[String]) -> Cow<'f, Failure> {
    if theirs.is_empty() || failure.error_type() != "unknown_tool" {
        return Cow::Borrowed(failure);
    }
    let (json, theirs) = (failure.to_value(), theirs.iter().map(String::as_str).collect::<Vec<_>>());
    let ours = |key: &str| json[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    let near = ours("did_you_mean").chain(suggested_tools(tool, &theirs, 3));
    Cow::Owned(Failure::unknown_tool(tool, near, ours("available_tools").chain(theirs.iter().copied())))
}

/// Returns `true` if the call failed because no tool has exactly this name.
fn is_unknown(failure: &Failure) -> bool {
    matches!(failure.error_type(), "unknown_tool" | "ambiguous_tool" | "tool_removed")
}

/// Returns the protocol error for a name that no tool has. Its message contains the suggestion, and its `data` is the complete text that a
/// model reads in a session.
fn unknown(failure: &Failure) -> ErrorData {
    let json = failure.to_value();
    let names = |key: &str| {
        let names = json[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        Some(names.collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty())
    };
    let suggestion = names("did_you_mean").map(|names| format!(" Did you mean {names}?"));
    let suggestion = suggestion.or_else(|| names("candidates").map(|names| format!(" The name fits {names}.")));
    let suggestion = suggestion.or_else(|| names("available_tools").map(|names| format!(" There are: {names}.")));
    let message = json["error_message"].as_str().unwrap_or_default();
    ErrorData::invalid_params(format!("{message}{}", suggestion.unwrap_or_default()), Some(json.clone()))
}

/// Converts a part of a result. A resource without contents is described in a text, because the protocol cannot represent it.
fn block(content: &Content) -> ContentBlock {
    match content {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image(media) => ContentBlock::image(&media.data, &media.mime_type),
        Content::Audio(media) => ContentBlock::audio(&media.data, &media.mime_type),
        other => {
            let block = serde_json::to_value(other).and_then(serde_json::from_value);
            block.unwrap_or_else(|_| ContentBlock::text(ContentParts::from(other.clone()).as_str()))
        }
    }
}
