//! The forms of answers: a stream of events, an acceptance, an error of JSON-RPC.

use http_body_util::Empty;
use http_body_util::combinators::BoxBody;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use rmcp::model::RequestId;

use super::super::frame::{Answer, Frame, Message, object};
use super::super::writing::error;
use super::reader::Reader;
use tool_mcp::__private_0_1_0::http::{HttpAnswer, json};

/// Media types.
pub(super) const JSON: &str = "application/json";
pub(super) const STREAM: &str = "text/event-stream";

/// The code of the error for an unknown method.
pub(super) const METHOD_NOT_FOUND: i64 = -32_601;

/// Returns an answer that reads a stream.
pub(super) fn stream(reader: Reader) -> HttpAnswer {
    headed(BoxBody::new(reader))
}

/// Returns a stream without events.
pub(super) fn no_events() -> HttpAnswer {
    headed(BoxBody::new(Empty::new()))
}

fn headed(body: BoxBody<hyper::body::Bytes, std::convert::Infallible>) -> HttpAnswer {
    let mut answer = Response::new(body);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(STREAM));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

/// Returns the answer to a message that gets none.
pub(super) fn accepted() -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(Empty::new()));
    *answer.status_mut() = StatusCode::ACCEPTED;
    answer
}

/// Returns the answer to a request that ends a session. Official clients warn their users about the status 202.
pub(super) fn ended() -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(Empty::new()));
    *answer.status_mut() = StatusCode::NO_CONTENT;
    answer
}

/// Returns an error of JSON-RPC, for a request or for a message that is none.
pub(super) fn error_answer(status: StatusCode, id: Option<&RequestId>, code: i32, text: &str) -> HttpAnswer {
    let line = id.map_or_else(
        || serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}}).to_string(),
        |id| error(id, code, text).into_line(),
    );
    json(status, line)
}

/// Returns the code of an answer that is an error.
pub(super) fn error_code(answer: &Frame) -> Option<i64> {
    #[derive(serde::Deserialize)]
    struct Error {
        code: i64,
    }
    match answer.message() {
        Message::Response { answer: Answer::Error(error), .. } => Some(object::<Error>(error)?.code),
        _ => None,
    }
}
