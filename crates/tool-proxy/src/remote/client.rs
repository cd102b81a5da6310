//! The HTTP client of a remote server, and its session: [`RemoteClient`].

use std::sync::Mutex;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use tokio::time::{sleep, timeout};

use crate::connection::Ending;
use crate::frame::{Frame, Message};
use crate::http_upstream::{HttpUpstream, SHOWN, authorization, invalid, reason};
use crate::mcp_headers::{JSON, LAST_EVENT, STREAM, VERSION_HEADER, is_media_type};
use crate::members::{member, parsed};
use crate::own_messages::METHOD_NOT_FOUND;
use crate::private::bounded;
use crate::remote::events::Events;
use crate::remote::headers::{ToolHeaders, message_headers};
use crate::servers::EXITING;
use crate::sync::locked;

static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
static VERSION: HeaderName = HeaderName::from_static(VERSION_HEADER);

const NO_TOKEN: FailureKind = FailureKind::Rejected(StatusCode::UNAUTHORIZED);
const EXPIRED: &str = "does not know the session any more";

/// The pauses before further attempts to make a connection. Nothing was sent before.
const RETRIES: [Duration; 3] = [Duration::from_millis(250), Duration::from_millis(500), Duration::from_secs(1)];

/// The client of one connection, and its session.
pub(super) struct RemoteClient {
    pub(super) remote: HttpUpstream,
    client: Client,
    pub(super) session: Mutex<Session>,
    pub(super) tools: Mutex<ToolHeaders>,
    pub(super) limit: usize,
}

/// The state that the server has agreed to.
#[derive(Clone, Default)]
pub(super) struct Session {
    pub(super) id: Option<HeaderValue>,
    /// The number of sessions that have expired before.
    pub(super) generation: u64,
    /// The protocol version.
    pub(super) version: Option<HeaderValue>,
    /// The URL for messages, if it is another one than that of the server.
    pub(super) endpoint: Option<Url>,
    /// The client's messages that have begun the session.
    pub(super) initialize: Option<Frame>,
    pub(super) initialized: Option<Frame>,
}

impl Session {
    /// Notes the protocol version in the answer to `initialize`.
    pub(super) fn set_version(&mut self, result: &str) {
        self.version = parsed::<String>(result, "protocolVersion").and_then(|version| version.try_into().ok());
    }
}

/// The answer to a message.
pub(super) enum PostAnswer {
    /// Messages, the last of which is the answer.
    Events(Events),
    /// One message.
    Json(Vec<u8>),
    TooLong,
    Nothing,
}

/// The reason why there is no answer, and a text about it.
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    pub(super) text: String,
}

#[derive(Clone, Copy)]
pub(super) enum FailureKind {
    /// The server has not got the message.
    Unreachable,
    /// The server has not used the message.
    Rejected(StatusCode),
    /// The server does not know the session with this generation, and has not used the message.
    Expired(u64),
    /// The server may have used the message.
    Lost,
}

impl RemoteClient {
    pub(super) fn new(remote: &HttpUpstream, limit: usize) -> std::io::Result<Self> {
        let client = remote.client()?;
        Ok(Self { remote: remote.clone(), client, session: Mutex::default(), tools: Mutex::default(), limit })
    }

    /// Returns the same client with a session that has not begun, after so many expired ones.
    pub(super) fn with_new_session(&self, generation: u64) -> Self {
        let session = Mutex::new(Session { generation, ..Session::default() });
        let (remote, client) = (self.remote.clone(), self.client.clone());
        Self { remote, client, session, tools: Mutex::default(), limit: self.limit }
    }

    /// Sends a message.
    pub(super) async fn post(&self, frame: &Frame) -> Result<PostAnswer, Failure> {
        let (headers, url, session) = {
            let headers = match frame.message() {
                Message::Request { method, params, .. } | Message::Notification { method, params } => {
                    message_headers(method, params, &locked(&self.tools))
                }
                Message::Response { .. } | Message::Error => HeaderMap::new(),
            };
            let session = locked(&self.session);
            let url = session.endpoint.clone().unwrap_or_else(|| self.remote.url.clone());
            let generation = session.id.as_ref().filter(|_| headers.is_empty()).map(|_| session.generation);
            (headers, url, generation)
        };
        let request = || {
            let request = self.client.post(url.clone()).header(ACCEPT, [JSON, ", ", STREAM].concat());
            request.header(CONTENT_TYPE, JSON).body(frame.line().to_owned())
        };
        let mut sent = self.send(request, &headers).await;
        for pause in RETRIES {
            if !matches!(sent, Err(Failure { kind: FailureKind::Unreachable, .. })) {
                break;
            }
            sleep(pause).await;
            sent = self.send(request, &headers).await;
        }
        self.posted(frame, sent?, session).await
    }

    /// Sends a message. Fails if that takes too long.
    pub(super) async fn post_within(&self, limit: Duration, frame: &Frame) -> Result<PostAnswer, Failure> {
        let late = |_| Err(self.lost("has not accepted a message in time"));
        timeout(limit, self.post(frame)).await.unwrap_or_else(late)
    }

    /// Begins to read the messages that belong to no request, or the rest of a stream after an event. `None` if the server has no such stream.
    pub(super) async fn listen(&self, last: Option<&str>) -> Result<Option<Events>, Failure> {
        let request = || {
            let request = self.client.get(self.remote.url.clone()).header(ACCEPT, STREAM);
            match last {
                Some(last) => request.header(LAST_EVENT, last),
                None => request,
            }
        };
        let generation = locked(&self.session).generation;
        let response = self.send(request, &HeaderMap::new()).await?;
        match (response.status(), media_type(&response)) {
            (StatusCode::OK, STREAM) => Ok(Some(Events::of(response, self.limit))),
            (StatusCode::NOT_FOUND, _) if locked(&self.session).id.is_some() => {
                Err(self.failure(FailureKind::Expired(generation), EXPIRED))
            }
            (status, _) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Err(self.lost(&format!("answered with the status {status}")))
            }
            _ => Ok(None),
        }
    }

    /// Returns the future that tells the server that the session is not used any more; `None` without a session.
    pub(super) async fn ending(&self) -> Option<Ending> {
        locked(&self.session).id.as_ref()?;
        let token = self.token(None).await.ok()?;
        let request = self.client.delete(self.remote.url.clone());
        let request = self.headed(request, &HeaderMap::new(), token.as_deref()).ok()?;
        let (client, request) = (self.client.clone(), request.build().ok()?);
        Some(Box::pin(async move { drop(timeout(EXITING, client.execute(request)).await) }))
    }

    /// Sends a request, and once more if the server has rejected its token and there is another one.
    async fn send(&self, request: impl Fn() -> RequestBuilder, headers: &HeaderMap) -> Result<Response, Failure> {
        let token = self.token(None).await?;
        let response = self.send_with(request(), headers, token.as_deref()).await?;
        if token.is_none() || response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        match self.token(token.clone()).await? {
            other if other == token => Ok(response),
            other => self.send_with(request(), headers, other.as_deref()).await,
        }
    }

    async fn token(&self, rejected: Option<String>) -> Result<Option<String>, Failure> {
        let token = self.remote.token(rejected).await;
        token.map_err(|error| self.failure(NO_TOKEN, &format!("needs a token: {error}")))
    }

    async fn send_with(
        &self,
        request: RequestBuilder,
        headers: &HeaderMap,
        token: Option<&str>,
    ) -> Result<Response, Failure> {
        self.headed(request, headers, token)?.send().await.map_err(|error| {
            let is_sent = !error.is_connect();
            let (kind, text) = if is_sent {
                (FailureKind::Lost, "broke off")
            } else {
                (FailureKind::Unreachable, "cannot be reached")
            };
            self.failure(kind, &format!("{text}: {}", reason(&error)))
        })
    }

    /// Adds the headers of the session and of the user. `headers` are those that repeat the message.
    fn headed(
        &self,
        request: RequestBuilder,
        headers: &HeaderMap,
        token: Option<&str>,
    ) -> Result<RequestBuilder, Failure> {
        let mut request = request.headers(headers.clone());
        if let Some(token) = token {
            let invalid = |error: std::io::Error| self.failure(NO_TOKEN, &error.to_string());
            request = request.header(AUTHORIZATION, authorization(token).map_err(invalid)?);
        }
        if headers.is_empty() {
            let session = locked(&self.session);
            for (name, value) in [(&SESSION, &session.id), (&VERSION, &session.version)] {
                request = value.iter().fold(request, |request, value| request.header(name, value));
            }
        }
        Ok(request)
    }

    /// Returns the answer in a response. `session` is the generation of the session that the request has named.
    async fn posted(&self, request: &Frame, response: Response, session: Option<u64>) -> Result<PostAnswer, Failure> {
        let status = response.status();
        if let Some(id) = response.headers().get(&SESSION)
            && status.is_success()
        {
            locked(&self.session).id.get_or_insert_with(|| id.clone());
        }
        if status.is_success() {
            // Some servers do not name the type of their JSON.
            return match media_type(&response) {
                STREAM => Ok(PostAnswer::Events(Events::of(response, self.limit))),
                _ => self.body(response).await,
            };
        }
        let kind = FailureKind::Rejected(status);
        let rejected = |text: &str| Err(self.failure(kind, &format!("{text} (status {})", status.as_u16())));
        match status {
            StatusCode::UNAUTHORIZED => rejected("does not accept the request without a valid token"),
            StatusCode::FORBIDDEN => rejected("does not allow this request"),
            StatusCode::TOO_MANY_REQUESTS => {
                let later = response.headers().get(RETRY_AFTER).and_then(|later| later.to_str().ok());
                let pause = later.map_or_else(String::new, |later| format!(", try again in {later} s"));
                rejected(&format!("gets too many requests{}", bounded::text(&pause, SHOWN)))
            }
            _ if status.is_redirection() => rejected("redirects to another address, which is not followed"),
            _ => {
                let mut line = String::new();
                if media_type(&response) == JSON
                    && let PostAnswer::Json(body) = self.body(response).await?
                {
                    line = String::from_utf8(body).unwrap_or_default();
                }
                // The error of a request that was not accepted has another id, or none.
                let error = member(&line, "error").unwrap_or_default();
                let message: Option<String> = parsed(error, "message");
                let message =
                    message.map_or_else(String::new, |message| format!(": {}", bounded::text(&message, SHOWN)));
                let code = parsed(error, "code");
                // With a session, any other answer with this status says that it has ended.
                if let Some(generation) = session.filter(|_| status == StatusCode::NOT_FOUND)
                    && code != Some(METHOD_NOT_FOUND)
                {
                    return Err(self.failure(FailureKind::Expired(generation), EXPIRED));
                }
                if Frame::parse(line.clone()).is_ok_and(|answer| is_answer(&answer, request)) {
                    return Ok(PostAnswer::Json(line.into_bytes()));
                }
                let text = format!("answered with the status {}{message}", status.as_u16());
                let may_run = status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT;
                Err(self.failure(if may_run { FailureKind::Lost } else { kind }, &text))
            }
        }
    }

    /// Reads one message.
    async fn body(&self, mut response: Response) -> Result<PostAnswer, Failure> {
        let mut line = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if line.len() + chunk.len() > self.limit => return Ok(PostAnswer::TooLong),
                // A line break is only possible between two tokens of JSON.
                Ok(Some(chunk)) => {
                    line.extend(chunk.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
                }
                Ok(None) if line.trim_ascii().is_empty() => return Ok(PostAnswer::Nothing),
                Ok(None) => return Ok(PostAnswer::Json(line)),
                Err(error) => return Err(self.lost(&format!("broke off: {}", reason(&error)))),
            }
        }
    }

    fn failure(&self, kind: FailureKind, text: &str) -> Failure {
        Failure { kind, text: format!("The MCP server at {} {text}.", self.remote.shown()) }
    }

    pub(super) fn lost(&self, text: &str) -> Failure {
        self.failure(FailureKind::Lost, text)
    }

    /// Uses another URL of the server for messages from now on. Fails if it belongs to another origin.
    pub(super) fn set_endpoint(&self, path: &str) -> std::io::Result<()> {
        let endpoint = self.remote.url.join(path).map_err(|_| invalid("its URL for messages is not valid"))?;
        if endpoint.origin() != self.remote.url.origin() {
            return Err(invalid("its URL for messages belongs to another origin"));
        }
        locked(&self.session).endpoint = Some(endpoint);
        Ok(())
    }
}

fn is_answer(answer: &Frame, request: &Frame) -> bool {
    match (answer.message(), request.message()) {
        (Message::Response { id: answered, .. }, Message::Request { id, .. }) => answered == id,
        _ => false,
    }
}

/// Returns the media type of a response, without its parameters.
fn media_type(response: &Response) -> &'static str {
    let given = response.headers().get(CONTENT_TYPE).and_then(|given| given.to_str().ok()).unwrap_or_default();
    [JSON, STREAM].into_iter().find(|known| is_media_type(given, known)).unwrap_or_default()
}
