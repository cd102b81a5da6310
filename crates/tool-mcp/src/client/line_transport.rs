//! A transport with one message per line: [`LineTransport`], for child processes and for streams of the host.
//!
//! rmcp has such a transport too, but it drops lines that are too long or not a message, so that a request whose response is dropped never
//! ends.
//!
//! Invariants: every response of the server ends its request, even if the response is invalid or too long. If the server does not receive a
//! message in time, the connection ends. Memory is bounded, whatever the server sends.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::process::Child;
use tokio::sync::Mutex;
use tool_runtime::clock::Clock;

use super::id_search::IdSearch;
use super::lines::{Line, Lines};
use super::shared_connection_state::ConnectionState;
use crate::unsent_messages::UnsentMessages;

pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// The code of the error that replaces a response that is too long. It is outside of the ranges of JSON-RPC and of the protocol.
pub(super) const TOO_LONG: ErrorCode = ErrorCode(7_001);
/// The code of the error that replaces a response that is not valid.
pub(super) const UNREADABLE: ErrorCode = ErrorCode(7_002);

/// The maximum time in which a server has to receive one message.
const SENDING: Duration = Duration::from_secs(30);
/// The maximum time in which a process has to exit once its input is closed.
const EXITING: Duration = Duration::from_secs(2);
/// The maximum time in which a process has to exit once it has closed its output.
const EXITED: Duration = Duration::from_millis(200);

/// A transport over lines.
pub(super) struct LineTransport {
    lines: Lines<Reader>,
    writer: Arc<Mutex<Option<Writer>>>,
    child: Option<Child>,
    backlog: UnsentMessages,
    events: Arc<ConnectionState>,
    clock: Arc<dyn Clock>,
}

impl LineTransport {
    pub(super) fn new(
        (reader, writer): (Reader, Writer),
        child: Option<Child>,
        limit: usize,
        events: Arc<ConnectionState>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let (lines, writer) = (Lines::new(reader, limit), Arc::new(Mutex::new(Some(writer))));
        Self { lines, writer, child, backlog: UnsentMessages::new(), events, clock }
    }

    async fn next_message(&mut self) -> Option<ServerJsonRpcMessage> {
        self.backlog.has_room().await;
        loop {
            match self.lines.next().await {
                Line::Whole(line) => {
                    if let Some(message) = parsed(&line) {
                        return Some(message);
                    }
                }
                Line::TooLong(id) => return Some(ServerJsonRpcMessage::error(replaced(TOO_LONG), Some(id))),
                Line::TooLongRequest(_) | Line::TooLongOther => {}
                Line::End => return None,
            }
        }
    }

    /// Returns the reason for the end of the stream.
    async fn reason(&mut self) -> String {
        let Some(child) = &mut self.child else { return "the stream ended".to_owned() };
        // When a process exits, its output is closed a little earlier, so wait for its exit status.
        match tokio::time::timeout(EXITED, child.wait()).await {
            Ok(Ok(status)) => format!("the process has exited ({status})"),
            _ => "the process closed its output".to_owned(),
        }
    }
}

/// Parses a line. Text that is not a message is ignored. An invalid response is replaced by an error for its request.
fn parsed(line: &[u8]) -> Option<ServerJsonRpcMessage> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    serde_json::from_slice(line).ok().or_else(|| {
        let mut search = IdSearch::default();
        search.feed(line);
        search.response_id().map(|id| ServerJsonRpcMessage::error(replaced(UNREADABLE), Some(id)))
    })
}

/// Returns the error that replaces a response that cannot be used.
pub(super) fn replaced(code: ErrorCode) -> ErrorData {
    let message = if code == TOO_LONG { "the response is too long" } else { "the response is not valid" };
    ErrorData::new(code, message, None)
}

impl Transport<RoleClient> for LineTransport {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (writer, events, clock) = (Arc::clone(&self.writer), Arc::clone(&self.events), Arc::clone(&self.clock));
        // The requests of the host are not counted: a server may answer them before it receives the next one.
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let counted = is_answer.then(|| self.backlog.add());
        async move {
            let _counted = counted;
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let written = async {
                let mut writer = writer.lock().await;
                let writer = writer.as_mut().ok_or(io::ErrorKind::NotConnected)?;
                writer.write_all(&line).await?;
                writer.flush().await
            };
            let result = tokio::select! {
                biased;
                result = written => result,
                () = clock.sleep(SENDING) => Err(io::ErrorKind::TimedOut.into()),
            };
            // Part of the line may have been sent, so no other message can follow.
            result.inspect_err(|error| events.end(format!("the server does not receive messages: {error}")))
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let events = Arc::clone(&self.events);
        let message = tokio::select! {
            biased;
            message = self.next_message() => message,
            _ = events.ended() => None,
        };
        if message.is_none() {
            let reason = self.reason().await;
            self.events.end(reason);
        }
        message
    }

    /// Closes the input of the process and waits until the process exits. Kills it if that takes too long.
    async fn close(&mut self) -> io::Result<()> {
        self.events.end("the connection was closed");
        // If a message is being sent, its future holds the lock. That future is dropped after this one, and then the input is closed.
        if let Ok(mut writer) = self.writer.try_lock() {
            drop(writer.take());
        }
        let Some(mut child) = self.child.take() else { return Ok(()) };
        match tokio::time::timeout(EXITING, child.wait()).await {
            Ok(status) => status.map(drop),
            Err(_) => child.kill().await,
        }
    }
}
