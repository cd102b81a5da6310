//! The messages that the proxy writes.

use std::time::Duration;

use rmcp::model::RequestId;

use crate::frame::{Answer, Frame, json_id};
use crate::private::json::{ObjectWriter, Writer};

/// Codes of errors of JSON-RPC.
pub(super) const INVALID_REQUEST: i32 = -32_600;
pub(super) const METHOD_NOT_FOUND: i32 = -32_601;
pub(super) const INVALID_PARAMS: i32 = -32_602;
pub(super) const INTERNAL: i32 = -32_603;

/// Returns a random number that nobody can guess, as 32 hexadecimal digits; `None` if the system has no random numbers.
pub(super) fn random_digits() -> Option<String> {
    let mut number = [0; 16];
    getrandom::fill(&mut number).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(number)))
}

fn json(write: impl FnOnce(Writer<'_>)) -> String {
    let mut json = String::new();
    write(Writer::new(&mut json));
    json
}

/// Returns an object as JSON text.
pub(super) fn json_object(write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    json(|writer| writer.object(write))
}

/// Returns a text as JSON.
pub(super) fn json_string(text: &str) -> String {
    json(|writer| writer.string(text))
}

fn message(id: Option<&RequestId>, method: &str, params: &str) -> Frame {
    let line = json_object(|message| {
        message.string("jsonrpc", "2.0");
        if let Some(id) = id {
            message.escaped_json_text("id", &json_id(id));
        }
        message.string("method", method);
        if !params.is_empty() {
            message.escaped_json_text("params", params);
        }
    });
    line.into()
}

/// Returns a request. Its parameters are JSON text; if the text is empty, it has none.
pub(super) fn request(id: &RequestId, method: &str, params: &str) -> Frame {
    message(Some(id), method, params)
}

/// Returns a notification. Its parameters are JSON text; if the text is empty, it has none.
pub(super) fn notification(method: &str, params: &str) -> Frame {
    message(None, method, params)
}

/// Returns a response with a result as JSON text.
pub(super) fn response(id: &RequestId, result: &str) -> Frame {
    Frame::response(id, Answer::Result(result))
}

/// Returns a response with an error as JSON text.
pub(super) fn failure(id: &RequestId, error: &str) -> Frame {
    Frame::response(id, Answer::Error(error))
}

/// Returns an error as the answer to a request.
pub(super) fn error(id: &RequestId, code: i32, text: &str) -> Frame {
    failure(id, &error_object(code, text))
}

/// Returns an error in place of the answer to a request that the server has not got.
#[cfg(feature = "remote")]
pub(super) fn unsent(id: &RequestId, reason: &str) -> Frame {
    Frame::unsent(id, &error_object(INTERNAL, reason))
}

/// Returns an error in place of an answer that cannot be used.
pub(super) fn lost(id: &RequestId, reason: &str) -> Frame {
    Frame::lost(id, &error_object(INTERNAL, reason))
}

fn error_object(code: i32, text: &str) -> String {
    json_object(|error| {
        error.json_text("code", &code.to_string());
        error.string("message", text);
    })
}

/// Returns the cancellation of a request.
pub(super) fn cancellation(id: &RequestId, reason: &str) -> Frame {
    let params = json_object(|params| {
        params.escaped_json_text("requestId", &json_id(id));
        params.string("reason", reason);
    });
    notification("notifications/cancelled", &params)
}

/// Returns the answer to a call that asks the client to answer questions, and to repeat the call with the answers and a state.
pub(super) fn input_required<'q>(
    id: &RequestId,
    questions: impl IntoIterator<Item = (&'q str, &'q str)>,
    state: &str,
) -> Frame {
    let result = json_object(|result| {
        result.string("resultType", "input_required");
        result.object("inputRequests", |requests| {
            questions.into_iter().for_each(|(name, request)| requests.escaped_json_text(name, request));
        });
        result.string("requestState", state);
    });
    response(id, &result)
}

/// Returns the answer to a call that the proxy rejects: a result that is marked as an error.
pub(super) fn rejection(id: &RequestId, texts: &[impl AsRef<str>], has_result_type: bool) -> Frame {
    answered(id, texts, true, has_result_type)
}

/// Returns the answer of the proxy itself to a call.
pub(super) fn answered(id: &RequestId, texts: &[impl AsRef<str>], is_error: bool, has_result_type: bool) -> Frame {
    let result = json_object(|result| {
        if has_result_type {
            result.string("resultType", "complete");
        }
        result.array("content", texts, |writer, text| writer.escaped_json_text(&text_part(text.as_ref())));
        result.bool("isError", is_error);
    });
    response(id, &result)
}

/// Returns a part of a result, as JSON text.
pub(super) fn text_part(text: &str) -> String {
    json_object(|part| {
        part.string("type", "text");
        part.string("text", text);
    })
}

/// Returns a request for a page of the list of tools.
pub(super) fn list_request(id: &RequestId, cursor: Option<&str>, meta: Option<&str>) -> Frame {
    request(id, "tools/list", &list_params(cursor, meta))
}

/// Returns the parameters of a request for a page of a list.
pub(super) fn list_params(cursor: Option<&str>, meta: Option<&str>) -> String {
    json_object(|params| {
        if let Some(cursor) = cursor {
            params.string("cursor", cursor);
        }
        if let Some(meta) = meta {
            params.json_text("_meta", meta);
        }
    })
}

/// Returns a list of tools as the answer to a request. The definitions are JSON texts. A result with a type also says for how long the list is
/// valid.
pub(super) fn list_answer(id: &RequestId, tools: &[String], ttl: Duration, has_result_type: bool) -> Frame {
    let result = json_object(|result| {
        if has_result_type {
            result.string("resultType", "complete");
            result.json_text("ttlMs", &ttl.as_millis().to_string());
            result.string("cacheScope", "private");
        }
        result.array("tools", tools, |writer, tool| writer.escaped_json_text(tool));
    });
    response(id, &result)
}
