//! The run of a proxy: connects a client with servers until either side has ended.
//!
//! Invariant: every request of the client is answered before the end.

use std::io;
use std::pin::pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::commands::Servers;
use super::connection::{Connection, ToClient};
use super::layers::{Shared, locked};
use super::outbox::Outbox;
use super::process::{EXITING, Server, Started, exit_code};
use super::serving::{lose, reason, serve};

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
    let serving = serve(&connection, 0, Some(Server { output, input, process: None }), start, None);
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
            exiting.spawn(exit_code(server.take_process(), EXITING));
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
    let restart = locked(&connection.layers).guard.restart();
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
