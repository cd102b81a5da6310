//! Questions of a server to the user: [`Elicitation`], answered by the host with a [`ElicitationReply`].
//!
//! Invariants: without a hook, a server knows that the host answers no questions; at most [`MOST_QUESTIONS`] questions are open at a time.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};

use super::events::Events;

/// The largest number of questions of one connection that the host answers at a time. Further ones are cancelled.
const MOST_QUESTIONS: usize = 8;

/// A question of a server to the user, sent while a call runs.
///
/// The text comes from the server. Show it as a text of the server, and never answer for the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// The name that the host gave the server.
    pub server: String,
    /// The question.
    pub message: String,
    /// The kind of answer that is expected.
    pub kind: ElicitationKind,
}

/// The kind of answer that a server expects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationKind {
    /// The user fills in a form.
    Form {
        /// The JSON Schema of the form: an object whose properties are strings, numbers, booleans and choices.
        schema: Value,
    },
    /// The user opens a page and continues there. The host asks the user before it opens the page.
    Url {
        /// The address of the page.
        url: String,
    },
}

/// The user's answer to an [`Elicitation`].
#[derive(Clone, Debug, PartialEq)]
pub enum ElicitationReply {
    /// The user filled in the form, or agreed to open the page (then the values are empty).
    Accept(Map<String, Value>),
    /// The user refuses to answer.
    Decline,
    /// The user closed the question without a choice.
    Cancel,
}

type Replying = Pin<Box<dyn Future<Output = ElicitationReply> + Send>>;

/// The host's function that asks the user.
#[derive(Clone)]
pub(super) struct Hook(Arc<dyn Fn(Elicitation) -> Replying + Send + Sync>);

impl Hook {
    pub(super) fn new<F, R>(ask: F) -> Self
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = ElicitationReply> + Send + 'static,
    {
        Self(Arc::new(move |elicitation| Box::pin(ask(elicitation))))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

/// Asks the host.
pub(super) async fn ask(
    hook: Option<&Hook>,
    server: &str,
    events: &Arc<Events>,
    params: ElicitRequestParams,
) -> ElicitResult {
    let Some(Hook(hook)) = hook else { return ElicitResult::new(ElicitationAction::Decline) };
    let Some(_asking) = events.ask(MOST_QUESTIONS) else { return ElicitResult::new(ElicitationAction::Cancel) };
    let (message, kind, is_form) = match params {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            let schema = serde_json::to_value(requested_schema).unwrap_or_default();
            (message, ElicitationKind::Form { schema }, true)
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            (message, ElicitationKind::Url { url }, false)
        }
        _ => return ElicitResult::new(ElicitationAction::Decline),
    };
    match hook(Elicitation { server: server.to_owned(), message, kind }).await {
        ElicitationReply::Accept(values) if is_form => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(values))
        }
        ElicitationReply::Accept(_) => ElicitResult::new(ElicitationAction::Accept),
        ElicitationReply::Decline => ElicitResult::new(ElicitationAction::Decline),
        ElicitationReply::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
}
