//! The shared health of tools for conversations outside of Restate: [`IngressHealth`].
//!
//! Invariants: a call waits for an answer no longer than the time limit. After a question without a decision, no request is sent for a while,
//! and the calls run. Texts of the server are bounded, and errors of requests are never shown, because they may contain credentials.

use std::fmt::{self, Write};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use serde::Serialize;
use tool_runtime::clock::Clock;
use tool_runtime::throttle::{HealthEnd, HealthFuture, HealthPermit, NotAdmitted, SharedHealth};

use crate::error::DurableError;
use crate::health_messages::{AskedHealth, EndedCall, HealthAnswer};

/// The maximum size of an answer in bytes. The answers of `ToolHealth` are much smaller.
const MOST_BYTES: usize = 16 << 10;
/// The time in milliseconds for which no request is sent after a question without a decision.
const REST: u64 = 10_000;

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;
type Posted = Pin<Box<dyn Future<Output = Option<String>> + Send>>;
type Post = dyn Fn(IngressPost) -> Posted + Send + Sync;
type Spawn = dyn Fn(Work) + Send + Sync;
type Key = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A `POST` request to the ingress of a Restate server, with the content type `application/json`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IngressPost {
    /// The path of the request, such as `/ToolHealth/search/admit`.
    pub path: String,
    /// The body, as JSON.
    pub body: String,
}

/// The shared health of tools, for sessions and conversations that do not run on Restate.
///
/// The calls ask the object `ToolHealth` of a Restate server, which shares the health with the conversations on Restate. The
/// host sends the requests, with the HTTP client and the authorization that it already has. If there is no decision in time, the call runs, an
/// [observer](tool_runtime::event::EventKind::HealthUnknown) gets the reason, and no request is sent for ten seconds.
///
/// ```
/// use tool_durable::{IngressHealth, IngressPost};
/// use tool_runtime::Toolbox;
/// use tool_runtime::clock::TokioClock;
/// use tool_runtime::session::SessionSetup;
///
/// async fn post(request: IngressPost) -> Result<String, std::io::Error> {
///     // For example with reqwest: client.post(format!("http://localhost:8080{}", request.path)).body(request.body) …
/// #   let _ = request;
///     Err(std::io::Error::other("this example has no server"))
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let health = IngressHealth::new(TokioClock::new(), post, |report| drop(tokio::spawn(report)))?;
/// let toolbox = Toolbox::builder().clock(TokioClock::new()).build()?;
/// let session = toolbox.begin_session(SessionSetup::new().shared_health(health))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct IngressHealth {
    clock: Arc<dyn Clock>,
    post: Arc<Post>,
    spawn: Arc<Spawn>,
    key: Arc<Key>,
    limit: Duration,
    /// The time in milliseconds until which no request is sent.
    silent_until: Arc<AtomicU64>,
}

impl IngressHealth {
    /// Creates the connection from a clock, a function that sends a request and returns the body of a successful answer, and a function that
    /// runs a future in the background. The health of each tool is shared under its advertised name.
    ///
    /// # Errors
    ///
    /// Fails if the clock has no timer, because a call could wait forever.
    pub fn new<F, E>(
        clock: impl Clock,
        post: impl Fn(IngressPost) -> F + Send + Sync + 'static,
        spawn: impl Fn(Pin<Box<dyn Future<Output = ()> + Send>>) + Send + Sync + 'static,
    ) -> Result<Self, DurableError>
    where
        F: Future<Output = Result<String, E>> + Send + 'static,
    {
        if !clock.has_timer() {
            return Err(DurableError::NoTimer);
        }
        let post = move |request| {
            let answer = post(request);
            Box::pin(async move { answer.await.ok() }) as Posted
        };
        Ok(Self {
            clock: Arc::new(clock),
            post: Arc::new(post),
            spawn: Arc::new(spawn),
            key: Arc::new(|tool| Some(tool.to_owned())),
            limit: Duration::from_millis(250),
            silent_until: Arc::default(),
        })
    }

    /// Sets how long a call waits for an answer. By default, it waits for 250 ms.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the function that returns the key under which the health of a tool is shared. If it returns `None`, the health of the tool is not
    /// shared.
    #[must_use]
    pub fn key_fn(mut self, key: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.key = Arc::new(key);
        self
    }

    fn now(&self) -> u64 {
        u64::try_from(self.clock.now().as_millis()).unwrap_or(u64::MAX)
    }

    fn is_silent(&self) -> bool {
        self.now() < self.silent_until.load(Ordering::Relaxed)
    }

    /// Sends no request for a while.
    fn rest(&self) {
        self.silent_until.store(self.now().saturating_add(REST), Ordering::Relaxed);
    }

    /// Sends a request. Returns `None` if there is no answer in time.
    async fn send(&self, path: String, body: &(impl Serialize + Sync)) -> Option<String> {
        // The messages are always encodable.
        let body = serde_json::to_string(body).unwrap_or_default();
        let mut answer = (self.post)(IngressPost { path, body });
        let mut alarm = self.clock.sleep(self.limit);
        let answer = poll_fn(|cx| match answer.as_mut().poll(cx) {
            Poll::Pending => alarm.as_mut().poll(cx).map(|()| None),
            ready @ Poll::Ready(_) => ready,
        })
        .await;
        if answer.is_none() {
            self.rest();
        }
        answer
    }

    async fn ask(&self, key: &str, tool: &str) -> Result<HealthPermit, NotAdmitted> {
        let unknown = |reason: &str| Err(NotAdmitted::Unknown(reason.to_owned()));
        if self.is_silent() {
            return unknown("the server has not decided lately");
        }
        let Some(answer) = self.send(path(key, "admit"), &AskedHealth { tool: tool.to_owned() }).await else {
            return unknown("the server has not answered in time, or the request has failed");
        };
        let decision = if answer.len() > MOST_BYTES {
            Err("the answer is too long")
        } else {
            serde_json::from_str::<HealthAnswer>(&answer).map_err(|_| "the answer is not a decision")
        };
        match decision {
            Ok(decision) => Ok(decision.into_result(tool)?),
            Err(reason) => {
                // Another program may have the address, so the next answer would not be a decision either.
                self.rest();
                unknown(reason)
            }
        }
    }
}

impl SharedHealth for IngressHealth {
    fn admit<'a>(&'a self, tool: &'a str) -> HealthFuture<'a> {
        Box::pin(async move {
            match (self.key)(tool) {
                Some(key) => self.ask(&key, tool).await,
                None => Ok(HealthPermit::default()),
            }
        })
    }

    fn report(&self, tool: &str, permit: HealthPermit, end: HealthEnd) {
        let Some(key) = (self.key)(tool).filter(|_| !self.is_silent()) else { return };
        let this = self.clone();
        (self.spawn)(Box::pin(async move {
            // Nobody waits for this answer. If there is none, the next calls do not ask.
            let _ = this.send(path(&key, "report/send"), &EndedCall { permit, end }).await;
        }));
    }
}

impl fmt::Debug for IngressHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IngressHealth").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Returns the path of a handler, with the key percent-encoded.
fn path(key: &str, handler: &str) -> String {
    let mut path = String::from("/ToolHealth/");
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') {
            path.push(byte.into());
        } else {
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path + "/" + handler
}
