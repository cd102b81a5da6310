//! A running server with its guard, behind the HTTP requests of clients: [`Peer`].

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::sync::{mpsc, watch};

use super::super::connection::{Shared, locked};
use super::super::process::Server;
use super::super::run::{ProxyEnd, run};
use super::streams::Streams;

/// The number of bytes of the pipes between the requests and the guard.
const PIPE: usize = 64 << 10;
/// The number of lines that wait for the guard.
const WAITING: usize = 16;

/// Starts a server for a guard.
pub(super) type Start = dyn Fn(&Shared) -> io::Result<Server> + Send + Sync;

/// The receiver of the lines for the client.
pub(super) trait Receiver: Send + Sync + 'static {
    /// Passes a line on to the client it is for. Returns an answer to the server, if the line needs one that no client can give.
    fn receive(&self, line: &str) -> Option<String>;

    /// The streams to which the lines go.
    fn streams(&self) -> &Streams;

    /// Waits until the connection is not used any more.
    fn idle(&self) -> impl Future<Output = ()> + Send;
}

/// The sender of lines to the guard of a running server.
#[derive(Clone)]
pub(super) struct Peer {
    lines: mpsc::Sender<String>,
    stopping: watch::Sender<bool>,
}

/// The other end of a [`Peer`].
pub(super) struct Serving {
    guard: Shared,
    lines: mpsc::Receiver<String>,
    stopped: watch::Receiver<bool>,
}

impl Peer {
    pub(super) fn new(guard: Shared) -> (Self, Serving) {
        let (sender, lines) = mpsc::channel(WAITING);
        let (stopping, stopped) = watch::channel(false);
        (Self { lines: sender, stopping }, Serving { guard, lines, stopped })
    }

    /// Sends a line to the guard. Fails if the server has ended.
    pub(super) async fn send(&self, line: String) -> Result<(), Gone> {
        self.lines.send(line).await.map_err(|_| Gone)
    }

    /// Waits until a line can be sent. Fails if the server has ended.
    pub(super) async fn room(&self) -> Result<mpsc::Permit<'_, String>, Gone> {
        self.lines.reserve().await.map_err(|_| Gone)
    }

    /// Sends a line without waiting. If there is no room, a task waits for it.
    pub(super) fn send_later(&self, line: String) {
        if let Err(mpsc::error::TrySendError::Full(line)) = self.lines.try_send(line) {
            let lines = self.lines.clone();
            tokio::spawn(async move {
                let _ = lines.send(line).await;
            });
        }
    }

    /// Ends the server. Open requests are answered with errors.
    pub(super) fn stop(&self) {
        let _ = self.stopping.send(true);
    }
}

/// The server has ended.
pub(super) struct Gone;

impl Serving {
    /// Starts a server, and connects it with the receiver until one of them ends. All streams have ended then.
    pub(super) async fn run(self, start: Arc<Start>, peer: Peer, receiver: Arc<impl Receiver>) {
        let Self { guard, lines, mut stopped } = self;
        let (near_input, far_input) = duplex(PIPE);
        let (near_output, far_output) = duplex(PIPE);
        let restart = locked(&guard).restart();
        let stop = async {
            tokio::select! {
                // An error means that nobody can send lines any more.
                _ = stopped.wait_for(|stopped| *stopped) => {}
                () = receiver.idle() => {}
            }
        };
        let running = async {
            tokio::select! {
                end = run(&guard, (far_input, far_output), || start(&guard), restart, stop) => end,
                never = write(lines, near_input) => match never {},
            }
        };
        let (end, ()) = tokio::join!(running, read(near_output, &peer, &*receiver));
        match end {
            Ok(ProxyEnd::Server { code, .. }) => {
                let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
                locked(&guard).log(&format!("a server has ended{code}"));
            }
            Ok(_) => {}
            Err(error) => locked(&guard).log(&format!("the server cannot be started: {error}")),
        }
        receiver.streams().end_all();
    }
}

/// Writes the lines of the clients to the guard.
async fn write(mut lines: mpsc::Receiver<String>, mut input: DuplexStream) -> std::convert::Infallible {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if input.write_all(line.as_bytes()).await.is_err() {
            break;
        }
    }
    std::future::pending().await
}

/// Passes on the lines for the clients. Their length is bounded by the guard.
async fn read(output: DuplexStream, peer: &Peer, receiver: &impl Receiver) {
    let mut output = BufReader::new(output);
    let mut line = String::new();
    loop {
        receiver.streams().room().await;
        line.clear();
        // The guard writes nothing but UTF-8.
        match output.read_line(&mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(answer) = receiver.receive(line.trim_end_matches('\n')) {
            peer.send_later(answer);
        }
    }
}
