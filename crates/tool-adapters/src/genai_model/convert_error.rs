//! The conversion of genai's errors: [`model_error`].
//!
//! Invariants: the message contains the provider's text. It does not contain the API key, the address or the request, which genai's own
//! messages contain. It is at most one paragraph long.

use std::error::Error as _;
use std::iter::successors;
use std::string::FromUtf8Error;

use genai::{BoxError, Error, webc};
use serde_json::Value;
use tool_chat::model::{ModelError, ModelErrorKind};

use super::retry_after::retry_after;

const LONGEST: usize = 400;

pub(super) fn model_error(error: Error) -> ModelError {
    if let Some(status) = error.status() {
        let headers = error.headers();
        let header = |name: &str| headers?.get(name)?.to_str().ok();
        let body = match &error {
            Error::HttpError { body, .. }
            | Error::WebModelCall { webc_error: webc::Error::ResponseFailedStatus { body, .. }, .. }
            | Error::WebAdapterCall { webc_error: webc::Error::ResponseFailedStatus { body, .. }, .. } => body.as_str(),
            _ => "",
        };
        return rejection(status.as_u16(), header, body);
    }
    match error {
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => match webc_error {
            webc::Error::Reqwest(error) => unreachable(&error),
            webc::Error::ResponseFailedNotJson { content_type, .. } => {
                malformed(&format!("the content type is {content_type:?}"))
            }
            webc::Error::ResponseFailedInvalidJson { cause, .. } => malformed(&cause),
            other => malformed(&other.to_string()),
        },
        Error::WebStream { error, .. } => broken(error),
        Error::ChatResponse { body, .. } => reported(&body),
        Error::StreamParse { serde_error, .. } => malformed(&serde_error.to_string()),
        Error::ChatResponseGeneration { response_body, cause, .. } => unreadable(&response_body, &cause),
        Error::ClientBuildFail { cause } => ModelError::new(ModelErrorKind::Transport, short(&cause)),
        Error::NoChatResponse { .. }
        | Error::InvalidJsonResponseElement { .. }
        | Error::JsonValueExt(_)
        | Error::SerdeJson(_) => malformed(&error.to_string()),
        Error::Resolver { resolver_error, .. } => {
            ModelError::new(ModelErrorKind::Rejected, short(&resolver_error.to_string()))
        }
        // genai cannot build the request, or a key is missing.
        Error::Internal(_) => ModelError::new(ModelErrorKind::Rejected, "no request can be built for this endpoint"),
        other => ModelError::new(ModelErrorKind::Rejected, short(&other.to_string())),
    }
}

/// Converts the error of a request that did not get a complete answer.
pub(super) fn unreachable(error: &reqwest::Error) -> ModelError {
    if needs_tls(error) {
        let message = "the address begins with https, and this program was built without TLS: enable the feature `genai` of `tool-adapters`";
        return ModelError::new(ModelErrorKind::Rejected, message);
    }
    let kind = if error.is_builder() { ModelErrorKind::Rejected } else { ModelErrorKind::Transport };
    transport(kind, error.source())
}

/// Returns `true` if a request failed because it needs TLS. Another crate of the program may enable TLS, so the request itself is judged, not
/// our feature.
fn needs_tls(error: &reqwest::Error) -> bool {
    let mut causes = successors(error.source(), |&cause| cause.source()).take(8);
    error.url().is_some_and(|url| url.scheme() == "https")
        && causes.any(|cause| cause.to_string().contains("scheme is not http"))
}

/// Returns the error of an answer that exceeds a limit.
pub(super) fn too_long(part: &str, limit: usize) -> ModelError {
    malformed(&format!("{part} is longer than {limit} bytes"))
}

/// Converts an answer with an error status.
fn rejection<'h>(status: u16, header: impl Fn(&str) -> Option<&'h str>, body: &str) -> ModelError {
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let message_text = message(&json).unwrap_or(body).trim();
    let text = if message_text.is_empty() {
        format!("status {status}")
    } else {
        format!("status {status}: {}", short(message_text))
    };
    let retry_after = retry_after(header, &json);
    let kind = match status {
        // Waiting does not help an account without credit.
        429 if word(&json).contains("insufficient_quota") => ModelErrorKind::Rejected,
        // Anthropic sends 529 if its servers are overloaded.
        429 | 529 => ModelErrorKind::RateLimited { retry_after },
        503 if retry_after.is_some() => ModelErrorKind::RateLimited { retry_after },
        408 | 500.. => ModelErrorKind::Transport,
        _ => ModelErrorKind::Rejected,
    };
    ModelError::new(kind, text)
}

/// Converts an answer that neither genai nor this crate can parse.
pub(super) fn unreadable(body: &Value, cause: &str) -> ModelError {
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return reported(body);
    }
    if let Some(reason) = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        return ModelError::new(ModelErrorKind::Rejected, short(&format!("the prompt was blocked: {reason}")));
    }
    malformed(cause)
}

/// Converts an error that a server sent instead of an answer, for example in the middle of a stream.
pub(super) fn reported(body: &Value) -> ModelError {
    let (word, message_text) = (word(body), message(body));
    let Some(message_text) = message_text.or_else(|| (!word.is_empty()).then_some(word.as_str())) else {
        return malformed("there is neither an answer nor an error");
    };
    let kind = if ["rate_limit", "overloaded", "resource_exhausted"].iter().any(|pause| word.contains(pause)) {
        ModelErrorKind::RateLimited { retry_after: retry_after(|_| None, body) }
    } else if ["server_error", "api_error", "internal", "unavailable", "timeout"].iter().any(|down| word.contains(down))
    {
        ModelErrorKind::Transport
    } else {
        ModelErrorKind::Rejected
    };
    ModelError::new(kind, short(message_text))
}

/// Returns the provider's names for the kind of the error, in lower case.
fn word(body: &Value) -> String {
    let error = body.get("error").unwrap_or(body);
    let words = ["type", "code", "status"].into_iter().filter_map(|key| error.get(key)?.as_str());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns the provider's message.
fn message(body: &Value) -> Option<&str> {
    let body = body.get(0).unwrap_or(body);
    let places = ["/error/message", "/message", "/error", "/detail"];
    places.into_iter().find_map(|place| body.pointer(place)?.as_str())
}

/// Converts the error of a broken stream.
fn broken(error: BoxError) -> ModelError {
    match error.downcast::<Error>() {
        Ok(error) => match *error {
            // genai never nests such errors. They are not followed, because that could recurse without end.
            Error::WebStream { .. } => ModelError::new(ModelErrorKind::Transport, "the stream broke"),
            error => model_error(error),
        },
        Err(error) if error.is::<FromUtf8Error>() => malformed("the stream is not valid UTF-8"),
        Err(error) if error.is::<webc::StreamTimeout>() => {
            ModelError::new(ModelErrorKind::Transport, error.to_string())
        }
        Err(error) => transport(ModelErrorKind::Transport, error.source()),
    }
}

/// Collects only the causes of an error of the HTTP client, because the error itself contains the address with its query.
fn transport(kind: ModelErrorKind, mut cause: Option<&(dyn std::error::Error + 'static)>) -> ModelError {
    let mut causes = Vec::new();
    while let Some(error) = cause.filter(|_| causes.len() < 8) {
        causes.push(error.to_string());
        cause = error.source();
    }
    let text = if causes.is_empty() { "the connection failed".to_owned() } else { causes.join(": ") };
    ModelError::new(kind, short(&text))
}

pub(super) fn malformed(cause: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, short(cause))
}

/// Truncates a text to one paragraph.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
