//! The server's answer to a call: [`CallOutcome`], and the same answer with a further text.

use serde_json::value::RawValue;
use tool_report::CallEndKind;
use tool_runtime::ToolError;
use tool_runtime::session::Completion;

use crate::frame::{Answer, Frame, Message};
use crate::members::{member, parsed, pick};
use crate::own_messages::text_part;
use crate::private::fast_hash::Mixer;

/// The largest number of parts of an error whose texts are compared with other errors.
const MOST_PARTS: usize = 16;

/// An answer as the throttle sees it.
pub(super) struct CallOutcome {
    pub(super) completion: Completion,
    /// A question or a task is a [`CallEndKind::Question`]: the call has no result yet. Hosts may hide a [`CallEndKind::Error`] from the model.
    pub(super) end: CallEndKind,
    /// The texts that the model gets; empty for a result unless they are recorded.
    pub(super) texts: Vec<String>,
}

/// Returns an answer as the throttle sees it. The texts of a result are only read if they are recorded.
pub(super) fn call_outcome(answer: Answer<'_>, reads_texts: bool) -> CallOutcome {
    let result = match answer {
        Answer::Error(error) => {
            let message: String = parsed(error, "message").unwrap_or_default();
            let completion = ToolError::verbatim(message.clone()).into();
            return CallOutcome { completion, end: CallEndKind::Error, texts: vec![message] };
        }
        Answer::Result(result) => result,
    };
    // A task is a result in protocol version 2025-11-25.
    let names = ["content", "structuredContent", "isError", "resultType", "task"];
    let [content, structured_content, is_error, result_type, task] = pick(result, names);
    let is_whole = result_type.is_none_or(|kind| kind == r#""complete""#) && task.is_none();
    if !is_whole {
        return CallOutcome { completion: Completion::cancelled(), end: CallEndKind::Question, texts: Vec::new() };
    }
    if is_error == Some("true") {
        let texts = texts(content);
        let completion = ToolError::verbatim(texts.join("\n")).into();
        return CallOutcome { completion, end: CallEndKind::Failure, texts };
    }
    // The throttle only compares results, so a hash is enough. `_meta` may differ in each of two equal results.
    let hash = match content.or(structured_content) {
        None => Mixer::new().bytes(result.as_bytes()),
        Some(_) => [content, structured_content].iter().fold(Mixer::new(), |hash, part| {
            let part = part.unwrap_or_default();
            hash.bytes(part.as_bytes())
        }),
    };
    let texts = if reads_texts { texts(content) } else { Vec::new() };
    CallOutcome { completion: hash.sum().to_string().into(), end: CallEndKind::Result, texts }
}

fn texts(content: Option<&str>) -> Vec<String> {
    let parts: Vec<&RawValue> = content.and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or_default();
    let parts = parts.iter().take(MOST_PARTS).filter(|part| part.get().starts_with('{'));
    parts
        .filter_map(|part| {
            member(part.get(), "text").map_or(Some(String::new()), |text| serde_json::from_str(text).ok())
        })
        .collect()
}

/// Returns a result with a further text for the model. `None` if the result has no list of parts.
pub(super) fn with_text(frame: &Frame, text: &str) -> Option<Frame> {
    let Message::Response { answer: Answer::Result(result), .. } = frame.message() else { return None };
    let content = member(result, "content")?;
    let inside = content.strip_prefix('[')?.strip_suffix(']')?;
    let comma = if inside.trim_ascii().is_empty() { "" } else { "," };
    let end = &content[content.len() - 1..];
    Some(frame.with_part(end, &format!("{comma}{}]", text_part(text))))
}
