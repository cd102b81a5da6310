//! The checks of one request, before the SDK reads it: [`Checked`].

use std::borrow::Cow;
use std::sync::Arc;

use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper::{Method, Request, StatusCode};
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::watch;

use super::super::handler::Handler;
use super::super::settings::Principal;
use super::sessions::{Rejection, Sessions};
use crate::http::{BodyUntilStopped, Gate, HttpAnswer, SESSION, body_of, json, reject, too_many_sessions};

/// A service that checks requests and passes them on to the SDK.
pub(super) struct Checked<H> {
    service: TowerToHyperService<StreamableHttpService<Handler<H>, LocalSessionManager>>,
    sessions: Arc<Sessions>,
    gate: Gate<Principal>,
    most_bytes: usize,
}

impl<H> Clone for Checked<H> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            sessions: Arc::clone(&self.sessions),
            gate: self.gate.clone(),
            most_bytes: self.most_bytes,
        }
    }
}

impl<H: ServerHandler> Checked<H> {
    pub(super) fn new(
        service: StreamableHttpService<Handler<H>, LocalSessionManager>,
        sessions: Sessions,
        gate: Gate<Principal>,
        most_bytes: usize,
    ) -> Self {
        Self { service: TowerToHyperService::new(service), sessions: Arc::new(sessions), gate, most_bytes }
    }

    /// Answers a request. When the server stops, a stream of notifications is closed at once, but the answer to a call is still sent to its
    /// end.
    pub(super) async fn answer(self, request: Request<Incoming>, stopped: watch::Receiver<bool>) -> HttpAnswer {
        let (mut parts, body) = request.into_parts();
        let user = match self.gate.user_of(&mut parts) {
            Ok(user) => user,
            Err(rejection) => return *rejection,
        };
        if let Some(user) = &user {
            parts.extensions.insert(user.clone());
        }
        let body = match body_of(body, self.most_bytes).await {
            Ok(body) => body,
            Err(rejection) => return *rejection,
        };
        let (is_stream, is_end) = (parts.method == Method::GET, parts.method == Method::DELETE);
        let message = serde_json::from_slice::<Message<'_>>(&body).ok();
        let mut beginning = None;
        // The SDK ignores a value that is not text too.
        match parts.headers.get(&SESSION).and_then(|session| session.to_str().ok()) {
            Some(session) => match self.sessions.open(session, user.as_ref(), message.and_then(Message::request)) {
                Ok(open) => drop(open.map(|open| parts.extensions.insert(open))),
                Err(Rejection::Foreign) => return reject(StatusCode::NOT_FOUND, "Not Found: Session not found"),
                Err(Rejection::Error(id, error)) => return reject_request(id, error),
            },
            // A message that is not valid may still begin one.
            None if message.as_ref().is_none_or(Message::is_initialize) => {
                beginning = self.sessions.begin().await;
                if beginning.is_none() {
                    return too_many_sessions();
                }
            }
            None => {}
        }
        let Ok(mut answer) = self.service.call(Request::from_parts(parts, Full::new(body))).await;
        if is_end && answer.status() == StatusCode::ACCEPTED {
            // The session has ended by now. For the Python SDK, 202 is a failure, which it logs.
            *answer.status_mut() = StatusCode::NO_CONTENT;
        }
        if let Some((beginning, session)) = beginning.zip(answer.headers().get(&SESSION)) {
            beginning.end(session.to_str().unwrap_or_default(), user);
        }
        if is_stream { answer.map(|body| BoxBody::new(BodyUntilStopped::new(body, stopped))) } else { answer }
    }
}

/// The parts of a message that concern its session.
#[derive(serde::Deserialize)]
struct Message<'m> {
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
    id: Option<RequestId>,
}

impl Message<'_> {
    fn is_initialize(&self) -> bool {
        self.method.as_deref() == Some("initialize")
    }

    /// Returns the id of a request. Other messages may contain the id of a request of the server.
    fn request(self) -> Option<RequestId> {
        self.method.and(self.id)
    }
}

/// Answers a request of JSON-RPC with an error.
fn reject_request(id: RequestId, error: ErrorData) -> HttpAnswer {
    let error = serde_json::to_vec(&ServerJsonRpcMessage::error(error, Some(id))).unwrap_or_default();
    json(StatusCode::OK, error)
}
