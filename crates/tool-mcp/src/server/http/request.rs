//! The checks of one request, before the SDK reads it: [`Gate`].

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::service::Service;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::watch;

use super::super::handler::Handler;
use super::super::settings::Principal;
use super::sessions::{Refusal, Sessions};

pub(super) type Identify = dyn Fn(&str) -> Option<Principal> + Send + Sync;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The maximum time in which the body of a request has to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// The header of requests that belong to a session.
const SESSION: &str = "mcp-session-id";

/// The pause, in seconds, before a client should try again to begin a session.
const LATER: &str = "30";

/// A service that checks requests and passes them on to the SDK.
pub(super) struct Gate<H> {
    service: TowerToHyperService<StreamableHttpService<Handler<H>, LocalSessionManager>>,
    sessions: Arc<Sessions>,
    identify: Option<Arc<Identify>>,
    most_bytes: usize,
}

impl<H> Clone for Gate<H> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            sessions: Arc::clone(&self.sessions),
            identify: self.identify.clone(),
            most_bytes: self.most_bytes,
        }
    }
}

impl<H: ServerHandler> Gate<H> {
    pub(super) fn new(
        service: StreamableHttpService<Handler<H>, LocalSessionManager>,
        sessions: Sessions,
        identify: Option<Arc<Identify>>,
        most_bytes: usize,
    ) -> Self {
        Self { service: TowerToHyperService::new(service), sessions: Arc::new(sessions), identify, most_bytes }
    }

    /// Answers a request. When the server stops, a stream of notifications is closed at once, but the answer to a call is still sent to its
    /// end.
    pub(super) async fn answer(self, request: Request<Incoming>, stopped: watch::Receiver<bool>) -> Answer {
        let (mut parts, body) = request.into_parts();
        let mut user = None;
        if let Some(identify) = &self.identify {
            let token = parts.headers.get(AUTHORIZATION).and_then(bearer_token);
            user = token.and_then(|token| identify(token));
            let Some(user) = &user else {
                let mut answer = refuse(StatusCode::UNAUTHORIZED, "A valid bearer token is required.");
                answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                return answer;
            };
            parts.extensions.insert(user.clone());
            // The token is removed, because nothing after this check needs it.
            parts.headers.remove(AUTHORIZATION);
        }
        let body = match tokio::time::timeout(PATIENCE, Limited::new(body, self.most_bytes).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The request is too long.");
            }
            Ok(Err(_)) => return refuse(StatusCode::BAD_REQUEST, "The request is incomplete."),
            Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "The request took too long."),
        };
        let is_stream = parts.method == Method::GET;
        let message = serde_json::from_slice::<Message<'_>>(&body).ok();
        let mut beginning = None;
        // The SDK ignores a value that is not text too.
        match parts.headers.get(SESSION).and_then(|session| session.to_str().ok()) {
            Some(session) => match self.sessions.open(session, user.as_ref(), message.and_then(Message::request)) {
                Ok(open) => drop(open.map(|open| parts.extensions.insert(open))),
                Err(Refusal::Foreign) => return refuse(StatusCode::NOT_FOUND, "Not Found: Session not found"),
                Err(Refusal::Error(id, error)) => return refuse_request(id, error),
            },
            // A message that is not valid may still begin one.
            None if message.as_ref().is_none_or(Message::is_initialize) => {
                beginning = self.sessions.begin().await;
                if beginning.is_none() {
                    let mut answer = refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many sessions.");
                    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(LATER));
                    return answer;
                }
            }
            None => {}
        }
        let Ok(answer) = self.service.call(Request::from_parts(parts, Full::new(body))).await;
        if let Some((beginning, session)) = beginning.zip(answer.headers().get(SESSION)) {
            beginning.end(session.to_str().unwrap_or_default(), user);
        }
        if is_stream { answer.map(|body| BoxBody::new(Until::new(body, stopped))) } else { answer }
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

fn bearer_token(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn refuse(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(BoxBody::new(Full::from(text)));
    *answer.status_mut() = status;
    answer
}

/// Answers a request of JSON-RPC with an error.
fn refuse_request(id: RequestId, error: ErrorData) -> Answer {
    let error = serde_json::to_vec(&ServerJsonRpcMessage::error(error, Some(id))).unwrap_or_default();
    let mut answer = Response::new(BoxBody::new(Full::from(error)));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

type Stopped = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

/// A body that ends when the server stops.
struct Until {
    body: BoxBody<Bytes, Infallible>,
    stopped: Stopped,
}

impl Until {
    fn new(body: BoxBody<Bytes, Infallible>, mut stopped: watch::Receiver<bool>) -> Self {
        let stopped = Box::pin(async move {
            // An error means that the server is gone.
            let _ = stopped.wait_for(|stopped| *stopped).await;
        });
        Self { body, stopped }
    }
}

impl Body for Until {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.stopped.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
