//! A running server: [`Server`], and its [`Process`].

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The time that a server has to exit once its input is closed, or the client to receive the last answers.
pub(super) const EXITING: Duration = Duration::from_secs(2);

pub(super) type Output = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Input = Box<dyn AsyncWrite + Send + Unpin>;

/// The streams of a server, and its process if it has one.
pub(super) struct Server<R = Output, W = Input> {
    pub(super) output: R,
    pub(super) input: W,
    pub(super) process: Option<Process>,
}

/// The process of a server. It is killed when this value is dropped.
pub(super) type Process = Child;

/// A server, unless it could not be started, and the function that starts it again.
pub(super) struct Started {
    pub(super) first: Option<Server>,
    pub(super) start: Box<dyn FnMut() -> io::Result<Server> + Send>,
}

/// Starts a child process whose standard input and output are pipes.
pub(super) fn start_child(command: &mut Command) -> io::Result<Server> {
    let mut child = command.spawn()?;
    let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
    let (output, input) = (child.stdout.take().ok_or_else(missing)?, child.stdin.take().ok_or_else(missing)?);
    Ok(Server { output: Box::new(output), input: Box::new(input), process: Some(child) })
}

/// Waits until a process has exited; kills it if that takes too long.
pub(super) async fn exit_code(process: Option<Process>, patience: Duration) -> Option<i32> {
    let mut process = process?;
    if let Ok(status) = timeout(patience, process.wait()).await {
        return status.ok()?.code();
    }
    let _ = process.kill().await;
    None
}
