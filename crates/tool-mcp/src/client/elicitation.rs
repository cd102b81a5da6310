//! Questions of a server to the user: [`Elicitation`]. The host answers with an [`ElicitationReply`].
//!
//! Invariants: if the host has no hook, the handshake says that it does not answer questions. At most [`MOST_QUESTIONS`] questions are open
//! at a time. Values that do not fit the form are not sent.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};
use tool_dynamic::{InputSchema, UnknownFields};

use super::shared_connection_state::ConnectionState;

/// The maximum number of questions of one connection that the host answers at a time. Further questions are cancelled.
const MOST_QUESTIONS: usize = 8;
/// The maximum number of times that the host is asked to fill in the same form.
const MOST_ATTEMPTS: usize = 3;

/// A question of a server to the user, sent while a call runs.
///
/// Show the user that the text comes from the server, and never answer for the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// The name that the host gave to the server.
    pub server: String,
    /// The question.
    pub message: String,
    /// The kind of answer that is expected.
    pub kind: ElicitationKind,
    /// The issues of the previous answer, such as `nights must be at most 30`; empty when the question is asked for the first time.
    ///
    /// Values that do not fit the form are not sent. The hook is called again, and after the third such answer the question is cancelled.
    pub issues: Vec<String>,
}

/// The kind of answer that a server expects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationKind {
    /// The user is asked to fill in a form.
    Form {
        /// The JSON Schema of the form: an object whose properties are strings, numbers, booleans and choices.
        schema: Value,
    },
    /// The user is asked to open a page and continue there. Open the page only after the user has agreed.
    Url {
        /// The address of the page.
        url: String,
    },
}

/// The user's answer to an [`Elicitation`].
#[derive(Clone, Debug, PartialEq)]
pub enum ElicitationReply {
    /// The user filled in the form, with these values. Or the user agreed to open the page, and there are no values.
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
    events: &Arc<ConnectionState>,
    params: ElicitRequestParams,
) -> ElicitResult {
    let Some(Hook(hook)) = hook else { return ElicitResult::new(ElicitationAction::Decline) };
    let Some(_asking) = events.ask(MOST_QUESTIONS) else { return ElicitResult::new(ElicitationAction::Cancel) };
    let (message, kind, form) = match params {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            let schema = serde_json::to_value(requested_schema).unwrap_or_default();
            // If the schema cannot be parsed, the values are not checked here. The schema is the server's issue, and the server checks the
            // values itself.
            let form = InputSchema::builder(&schema).unknown_fields(UnknownFields::Reject).parse().ok();
            (message, ElicitationKind::Form { schema }, form)
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => (message, ElicitationKind::Url { url }, None),
        _ => return ElicitResult::new(ElicitationAction::Decline),
    };
    let mut elicitation = Elicitation { server: server.to_owned(), message, kind, issues: Vec::new() };
    for _ in 0..MOST_ATTEMPTS {
        let values = match hook(elicitation.clone()).await {
            ElicitationReply::Accept(values) => values,
            ElicitationReply::Decline => return ElicitResult::new(ElicitationAction::Decline),
            ElicitationReply::Cancel => return ElicitResult::new(ElicitationAction::Cancel),
        };
        if matches!(elicitation.kind, ElicitationKind::Url { .. }) {
            return ElicitResult::new(ElicitationAction::Accept);
        }
        let values = Value::Object(values);
        let issues = form.as_ref().map(|form| form.check(&(&values).into())).unwrap_or_default();
        if issues.is_empty() {
            return ElicitResult::new(ElicitationAction::Accept).with_content(values);
        }
        elicitation.issues = issues.iter().map(ToString::to_string).collect();
    }
    ElicitResult::new(ElicitationAction::Cancel)
}
