//! A running server: [`Server`], and its [`Process`].

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
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
pub(super) enum Process {
    Child(Child),
    /// Several servers that are used as one.
    Group(Group),
}

/// The task that connects several servers, whose result is their exit code.
pub(super) struct Group(pub(super) JoinHandle<Option<i32>>);

impl Drop for Group {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts a child process whose standard input and output are pipes.
pub(super) fn start_child(command: &mut Command) -> io::Result<Server> {
    let mut child = command.spawn()?;
    let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
    let (output, input) = (child.stdout.take().ok_or_else(missing)?, child.stdin.take().ok_or_else(missing)?);
    Ok(Server { output: Box::new(output), input: Box::new(input), process: Some(Process::Child(child)) })
}

/// Waits until a process has exited; kills it if that takes too long. Several servers have [`EXITING`] in addition, in which they kill those
/// that do not exit.
pub(super) async fn exit_code(process: Option<Process>, patience: Duration) -> Option<i32> {
    match process? {
        Process::Child(mut child) => {
            if let Ok(status) = timeout(patience, child.wait()).await {
                return status.ok()?.code();
            }
            let _ = child.kill().await;
            None
        }
        Process::Group(mut group) => timeout(patience + EXITING, &mut group.0).await.ok()?.ok()?,
    }
}
