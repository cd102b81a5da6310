//! The run of a proxy: connects a client with a server, and with each one that is started in its place.
//!
//! Invariants: the server never waits for the client to send something; every request of the client is answered before the end.

use std::io;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep, timeout};

use super::connection::{Connection, Shared, locked};
use super::fate::Sent;
use super::reading::{keep_time, read_client, read_server, server_line};
use super::settings::Restart;
use crate::client::lines::Lines;

/// The time that the server has to exit once its input is closed, or the client to receive the last answers.
const EXITING: Duration = Duration::from_secs(2);
/// The time for which a server without input may still answer open requests.
const ANSWERING: Duration = Duration::from_secs(60);
/// The time that a server has to exit once it has closed its output.
const EXITED: Duration = Duration::from_millis(500);

/// The time that a restarted server has for the handshake.
const INITIALIZING: Duration = Duration::from_secs(30);
/// The time after which a server that ends has all attempts to be restarted again.
const HEALTHY: Duration = Duration::from_secs(60);

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

/// The streams of a server, and its process if it has one.
pub(super) struct Server<R, W> {
    pub(super) output: R,
    pub(super) input: W,
    pub(super) child: Option<Child>,
}

/// Starts a process as a server.
pub(super) fn started(command: &mut Command) -> io::Result<Server<ChildStdout, ChildStdin>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
    let (output, input) = (child.stdout.take().ok_or_else(missing)?, child.stdin.take().ok_or_else(missing)?);
    Ok(Server { output, input, child: Some(child) })
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
    let limit = locked(guard).message_limit();
    let connection = Connection::default();
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
            code = serve(guard, first, start, restart, &connection) => ProxyEnd::Server { code, had_requests: false },
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
        exit_code(connection.take_child(), EXITING).await;
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

fn reason(code: Option<i32>) -> String {
    code.map_or_else(|| "it closed its output".to_owned(), |code| format!("its exit code is {code}"))
}

/// Connects the first server, and after it each restarted server, until the server is not restarted again. Returns the exit code of the
/// last connected server.
async fn serve<SR: AsyncRead + Unpin, SW: AsyncWrite + Unpin>(
    guard: &Shared,
    first: Server<SR, SW>,
    mut start: impl FnMut() -> io::Result<Server<SR, SW>>,
    restart: Option<Restart>,
    connection: &Connection,
) -> Option<i32> {
    let limit = locked(guard).message_limit();
    let Server { output, mut input, child } = first;
    connection.set_child(child);
    let mut lines = Lines::new(output, limit);
    let mut attempt = 0;
    loop {
        let begun = Instant::now();
        connect(guard, &mut lines, input, connection).await;
        if begun.elapsed() >= HEALTHY {
            attempt = 0;
        }
        let code = exit_code(connection.take_child(), EXITED).await;
        (lines, input) = loop {
            let is_wanted = !connection.to_server.is_closed();
            let pause = restart.filter(|_| is_wanted).and_then(|restart| restart.pause_before(attempt));
            let Some(pause) = pause else { return code };
            let sent = locked(guard).lose_server(&reason(code));
            connection.to_server.clear();
            connection.push(sent);
            locked(guard).log(&format!("the server has ended: {}; it is started again in {pause:?}", reason(code)));
            sleep(pause).await;
            attempt += 1;
            let server = match start() {
                Ok(server) => server,
                Err(error) => {
                    locked(guard).log(&format!("the server cannot be started: {error}"));
                    continue;
                }
            };
            let Server { output, mut input, child } = server;
            connection.set_child(child);
            let mut lines = Lines::new(output, limit);
            let repeated = timeout(INITIALIZING, repeat_handshake(guard, &mut lines, &mut input, connection)).await;
            if let Ok(Ok(true)) = repeated {
                break (lines, input);
            }
            locked(guard).log("the restarted server did not repeat the handshake");
            drop(input);
            exit_code(connection.take_child(), EXITED).await;
        };
    }
}

/// Exchanges messages with one server until it ends.
async fn connect<R: AsyncRead + Unpin>(
    guard: &Shared,
    lines: &mut Lines<R>,
    input: impl AsyncWrite + Unpin,
    connection: &Connection,
) {
    let mut reading = pin!(read_server(guard, lines, connection));
    // The writer is dropped at its end, which closes the input of the server.
    let mut writing = pin!(connection.to_server.write(input));
    let written = tokio::select! {
        () = &mut reading => return,
        written = &mut writing => written,
    };
    match written {
        Ok(()) => reading.await,
        // A server that does not read its input has ended, or will not answer.
        Err(_) => drop(timeout(EXITED, reading).await),
    }
}

/// Repeats the handshake of the client with a restarted server. Returns `false` if the server does not accept the same protocol revision or
/// ends.
async fn repeat_handshake<R: AsyncRead + Unpin>(
    guard: &Shared,
    lines: &mut Lines<R>,
    input: &mut (impl AsyncWrite + Unpin),
    connection: &Connection,
) -> io::Result<bool> {
    let request = locked(guard).repeat_handshake();
    if let Some(request) = request {
        input.write_all(format!("{request}\n").as_bytes()).await?;
        input.flush().await?;
        let has_agreed = loop {
            if let Some(has_agreed) = locked(guard).repeated_handshake() {
                break has_agreed;
            }
            connection.to_client.room().await;
            match server_line(guard, lines, connection).await {
                Some(sent) => connection.push(sent),
                None => return Ok(false),
            }
        };
        if !has_agreed {
            return Ok(false);
        }
    }
    let Sent { to_client, to_server } = locked(guard).restarted();
    for line in to_server {
        input.write_all(format!("{line}\n").as_bytes()).await?;
    }
    input.flush().await?;
    connection.to_client.push(to_client);
    Ok(true)
}

/// Waits until a process has exited; kills it if that takes too long.
async fn exit_code(child: Option<Child>, patience: Duration) -> Option<i32> {
    let mut child = child?;
    if let Ok(status) = timeout(patience, child.wait()).await {
        return status.ok()?.code();
    }
    let _ = child.kill().await;
    None
}
