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
use hyper::header::{AUTHORIZATION, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::service::Service;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::{Mutex, watch};

use super::super::handler::Handler;
use super::super::settings::Principal;

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
    sessions: Arc<LocalSessionManager>,
    /// The lock that is held while a session begins, so that the number of sessions never exceeds its limit.
    beginning: Arc<Mutex<()>>,
    identify: Option<Arc<Identify>>,
    limits: Limits,
}

impl<H> Clone for Gate<H> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            sessions: Arc::clone(&self.sessions),
            beginning: Arc::clone(&self.beginning),
            identify: self.identify.clone(),
            limits: self.limits,
        }
    }
}

/// The limits of all requests.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) most_bytes: usize,
    pub(super) most_sessions: usize,
}

impl<H: ServerHandler> Gate<H> {
    pub(super) fn new(
        service: StreamableHttpService<Handler<H>, LocalSessionManager>,
        sessions: Arc<LocalSessionManager>,
        identify: Option<Arc<Identify>>,
        limits: Limits,
    ) -> Self {
        Self { service: TowerToHyperService::new(service), sessions, beginning: Arc::default(), identify, limits }
    }

    /// Answers a request. When the server stops, a stream of notifications is closed at once, but the answer to a call is still sent to its
    /// end.
    pub(super) async fn answer(self, request: Request<Incoming>, stopped: watch::Receiver<bool>) -> Answer {
        let (mut parts, body) = request.into_parts();
        if let Some(identify) = &self.identify {
            let token = parts.headers.get(AUTHORIZATION).and_then(bearer_token);
            let Some(principal) = token.and_then(|token| identify(token)) else {
                let mut answer = refuse(StatusCode::UNAUTHORIZED, "A valid bearer token is required.");
                answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                return answer;
            };
            parts.extensions.insert(principal);
            // The token is removed, because nothing after this check needs it.
            parts.headers.remove(AUTHORIZATION);
        }
        let body = match tokio::time::timeout(PATIENCE, Limited::new(body, self.limits.most_bytes).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The request is too long.");
            }
            Ok(Err(_)) => return refuse(StatusCode::BAD_REQUEST, "The request is incomplete."),
            Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "The request took too long."),
        };
        let is_stream = parts.method == Method::GET;
        let begins = !parts.headers.contains_key(SESSION) && begins_session(&body);
        let _beginning = if begins { Some(self.beginning.lock().await) } else { None };
        if begins && self.sessions.sessions.read().await.len() >= self.limits.most_sessions {
            let mut answer = refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many sessions.");
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(LATER));
            return answer;
        }
        let Ok(answer) = self.service.call(Request::from_parts(parts, Full::new(body))).await;
        if is_stream { answer.map(|body| BoxBody::new(Until::new(body, stopped))) } else { answer }
    }
}

/// Returns `true` for a request that begins a session, and for a body that cannot be parsed, which might begin one.
fn begins_session(body: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Message<'m> {
        #[serde(borrow)]
        method: Cow<'m, str>,
    }
    serde_json::from_slice::<Message<'_>>(body).map_or(true, |message| message.method == "initialize")
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
