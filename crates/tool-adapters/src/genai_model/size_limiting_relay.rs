//! A relay between genai and a provider that limits answers: [`Relay`].
//!
//! genai reads a whole answer, or the rest of an event, without a limit, and copies an incomplete event again for each piece that arrives.
//! Neither genai nor reqwest has a hook between the socket and genai's reader. Therefore, genai sends its request to a listener on
//! 127.0.0.1 that exists only for this request. The relay forwards the request to the provider, and returns the answer in whole events,
//! within the [`Limits`](super::answer_limits::Limits).
//!
//! Invariant: the relay and genai's reader are polled in the same task, and the relay yields after each piece. So the time limit of a turn
//! is checked, whatever a server sends, and dropping the future closes both connections.
//!
//! The path of the request contains a random token. A connection without it is closed.

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::task::{Context, Poll};

use genai::ServiceTarget;
use genai::resolver::{AuthData, Endpoint};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, Url};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tool_chat::model::{ModelError, ModelErrorKind};

use super::answer_limits::Bounded;
use super::convert_error;
use super::load_deferred_definitions::DeferredLoading;

/// The maximum size of the head of genai's request.
const HEAD: usize = 1 << 20;
/// The maximum number of bytes that are passed on from the body of an error answer, whose beginning contains the reason.
const REJECTION: usize = 64 << 10;

/// Headers of genai's request that only concern its connection to the relay.
const OF_THE_CONNECTION: [&str; 6] =
    ["accept-encoding", "connection", "content-length", "host", "proxy-connection", "transfer-encoding"];

type Work = Pin<Box<dyn Future<Output = Result<(), ModelError>> + Send>>;

/// The task that relays one request, and the error that ended it.
#[derive(Default)]
pub(super) struct Relay {
    work: Option<Work>,
    failed: Option<ModelError>,
}

impl Relay {
    /// Opens a relay to a target, and changes the target to the address of the relay.
    pub(super) async fn open(
        target: &mut ServiceTarget,
        http: Client,
        events: Bounded,
        loading: DeferredLoading,
    ) -> Result<Self, ModelError> {
        let unusable = |_| ModelError::new(ModelErrorKind::Rejected, "no request can be built for this endpoint");
        let provider = match &target.auth {
            AuthData::RequestOverride { url, .. } => Url::parse(url),
            _ => Url::parse(target.endpoint.base_url()),
        };
        let provider = provider.map_err(unusable)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(|error| broken(&error))?;
        let address = listener.local_addr().map_err(|error| broken(&error))?;
        let prefix = format!("/{:016x}{:016x}", random(), random());

        let mut here = Url::parse(&format!("http://{address}{prefix}{}", provider.path())).map_err(unusable)?;
        here.set_query(provider.query());
        match &mut target.auth {
            AuthData::RequestOverride { url, .. } => *url = here.into(),
            _ => target.endpoint = Endpoint::from_owned(String::from(here)),
        }
        let work = async move {
            let (mut stream, mut asked) = accept(listener, &prefix).await.map_err(|error| broken(&error))?;
            asked.body = loading.rewrite(asked.body);
            forward(&mut stream, asked, provider, &http, events).await
        };
        Ok(Self { work: Some(Box::pin(work)), failed: None })
    }

    /// Transfers the bytes that are available now.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) {
        if let Some(Poll::Ready(done)) = self.work.as_mut().map(|work| work.as_mut().poll(cx)) {
            self.work = None;
            self.failed = done.err();
        }
    }

    /// Returns the error of the relay if it has one. Otherwise, returns `error`, which is genai's: if the relay fails, genai only sees a
    /// broken connection.
    pub(super) fn reason(&mut self, error: ModelError) -> ModelError {
        self.failed.take().unwrap_or(error)
    }
}

/// A request of genai.
struct Asked {
    method: Method,
    /// The path and the query, without the token.
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

async fn accept(listener: TcpListener, prefix: &str) -> std::io::Result<(TcpStream, Asked)> {
    loop {
        let (mut stream, _) = listener.accept().await?;
        // Otherwise, another program has connected, or the connection broke. Wait for genai's connection.
        if let Ok(Some(asked)) = read(&mut stream, prefix).await {
            return Ok((stream, asked));
        }
    }
}

/// Reads a request. Returns `None` if its path does not begin with the token.
async fn read(stream: &mut TcpStream, prefix: &str) -> std::io::Result<Option<Asked>> {
    let mut bytes = Vec::new();
    let end = loop {
        let searched = bytes.len().saturating_sub(3);
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > HEAD {
            return Ok(None);
        }
        if let Some(at) = bytes[searched..].windows(4).position(|four| four == b"\r\n\r\n") {
            break searched + at;
        }
    };
    let mut body = bytes.split_off(end + 4);
    let Some((method, path, headers, length)) = head(&bytes[..end], prefix) else { return Ok(None) };
    let read = body.len();
    body.resize(length.max(read), 0);
    stream.read_exact(&mut body[read..]).await?;
    Ok(Some(Asked { method, path, headers, body }))
}

fn head(head: &[u8], prefix: &str) -> Option<(Method, String, HeaderMap, usize)> {
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut words = lines.next()?.split(|&byte| byte == b' ');
    let method = Method::from_bytes(words.next()?).ok()?;
    let path = std::str::from_utf8(words.next()?).ok()?.strip_prefix(prefix)?.to_owned();
    let (mut headers, mut length) = (HeaderMap::new(), 0);
    for line in lines {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii_start()).ok()?;
        if name == "content-length" {
            length = value.to_str().ok()?.parse().ok()?;
        }
        if !OF_THE_CONNECTION.contains(&name.as_str()) {
            headers.append(name, value);
        }
    }
    Some((method, path, headers, length))
}

async fn forward(
    stream: &mut TcpStream,
    asked: Asked,
    mut provider: Url,
    http: &Client,
    events: Bounded,
) -> Result<(), ModelError> {
    let (path, query) = asked.path.split_once('?').map_or((&*asked.path, None), |(path, query)| (path, Some(query)));
    provider.set_path(path);
    provider.set_query(query);
    let request = http.request(asked.method, provider).headers(asked.headers).body(asked.body);
    let answer = request.send().await.map_err(|error| convert_error::unreachable(&error))?;

    let status = answer.status();
    let mut head =
        format!("HTTP/1.1 {} \r\nconnection: close\r\ntransfer-encoding: chunked\r\n", status.as_u16()).into_bytes();
    for (name, value) in answer.headers() {
        // Only these headers are used by genai and the adapter.
        if name == "content-type" || name.as_str().starts_with("retry-after") {
            head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
    }
    head.extend(b"\r\n");
    // If the connection to genai fails, genai has closed it, so the relay ends without an error.
    if stream.write_all(&head).await.is_err() {
        return Ok(());
    }
    let body = if status.is_success() { give(stream, answer, events).await } else { excerpt(stream, answer).await };
    if body? {
        let _ = stream.write_all(b"0\r\n\r\n").await;
        let _ = stream.shutdown().await;
    }
    Ok(())
}

/// Passes on the body in whole events. Returns `false` if genai closed the connection.
async fn give(stream: &mut TcpStream, mut answer: Response, mut events: Bounded) -> Result<bool, ModelError> {
    while let Some(bytes) = answer.chunk().await.map_err(|error| convert_error::unreachable(&error))? {
        yield_now().await;
        let ready = events.take(&bytes)?;
        if write(stream, &ready).await.is_err() {
            return Ok(false);
        }
    }
    Ok(write(stream, &events.rest()).await.is_ok())
}

/// Passes on the beginning of the body of an error answer, and ignores the rest.
async fn excerpt(stream: &mut TcpStream, mut answer: Response) -> Result<bool, ModelError> {
    let mut left = REJECTION;
    while left > 0 {
        // If the body ends early, the status is still useful.
        let Ok(Some(bytes)) = answer.chunk().await else { break };
        yield_now().await;
        let bytes = bytes.get(..left).unwrap_or(&bytes);
        left -= bytes.len();
        if write(stream, bytes).await.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn write(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes()).await?;
    stream.write_all(bytes).await?;
    stream.write_all(b"\r\n").await
}

/// Returns a number that other processes cannot guess: the hash of a constant, with random keys from the operating system.
fn random() -> u64 {
    RandomState::new().hash_one(0_u8)
}

fn broken(error: &std::io::Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::Transport,
        format!("the answer cannot be relayed within this process: {}", error.kind()),
    )
}
