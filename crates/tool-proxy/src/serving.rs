//! The lines of one server, and of each one that is started in its place: [`serve`].
//!
//! Invariant: the server never waits for the client to send something.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use super::outbox::Outbox;
use super::process::{Process, Server, exit_code};
use super::settings::Restart;
use tool_mcp::__private_0_1_0::{Line, Lines};

/// The time that a server has to exit once it has closed its output.
const EXITED: Duration = Duration::from_millis(500);
/// The time that a server has for the handshake.
pub(super) const INITIALIZING: Duration = Duration::from_secs(30);
/// The time after which a server that ends has all attempts to be restarted again.
const HEALTHY: Duration = Duration::from_secs(60);

/// The connection between a server and the code that decides about its lines.
pub(super) trait Link {
    /// Returns the lines that wait for the server.
    fn to_server(&self) -> &Outbox;

    /// Returns the lines that wait for the client.
    fn to_client(&self) -> &Outbox;

    /// Returns the largest number of bytes of a line.
    fn message_limit(&self) -> usize;

    fn log(&self, remark: &str);

    fn set_process(&self, process: Option<Process>);

    fn take_process(&self) -> Option<Process>;

    /// Decides about a line of the server, and queues the lines that follow from it.
    fn receive(&self, line: Line);

    /// Drops the lines that wait for a server that has ended, and ends its open requests.
    fn lose(&self, reason: &str);

    /// Returns the client's handshake for a restarted server, if it needs one.
    fn handshake(&self) -> Option<String>;

    /// Returns `true` if a restarted server has accepted the handshake, and `None` if it has not answered.
    fn has_agreed(&self) -> Option<bool>;

    /// Begins to use a restarted server. Returns the first lines for it.
    fn restarted(&self) -> Vec<String>;
}

/// Returns the reason for the end of a server, given its exit code.
pub(super) fn reason(code: Option<i32>) -> String {
    code.map_or_else(|| "it closed its output".to_owned(), |code| format!("its exit code is {code}"))
}

/// Connects the first server, and after it each restarted server, until the server is not restarted again. Without a first server, begins
/// with a restart. Returns the exit code of the last connected server.
pub(super) async fn serve<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    link: &impl Link,
    first: Option<Server<R, W>>,
    mut start: impl FnMut() -> io::Result<Server<R, W>>,
    restart: Option<Restart>,
) -> Option<i32> {
    let limit = link.message_limit();
    let mut running = first.map(|Server { output, input, process }| {
        link.set_process(process);
        (Lines::new(output, limit), input)
    });
    let mut attempt = 0;
    let mut code = None;
    let mut end = "it could not be started".to_owned();
    loop {
        if let Some((mut lines, input)) = running.take() {
            let begun = Instant::now();
            connect(link, &mut lines, input).await;
            if begun.elapsed() >= HEALTHY {
                attempt = 0;
            }
            code = exit_code(link.take_process(), EXITED).await;
            end = reason(code);
        }
        let is_wanted = !link.to_server().is_closed();
        let pause = restart.filter(|_| is_wanted).and_then(|restart| restart.pause_before(attempt));
        let Some(pause) = pause else { return code };
        link.lose(&end);
        link.log(&format!("the server has ended: {end}; it is started again in {pause:?}"));
        sleep(pause).await;
        attempt += 1;
        let Server { output, mut input, process } = match start() {
            Ok(server) => server,
            Err(error) => {
                link.log(&format!("the server cannot be started: {error}"));
                continue;
            }
        };
        link.set_process(process);
        let mut lines = Lines::new(output, limit);
        let repeated = timeout(INITIALIZING, repeat_handshake(link, &mut lines, &mut input)).await;
        if let Ok(Ok(true)) = repeated {
            running = Some((lines, input));
            continue;
        }
        link.log("the restarted server did not repeat the handshake");
        drop(input);
        exit_code(link.take_process(), EXITED).await;
    }
}

/// Exchanges messages with one server until it ends.
async fn connect<R: AsyncRead + Unpin>(link: &impl Link, lines: &mut Lines<R>, input: impl AsyncWrite + Unpin) {
    let mut reading = pin!(read(link, lines));
    // The writer is dropped at its end, which closes the input of the server.
    let mut writing = pin!(link.to_server().write(input));
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

/// Reads the server until its end. Room for the lines that it causes to itself is not waited for: a server that waits until its output is
/// read may read nothing.
async fn read<R: AsyncRead + Unpin>(link: &impl Link, lines: &mut Lines<R>) {
    while read_line(link, lines).await {}
}

/// Reads a line of the server. Returns `false` at the end.
async fn read_line<R: AsyncRead + Unpin>(link: &impl Link, lines: &mut Lines<R>) -> bool {
    link.to_client().room().await;
    match lines.next().await {
        Line::End => false,
        received => {
            link.receive(received);
            true
        }
    }
}

/// Repeats the handshake of the client with a restarted server. Returns `false` if the server does not accept the same protocol revision or
/// ends.
async fn repeat_handshake<R: AsyncRead + Unpin>(
    link: &impl Link,
    lines: &mut Lines<R>,
    input: &mut (impl AsyncWrite + Unpin),
) -> io::Result<bool> {
    if let Some(request) = link.handshake() {
        input.write_all(format!("{request}\n").as_bytes()).await?;
        input.flush().await?;
        let has_agreed = loop {
            if let Some(has_agreed) = link.has_agreed() {
                break has_agreed;
            }
            if !read_line(link, lines).await {
                return Ok(false);
            }
        };
        if !has_agreed {
            return Ok(false);
        }
    }
    for line in link.restarted() {
        input.write_all(format!("{line}\n").as_bytes()).await?;
    }
    input.flush().await?;
    Ok(true)
}
