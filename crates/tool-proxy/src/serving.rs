//! One server, and each one that is started in its place: [`serve`].
//!
//! Invariant: the server never waits for the client to send something.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, timeout};

use super::connection::{Connection, ToClient};
use super::fate::Received;
use super::handshake::INITIALIZING;
use super::layers::locked;
use super::process::{Server, exit_code};
use super::settings::Restart;
use tool_mcp::__private_0_1_0::Lines;

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
    restart: Option<Restart>,
) -> Option<i32> {
    let end = &connection.servers[number];
    let log = |remark: &str| locked(&connection.layers).remark(number, remark);
    let mut running = first;
    let (mut attempt, mut code) = (0, None);
    let mut reason_of_end = "it could not be started".to_owned();
    loop {
        if let Some(Server { output, input, process }) = running.take() {
            let begun = Instant::now();
            end.set_process(process);
            let has_agreed = connect(connection, number, (output, input), attempt > 0).await;
            let exited = exit_code(end.take_process(), EXITED).await;
            if has_agreed {
                code = exited;
                if begun.elapsed() >= HEALTHY {
                    attempt = 0;
                }
                reason_of_end = reason(code);
            } else {
                log("the restarted server did not repeat the handshake");
            }
        }
        let is_wanted = !end.outbox.is_closed();
        let pause = restart.filter(|_| is_wanted).and_then(|restart| restart.pause_before(attempt));
        let Some(pause) = pause else { return code };
        lose(connection, number, &reason_of_end);
        log(&format!("the server has ended: {reason_of_end}; it is started again in {pause:?}"));
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
    let limit = locked(&connection.layers).guard.message_limit();
    let mut lines = Lines::new(output, limit);
    let outbox = &connection.servers[number].outbox;
    // The writer is dropped at its end, which closes the input of the server.
    let mut writing = pin!(outbox.write(input));
    if is_restarted {
        let handshake = timeout(INITIALIZING, repeat_handshake(connection, number, &mut lines));
        let has_agreed = tokio::select! {
            has_agreed = handshake => has_agreed.unwrap_or_default(),
            _ = &mut writing => false,
        };
        if !has_agreed {
            return false;
        }
        connection.act(|layers| layers.restarted(number, outbox.take_kept()));
    }
    let mut reading = pin!(async { while read_line(connection, number, &mut lines).await {} });
    let written = tokio::select! {
        () = &mut reading => return true,
        written = &mut writing => written,
    };
    match written {
        Ok(()) => reading.await,
        // A server that does not read its input has ended, or will not answer.
        Err(_) => drop(timeout(EXITED, reading).await),
    }
    true
}

/// Reads a line of the server. Returns `false` at the end. Room for the lines that the server causes to itself is not waited for: a server
/// that waits until its output is read may read nothing.
async fn read_line<R: AsyncRead + Unpin>(
    connection: &Connection<impl ToClient>,
    number: usize,
    lines: &mut Lines<R>,
) -> bool {
    connection.client.room().await;
    let limit = lines.limit();
    let Some(received) = Received::of(lines.next().await, limit) else { return false };
    connection.act(|layers| layers.server(number, received));
    true
}

/// Repeats the handshake of the client with a restarted server. Returns `false` if the server does not accept the same protocol revision or
/// ends.
async fn repeat_handshake<R: AsyncRead + Unpin>(
    connection: &Connection<impl ToClient>,
    number: usize,
    lines: &mut Lines<R>,
) -> bool {
    if !connection.act(|layers| layers.begin_handshake(number)) {
        return true;
    }
    loop {
        if let Some(has_agreed) = locked(&connection.layers).has_agreed(number) {
            return has_agreed;
        }
        if !read_line(connection, number, lines).await {
            return false;
        }
    }
}
