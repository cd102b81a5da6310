//! The run of a proxy: connects a client with servers until either side has ended. [`serve`] runs one server, and each one that is started in its
//! place.
//!
//! Invariants: every request of the client is answered before the end; a server never waits for the client to send something.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::action::Received;
use crate::connection::{Connection, ToClient};
use crate::handshake::INITIALIZING;
use crate::layers::Shared;
use crate::outbox::Outbox;
#[cfg(feature = "remote")]
use crate::remote::{self, Ended};
use crate::servers::{EXITING, Server, Servers, Started, exit_code};
use crate::settings::Restart;
use crate::sync::locked;
use tool_mcp::__private_0_1_0::Lines;

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

/// Starts servers, and connects them with a client over streams.
pub(super) async fn run_servers(
    layers: &Shared,
    client: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    servers: &Servers,
    stop: impl Future<Output = ()>,
) -> io::Result<ProxyEnd> {
    let connection = Arc::new(Connection::new(Arc::clone(layers), Outbox::default(), servers.names()));
    let started = servers.start(&mut locked(layers))?;
    let serving = serve_all(Arc::clone(&connection), started);
    Ok(run_streams(&connection, client, serving, stop).await)
}

/// Connects one server over streams with a client over streams.
pub(super) async fn run_streams_only(
    layers: &Shared,
    client: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    (output, input): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
) -> ProxyEnd {
    let connection = Connection::new(Arc::clone(layers), Outbox::default(), None);
    let start = || Err(io::ErrorKind::NotConnected.into());
    let serving = serve(&connection, 0, Some(Server::Streams { output, input, process: None }), start, None);
    run_streams(&connection, client, serving, std::future::pending()).await
}

pub(super) async fn run_streams(
    connection: &Connection<Outbox>,
    (from_client, to_client): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    serving: impl Future<Output = Option<i32>>,
    stop: impl Future<Output = ()>,
) -> ProxyEnd {
    let mut writing = pin!(connection.client.write(to_client));
    let client = async {
        let reading = async {
            connection.read(from_client).await;
            connection.drain().await;
        };
        tokio::select! {
            () = reading => {}
            // The outbox is still open, so only an error ends the writing.
            _ = &mut writing => {}
        }
    };
    let end = run(connection, client, serving, stop).await;
    connection.client.close();
    // The client may have gone.
    let _ = timeout(EXITING, writing).await;
    end
}

/// Runs a connection until the client ends, the servers end, or `stop` is ready. Then answers the open requests of the client.
pub(super) async fn run<C: ToClient>(
    connection: &Connection<C>,
    client: impl Future<Output = ()>,
    serving: impl Future<Output = Option<i32>>,
    stop: impl Future<Output = ()>,
) -> ProxyEnd {
    let end = tokio::select! {
        code = serving => ProxyEnd::Server { code, had_requests: false },
        () = client => ProxyEnd::Client,
        never = connection.keep_time() => match never {},
        () = stop => ProxyEnd::Stopped,
    };
    let reason = if let ProxyEnd::Server { code, .. } = end {
        reason(code)
    } else {
        let mut exiting = JoinSet::new();
        for server in &connection.servers {
            let process = locked(&server.process).take();
            exiting.spawn(async move {
                let _ = exit_code(process, EXITING).await;
            });
            #[cfg(feature = "remote")]
            if let Some(ending) = locked(&server.ending).take() {
                exiting.spawn(ending);
            }
        }
        exiting.join_all().await;
        "the proxy was closed".to_owned()
    };
    let had_requests = connection.act(|layers| layers.end(&reason));
    match end {
        ProxyEnd::Server { code, .. } => ProxyEnd::Server { code, had_requests },
        end => end,
    }
}

/// Serves until all servers have ended. Returns the first exit code that is not 0.
pub(super) async fn serve_all<C: ToClient + 'static>(
    connection: Arc<Connection<C>>,
    started: Vec<Started>,
) -> Option<i32> {
    let restart = locked(&connection.layers).guard.settings.restart();
    let is_group = locked(&connection.layers).has_router();
    let mut codes = vec![Some(0); started.len()];
    let mut serving = JoinSet::new();
    for (number, Started { first, start }) in started.into_iter().enumerate() {
        let connection = Arc::clone(&connection);
        serving.spawn(async move {
            let was_started = first.is_some();
            let code = serve(&connection, number, first, start, restart).await;
            if !is_group {
                return (number, code);
            }
            if !was_started && code.is_none() {
                // The remark about its start says everything.
                return (number, Some(0));
            }
            lose(&connection, number, &reason(code));
            // The end is expected once the client has gone.
            if !connection.servers[number].outbox.is_closed() {
                let remark = format!("the server has ended: {}", reason(code));
                locked(&connection.layers).remark(number, &remark);
            }
            (number, code)
        });
    }
    while let Some(ended) = serving.join_next().await {
        if let Ok((number, code)) = ended {
            codes[number] = code;
        }
    }
    codes.into_iter().find(|code| *code != Some(0)).unwrap_or(Some(0))
}

/// The time that a server has to exit once it has closed its output.
const EXITED: Duration = Duration::from_millis(500);
/// The time after which a server that ends has all attempts to be restarted again.
const HEALTHY: Duration = Duration::from_secs(60);

/// Returns the reason for the end of a server, given its exit code.
pub(super) fn reason(code: Option<i32>) -> String {
    code.map_or_else(|| "it closed its output".to_owned(), |code| format!("its exit code is {code}"))
}

/// Connects the first server with a number, and after it each restarted server, until the server is not restarted again. Without a first server,
/// begins with a restart. Returns the exit code of the last connected server.
pub(super) async fn serve<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    connection: &Connection<impl ToClient>,
    number: usize,
    first: Option<Server<R, W>>,
    mut start: impl FnMut() -> io::Result<Server<R, W>>,
    #[cfg_attr(not(feature = "remote"), expect(unused_mut, reason = "a remote server changes it"))] mut restart: Option<
        Restart,
    >,
) -> Option<i32> {
    let end = &connection.servers[number];
    let log = |remark: &str| locked(&connection.layers).remark(number, remark);
    let mut running = first;
    let (mut attempt, mut code) = (0, None);
    let mut reason_of_end = "it could not be started".to_owned();
    loop {
        if let Some(server) = running.take() {
            let begun = Instant::now();
            let has_agreed = match server {
                Server::Streams { output, input, process } => {
                    *locked(&end.process) = process;
                    let has_agreed = connect(connection, number, (output, input), attempt > 0).await;
                    let process = locked(&end.process).take();
                    let exited = exit_code(process, EXITED).await;
                    if has_agreed {
                        code = exited;
                        reason_of_end = reason(code);
                    }
                    has_agreed
                }
                #[cfg(feature = "remote")]
                Server::Remote(server) => {
                    restart = Some(Restart::endless(restart));
                    match Box::pin(remote::connect(&server, connection, number, attempt > 0)).await {
                        Ended::Closed => return Some(0),
                        Ended::Lost(reason) => {
                            reason.trim_end_matches('.').clone_into(&mut reason_of_end);
                            true
                        }
                        Ended::Disagreed => false,
                    }
                }
            };
            if !has_agreed {
                log("the restarted server did not repeat the handshake");
            } else if begun.elapsed() >= HEALTHY {
                attempt = 0;
            }
        }
        let is_wanted = !end.outbox.is_closed();
        let pause = restart.filter(|_| is_wanted).and_then(|restart| restart.pause_before(attempt));
        let Some(pause) = pause else { return code };
        lose(connection, number, &reason_of_end);
        log(&format!("the server has ended: {reason_of_end}; the next attempt follows in {pause:?}"));
        sleep(pause).await;
        attempt += 1;
        running = start().map_err(|error| log(&format!("the server cannot be started: {error}"))).ok();
    }
}

/// Drops what waits for a server that has ended, and answers its open requests.
pub(super) fn lose(connection: &Connection<impl ToClient>, number: usize, reason: &str) {
    connection.act(|layers| {
        connection.servers[number].outbox.clear();
        layers.lose(number, reason);
    });
}

/// Exchanges messages with one server until it ends. A restarted server must repeat the handshake; returns `false` if it does not.
async fn connect(
    connection: &Connection<impl ToClient>,
    number: usize,
    (output, input): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    is_restarted: bool,
) -> bool {
    let is_running = || locked(&connection.layers).is_running(number);
    let limit = locked(&connection.layers).guard.settings.message_limit;
    let mut lines = Lines::new(output, limit);
    // The writer is dropped at its end, which closes the input of the server.
    let mut writing = pin!(connection.servers[number].outbox.write(input));
    let mut reading = pin!(async {
        if is_restarted {
            connection.repeat_handshake(number);
            let agreeing = async { while !is_running() && read_line(connection, number, &mut lines).await {} };
            let _ = timeout(INITIALIZING, agreeing).await;
            if !is_running() {
                return;
            }
        }
        while read_line(connection, number, &mut lines).await {}
    });
    tokio::select! {
        () = &mut reading => {}
        written = &mut writing => match written {
            Ok(()) => reading.await,
            // A server that does not read its input has ended, or will not answer.
            Err(_) => drop(timeout(EXITED, reading).await),
        }
    }
    is_running()
}

/// Reads a line of the server. Returns `false` at the end, or if a restarted server does not accept the protocol version of the handshake. Room for the lines that the server causes to itself is not waited for: a server
/// that waits until its output is read may read nothing.
async fn read_line<R: AsyncRead + Unpin>(
    connection: &Connection<impl ToClient>,
    number: usize,
    lines: &mut Lines<R>,
) -> bool {
    connection.client.room().await;
    let limit = lines.max_line_bytes();
    let Some(received) = Received::of(lines.next().await, limit) else { return false };
    connection.receive(number, received)
}
