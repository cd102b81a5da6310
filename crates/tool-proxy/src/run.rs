//! The run of a proxy: connects a client with a server, and with each one that is started in its place.
//!
//! Invariant: every request of the client is answered before the end.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};

use super::connection::{Connection, Shared, locked};
use super::fate::{Broken, Sent, Side};
use super::outbox::Outbox;
use super::process::{EXITING, Process, Server, exit_code};
use super::reading::{keep_time, read_client};
use super::serving::{Link, reason, serve};
use super::settings::Restart;
use tool_mcp::__private_0_1_0::{Line, Lines};

/// The time for which a server without input may still answer open requests.
pub(super) const ANSWERING: Duration = Duration::from_secs(60);

/// The reason for the end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyEnd {
    /// The client closed its side.
    Client,
    /// The server ended by itself.
    Server {
        /// The exit code of the server's process, if it has one.
        code: Option<i32>,
        /// `true` if the server left requests unanswered. The proxy has answered them with errors.
        had_requests: bool,
    },
    /// The host stopped the proxy.
    Stopped,
}

/// Starts a server and connects both sides until one of them ends, or `stop` does. Fails if the server cannot be started.
pub(super) async fn run<SR: AsyncRead + Unpin, SW: AsyncWrite + Unpin>(
    guard: &Shared,
    (from_client, to_client): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    mut start: impl FnMut() -> io::Result<Server<SR, SW>>,
    restart: Option<Restart>,
    stop: impl Future<Output = ()>,
) -> io::Result<ProxyEnd> {
    let first = start()?;
    // Several servers restart their members themselves.
    let restart = restart.filter(|_| !matches!(first.process, Some(Process::Group(_))));
    let limit = locked(guard).message_limit();
    let connection = Connection::default();
    let link = Direct { guard, connection: &connection };
    let mut writing = pin!(connection.to_client.write(to_client));
    let end = {
        let client_side = async {
            read_client(guard, Lines::new(from_client, limit), &connection).await;
            connection.to_server.close();
            let answered = async {
                while locked(guard).has_requests() {
                    sleep(EXITING).await;
                }
            };
            let _ = timeout(ANSWERING, answered).await;
            sleep(EXITING).await;
            ProxyEnd::Client
        };
        tokio::select! {
            code = serve(&link, Some(first), start, restart) => ProxyEnd::Server { code, had_requests: false },
            end = client_side => end,
            never = keep_time(guard, &connection) => match never {},
            // The outbox is still open, so only an error ends the writing.
            _ = &mut writing => ProxyEnd::Client,
            () = stop => ProxyEnd::Stopped,
        }
    };
    let reason = if let ProxyEnd::Server { code, .. } = end {
        reason(code)
    } else {
        exit_code(connection.take_process(), EXITING).await;
        "the proxy was closed".to_owned()
    };
    let (Sent { to_client, .. }, had_requests) = locked(guard).end(&reason);
    connection.to_client.push(to_client);
    connection.to_client.close();
    // The client may have gone.
    let _ = timeout(EXITING, writing).await;
    Ok(match end {
        ProxyEnd::Server { code, .. } => ProxyEnd::Server { code, had_requests },
        end => end,
    })
}

/// The connection of a server with the guard.
struct Direct<'c> {
    guard: &'c Shared,
    connection: &'c Connection,
}

impl Link for Direct<'_> {
    fn to_server(&self) -> &Outbox {
        &self.connection.to_server
    }

    fn to_client(&self) -> &Outbox {
        &self.connection.to_client
    }

    fn message_limit(&self) -> usize {
        locked(self.guard).message_limit()
    }

    fn log(&self, remark: &str) {
        locked(self.guard).log(remark);
    }

    fn set_process(&self, process: Option<Process>) {
        self.connection.set_process(process);
    }

    fn take_process(&self) -> Option<Process> {
        self.connection.take_process()
    }

    fn receive(&self, line: Line) {
        let mut guard = locked(self.guard);
        let sent = match line {
            Line::Whole(line) => guard.server_line(line),
            Line::TooLongRequest(id) => guard.too_long(Side::Server, Broken::Request(id)),
            Line::TooLong(id) => guard.too_long(Side::Server, Broken::Answer(id)),
            Line::TooLongOther => guard.too_long(Side::Server, Broken::Other),
            Line::End => return,
        };
        // The list of tools lets waiting calls begin.
        self.connection.timer.set(guard.deadline());
        drop(guard);
        self.connection.push(sent);
    }

    fn lose(&self, reason: &str) {
        let sent = locked(self.guard).lose_server(reason);
        self.connection.to_server.clear();
        self.connection.push(sent);
    }

    fn handshake(&self) -> Option<String> {
        locked(self.guard).repeat_handshake()
    }

    fn has_agreed(&self) -> Option<bool> {
        locked(self.guard).repeated_handshake()
    }

    fn restarted(&self) -> Vec<String> {
        let Sent { to_client, to_server } = locked(self.guard).restarted();
        self.connection.to_client.push(to_client);
        to_server
    }
}
