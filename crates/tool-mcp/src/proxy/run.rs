//! The connection between a client and a server: reads the lines of both, and writes what [`Guard`] decides.
//!
//! Invariants: the server never waits for the client to send something; every request of the client is answered before the end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Child;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::fate::{Broken, Sent, Side};
use super::guard::Guard;
use super::outbox::Outbox;
use crate::client::lines::{Line, Lines};

/// The time that the server has to exit once its input is closed, or the client to receive the last answers.
const EXITING: Duration = Duration::from_secs(2);
/// The time for which a server without input may still answer open requests.
const ANSWERING: Duration = Duration::from_secs(60);
/// The time that a server has to exit once it has closed its output.
const EXITED: Duration = Duration::from_millis(500);

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

/// The streams of a connection and the process of its server.
pub(super) struct Streams<CR, CW, SR, SW> {
    pub(super) from_client: CR,
    pub(super) to_client: CW,
    pub(super) from_server: SR,
    pub(super) to_server: SW,
    pub(super) child: Option<Child>,
}

pub(super) type Shared = Arc<Mutex<Guard>>;

/// Connects both sides until one of them ends, or `stop` does.
pub(super) async fn run<CR, CW, SR, SW>(
    guard: &Shared,
    streams: Streams<CR, CW, SR, SW>,
    stop: impl Future<Output = ()>,
) -> ProxyEnd
where
    CR: AsyncRead + Unpin,
    CW: AsyncWrite + Unpin,
    SR: AsyncRead + Unpin,
    SW: AsyncWrite + Unpin,
{
    let Streams { from_client, to_client, from_server, to_server, mut child } = streams;
    let limit = locked(guard).message_limit();
    let (client_box, server_box, timer) = (Outbox::default(), Outbox::default(), Timer::default());
    let mut writing = pin!(client_box.write(to_client));
    let end = {
        let from_client = async {
            read_client(guard, Lines::new(from_client, limit), &timer, &client_box, &server_box).await;
            server_box.close();
        };
        // The writer is dropped at its end, which closes the input of the server.
        let client_side = async {
            let mut writing = pin!(server_box.write(to_server));
            let written = tokio::select! {
                written = &mut writing => written,
                () = from_client => writing.await,
            };
            if written.is_err() {
                // A server that does not read its input has ended, or will not answer.
                sleep(EXITED).await;
                return ProxyEnd::Server { code: None, had_requests: false };
            }
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
            () = read_server(guard, Lines::new(from_server, limit), &client_box, &server_box) => {
                ProxyEnd::Server { code: None, had_requests: false }
            }
            end = client_side => end,
            never = timer.run(guard, &client_box, &server_box) => match never {},
            // The outbox is still open, so only an error ends the writing.
            _ = &mut writing => ProxyEnd::Client,
            () = stop => ProxyEnd::Stopped,
        }
    };
    let code = exit_code(child.as_mut(), end).await;
    let reason = match (end, code) {
        (ProxyEnd::Server { .. }, Some(code)) => format!("its exit code is {code}"),
        (ProxyEnd::Server { .. }, None) => "it closed its output".to_owned(),
        _ => "the proxy was closed".to_owned(),
    };
    let (Sent { to_client, .. }, had_requests) = locked(guard).end(&reason);
    client_box.push(to_client);
    client_box.close();
    // The client may have gone.
    let _ = timeout(EXITING, writing).await;
    match end {
        ProxyEnd::Server { .. } => ProxyEnd::Server { code, had_requests },
        end => end,
    }
}

/// Waits until the process has exited; kills it if that takes too long.
async fn exit_code(child: Option<&mut Child>, end: ProxyEnd) -> Option<i32> {
    let child = child?;
    let patience = if matches!(end, ProxyEnd::Server { .. }) { EXITED } else { EXITING };
    if let Ok(status) = timeout(patience, child.wait()).await {
        return status.ok()?.code();
    }
    let _ = child.kill().await;
    None
}

async fn read_client<R: AsyncRead + Unpin>(
    guard: &Shared,
    mut lines: Lines<R>,
    timer: &Timer,
    to_client: &Outbox,
    to_server: &Outbox,
) {
    let too_long = too_long(guard);
    loop {
        to_server.room().await;
        to_client.room().await;
        let sent = match lines.next().await {
            Line::Whole(line) => locked(guard).client_line(line),
            Line::TooLongRequest(id) => locked(guard).broken(Side::Client, Broken::Request(id), &too_long),
            Line::TooLong(id) => locked(guard).broken(Side::Client, Broken::Answer(id), &too_long),
            Line::End => return,
        };
        to_client.push(sent.to_client);
        to_server.push(sent.to_server);
        timer.set(locked(guard).deadline());
    }
}

/// Reads the server. Room for the lines that it causes to itself is not waited for: a server that waits until its output is read may read
/// nothing.
async fn read_server<R: AsyncRead + Unpin>(
    guard: &Shared,
    mut lines: Lines<R>,
    to_client: &Outbox,
    to_server: &Outbox,
) {
    let too_long = too_long(guard);
    loop {
        to_client.room().await;
        let sent = match lines.next().await {
            Line::Whole(line) => locked(guard).server_line(line),
            Line::TooLongRequest(id) => locked(guard).broken(Side::Server, Broken::Request(id), &too_long),
            Line::TooLong(id) => locked(guard).broken(Side::Server, Broken::Answer(id), &too_long),
            Line::End => return,
        };
        to_client.push(sent.to_client);
        to_server.push(sent.to_server);
    }
}

/// Ends the waiting of the guard that has taken too long.
#[derive(Default)]
struct Timer {
    /// The time at which the timer acts.
    at: Mutex<Option<Instant>>,
    /// Notified when that time is earlier than before.
    changed: Notify,
}

impl Timer {
    /// Sets the time at which the timer acts, unless it acts before.
    fn set(&self, at: Option<Instant>) {
        let mut own = self.at();
        if at.is_some_and(|at| own.is_none_or(|before| at < before)) {
            *own = at;
            self.changed.notify_one();
        }
    }

    fn at(&self) -> MutexGuard<'_, Option<Instant>> {
        // No code under the lock can panic.
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, guard: &Shared, to_client: &Outbox, to_server: &Outbox) -> Infallible {
        loop {
            let at = *self.at();
            match at {
                None => self.changed.notified().await,
                Some(at) => tokio::select! {
                    () = self.changed.notified() => {}
                    () = sleep_until(at) => {
                        let mut guard = locked(guard);
                        let sent = guard.expire(at);
                        *self.at() = guard.deadline();
                        drop(guard);
                        to_client.push(sent.to_client);
                        to_server.push(sent.to_server);
                    }
                },
            }
        }
    }
}

fn too_long(guard: &Shared) -> String {
    format!("The message has more than {} bytes.", locked(guard).message_limit())
}

pub(super) fn locked(guard: &Shared) -> MutexGuard<'_, Guard> {
    // A panic under the lock ends the proxy anyway.
    guard.lock().unwrap_or_else(PoisonError::into_inner)
}
