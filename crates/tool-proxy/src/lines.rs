//! Messages with parts that are JSON text already, as lines.

use rmcp::model::RequestId;

use super::call::write_id;
use crate::private::json::Writer;

/// Returns a response with a result as JSON text.
pub(super) fn response(id: &RequestId, result: &str) -> String {
    with_id(id, "result", result)
}

/// Returns a response with an error as JSON text.
pub(super) fn failure(id: &RequestId, error: &str) -> String {
    with_id(id, "error", error)
}

fn with_id(id: &RequestId, name: &str, value: &str) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|response| {
        response.string("jsonrpc", "2.0");
        write_id(response.value("id"), id);
        response.written(name, value);
    });
    line
}

/// Returns a notification. Its parameters are JSON text; if the text is empty, it has none.
pub(super) fn notification(method: &str, params: &str) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|notification| {
        notification.string("jsonrpc", "2.0");
        notification.string("method", method);
        if !params.is_empty() {
            notification.written("params", params);
        }
    });
    line
}

/// Returns a text as JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut json = String::new();
    Writer::new(&mut json).string(text);
    json
}

/// Returns an id as JSON.
pub(super) fn id_text(id: &RequestId) -> String {
    let mut json = String::new();
    write_id(Writer::new(&mut json), id);
    json
}
