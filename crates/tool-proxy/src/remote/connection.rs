//! The exchange of messages with a remote server, until it ends: [`connect`].
//!
//! Each request of the client is an HTTP request of its own, and they run at the same time.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{AbortHandle, AbortRegistration, Abortable};
use futures_util::stream::FuturesUnordered;
use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};
use tool_mcp::__private_0_1_0::Line;

use crate::action::{Broken, Received, Unusable};
use crate::connection::{Connection, ToClient};
use crate::frame::{Answer, Frame, Message};
use crate::handshake::INITIALIZING;
use crate::http_upstream::HttpUpstream;
use crate::members::{VERSION, cancelled, meta};
use crate::own_messages::{lost, unsent};
use crate::remote::client::{Failure, FailureKind, PostAnswer, RemoteClient};
use crate::remote::events::{Event, Events};
use crate::request_table::Table;
use crate::sync::locked;

/// The time that a server has to accept a message that gets no answer, or to begin a stream.
pub(super) const ACCEPTING: Duration = Duration::from_secs(10);
/// The shortest and the longest pause before a stream is read again that has ended.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// The time after which a stream that ends is read again without a longer pause.
const HEALTHY: Duration = Duration::from_secs(10);
/// The most attempts to read the rest of a stream that has broken off before the answer.
const RESUMPTIONS: usize = 5;

/// The largest number of messages that the server has not answered or accepted. Further ones wait.
const MOST_RUNNING: usize = 1_000;

/// The reason for the end of an exchange.
pub(crate) enum Ended {
    /// The proxy has closed it.
    Closed,
    /// The server is not usable at the moment.
    Lost(String),
    /// The restarted server has not accepted the handshake.
    Disagreed,
}

/// Exchanges messages with a server until the outbox is closed, or the server cannot be used. `is_repeated` is `true` if the client has finished its
/// handshake with an earlier exchange.
pub(crate) async fn connect<C: ToClient>(
    remote: &HttpUpstream,
    connection: &Connection<C>,
    number: usize,
    is_repeated: bool,
) -> Ended {
    let limit = locked(&connection.layers).guard.settings.message_limit;
    let client = match RemoteClient::new(remote, limit) {
        Ok(client) => client,
        Err(error) => return Ended::Lost(error.to_string()),
    };
    let exchange = RemoteConnection {
        client,
        connection,
        number,
        is_rejected: Notify::new(),
        renewing: tokio::sync::Mutex::default(),
        stream: Mutex::default(),
        listening: Notify::new(),
    };
    exchange.run(is_repeated).await
}

pub(super) struct RemoteConnection<'c, C> {
    pub(super) client: RemoteClient,
    pub(super) connection: &'c Connection<C>,
    pub(super) number: usize,
    /// Notified when the repeated handshake was rejected.
    is_rejected: Notify,
    pub(super) renewing: tokio::sync::Mutex<()>,
    /// A stream that is to be read, and that has begun already.
    pub(super) stream: Mutex<Option<Events>>,
    /// Notified when messages that belong to no request are to be read.
    pub(super) listening: Notify,
}

impl<C: ToClient> RemoteConnection<'_, C> {
    async fn run(&self, is_repeated: bool) -> Ended {
        if is_repeated {
            self.connection.repeat_handshake(self.number);
        }
        let mut disagreed = std::pin::pin!(async {
            let _ = timeout(INITIALIZING, self.is_rejected.notified()).await;
            if locked(&self.connection.layers).is_running(self.number) {
                std::future::pending::<()>().await;
            }
        });
        let outbox = &self.connection.servers[self.number].outbox;
        let (mut running, mut open) = (FuturesUnordered::new(), Table::<RequestId, AbortHandle>::default());
        let mut listening = std::pin::pin!(async {
            self.listening.notified().await;
            self.listen().await
        });
        loop {
            let frame = tokio::select! {
                frame = outbox.next(), if running.len() < MOST_RUNNING => frame,
                Some(ended) = running.next(), if !running.is_empty() => {
                    let ended: Option<RequestId> = ended;
                    ended.map(|id| open.remove(&id));
                    continue;
                }
                ended = &mut listening => return ended,
                () = &mut disagreed => return Ended::Disagreed,
            };
            let Some(frame) = frame else { break };
            outbox.written(frame.line().len());
            let (abort, registration) = AbortHandle::new_pair();
            match frame.message() {
                Message::Request { method: "initialize", .. } => {
                    if let Err(ended) = self.begin(&frame).await {
                        return ended;
                    }
                    continue;
                }
                // Without a session, a request is cancelled by closing its response.
                Message::Request { id, params, .. } if meta(params, VERSION).is_some() => drop(open.insert(id, abort)),
                Message::Notification { method: "notifications/initialized", .. } => {
                    self.send_unanswered(&frame).await;
                    locked(&self.client.session).initialized = Some(frame);
                    self.listening.notify_one();
                    continue;
                }
                Message::Notification { method: "notifications/cancelled", params } => {
                    if let Some(request) = cancelled(params).and_then(|id| open.remove(&id)) {
                        request.abort();
                        continue;
                    }
                }
                _ => {}
            }
            running.push(self.task(frame, registration));
        }
        while running.next().await.is_some() {}
        let ending = locked(&self.connection.servers[self.number].ending).take();
        if let Some(ending) = ending {
            ending.await;
        }
        Ended::Closed
    }

    /// Sends a message, and passes on what the server answers. Returns the id of a request.
    async fn task(&self, frame: Frame, registration: AbortRegistration) -> Option<RequestId> {
        let Message::Request { id, .. } = frame.message() else {
            self.send_unanswered(&frame).await;
            return None;
        };
        let request = async {
            let posted = self.in_session(|| self.client.post(&frame)).await;
            self.answer(&frame, posted).await;
        };
        let _ = Abortable::new(request, registration).await;
        Some(id)
    }

    /// Sends a message that gets no answer.
    async fn send_unanswered(&self, frame: &Frame) {
        if let Err(failure) = self.in_session(|| self.client.post_within(ACCEPTING, frame)).await {
            self.remark(&failure.text);
        }
    }

    /// Sends a message, and once more in a new session if the server does not know the current one.
    async fn in_session<P: Future<Output = Result<PostAnswer, Failure>>>(
        &self,
        post: impl Fn() -> P,
    ) -> Result<PostAnswer, Failure> {
        match post().await {
            Err(Failure { kind: FailureKind::Expired(generation), .. }) => {
                self.renew(generation).await?;
                post().await
            }
            posted => posted,
        }
    }

    pub(super) async fn answer(&self, request: &Frame, posted: Result<PostAnswer, Failure>) {
        let Message::Request { id, .. } = request.message() else { return };
        let answered = match posted {
            Ok(PostAnswer::Json(line)) => {
                let is_answer = self.deliver(Line::Whole(line), Some(&id)).await;
                if is_answer { Ok(()) } else { Err(self.client.lost("answered with something else than a response")) }
            }
            Ok(PostAnswer::TooLong) => {
                self.deliver(Line::TooLong(id.clone()), Some(&id)).await;
                Ok(())
            }
            Ok(PostAnswer::Events(events)) => self.events(events, &id).await,
            // The answer comes on the stream of the older transport.
            Ok(PostAnswer::Nothing) if locked(&self.client.session).endpoint.is_some() => Ok(()),
            Ok(PostAnswer::Nothing) => Err(self.client.lost("accepted the request, but did not answer it")),
            Err(failure) => Err(failure),
        };
        if let Err(Failure { kind, text }) = answered {
            let frame = if let FailureKind::Lost = kind { lost(&id, &text) } else { unsent(&id, &text) };
            self.act(Received::Frame(frame)).await;
        }
    }

    /// Reads the stream of a request until its answer. The rest of a stream that ends before it is requested, if the server allows that.
    async fn events(&self, mut events: Events, id: &RequestId) -> Result<(), Failure> {
        let (mut last, mut pause) = (None, PAUSES.0);
        for _ in 0..=RESUMPTIONS {
            while let Some(Event { id: event, retry, data, .. }) = events.next().await {
                last = event.or(last).filter(|id| !id.is_empty());
                pause = retry.map_or(pause, |retry| retry.min(PAUSES.1));
                if let Some(data) = data
                    && self.deliver(data, Some(id)).await
                {
                    return Ok(());
                }
            }
            let Some(last) = last.as_deref() else { break };
            sleep(pause).await;
            match self.client.listen(Some(last)).await {
                Ok(Some(rest)) => events = rest,
                Ok(None) => break,
                Err(_) => {}
            }
        }
        Err(self.client.lost("ended the stream before the answer"))
    }

    /// Passes a message on. Returns `true` if it is the answer to the request with this id.
    async fn deliver(&self, line: Line, id: Option<&RequestId>) -> bool {
        let is_blank = matches!(&line, Line::Whole(line) if line.trim_ascii().is_empty());
        let Some(received) = Received::of(line, self.client.limit).filter(|_| !is_blank) else { return false };
        let answered = match &received {
            Received::Frame(frame) => match frame.message() {
                Message::Response { id, answer } => {
                    if let Answer::Result(result) = answer {
                        self.learn(result);
                    }
                    Some(id)
                }
                _ => None,
            },
            Received::Unusable(Unusable { broken: Broken::Answer(id), .. }) => Some(id.clone()),
            Received::Batch(_) | Received::Unusable(_) => None,
        };
        let is_answer = answered.is_some() && answered.as_ref() == id;
        self.act(received).await;
        is_answer
    }

    /// Notes what later requests need of a result.
    fn learn(&self, result: &str) {
        locked(&self.client.tools).learn(result);
        let mut session = locked(&self.client.session);
        if session.initialize.is_some() && session.version.is_none() {
            session.set_version(result);
        }
    }

    pub(super) async fn act(&self, received: Received) {
        self.connection.client.room().await;
        if !self.connection.receive(self.number, received) {
            self.is_rejected.notify_one();
        }
    }

    pub(super) fn remark(&self, text: &str) {
        locked(&self.connection.layers).remark(self.number, text);
    }

    /// Reads the messages that belong to no request, until they cannot be read any more.
    async fn listen(&self) -> Ended {
        let (mut last, mut pause) = (None, PAUSES.0);
        let mut session = locked(&self.client.session).generation;
        let begun = locked(&self.stream).take();
        let is_only = begun.is_some();
        let mut next = Ok(begun);
        if !is_only {
            next = self.client.listen(None).await;
        }
        loop {
            let since = Instant::now();
            match next {
                Ok(Some(mut events)) => {
                    while let Some(Event { id, retry, data, .. }) = events.next().await {
                        last = id.or(last).filter(|id| !id.is_empty());
                        pause = retry.map_or(pause, |retry| retry.clamp(PAUSES.0, PAUSES.1));
                        if let Some(data) = data {
                            self.deliver(data, None).await;
                        }
                    }
                    if is_only {
                        return Ended::Lost("it has ended the stream of its messages".to_owned());
                    }
                }
                // The server has no such messages.
                Ok(None) => return std::future::pending().await,
                Err(Failure { kind: FailureKind::Expired(generation), .. }) => drop(self.renew(generation).await),
                Err(_) => {}
            }
            sleep(pause).await;
            pause = if since.elapsed() >= HEALTHY { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
            // Another session does not know the events of this one.
            let current = locked(&self.client.session).generation;
            if current != session {
                (session, last) = (current, None);
            }
            next = self.client.listen(last.as_deref()).await;
        }
    }
}
