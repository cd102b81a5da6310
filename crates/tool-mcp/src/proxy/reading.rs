//! The events of a connection, which are the lines of both sides and the passing of time: each goes to the guard, and what it decides is sent.

use std::convert::Infallible;

use tokio::io::AsyncRead;

use super::connection::{Connection, Shared, locked};
use super::fate::{Broken, Sent, Side};
use crate::client::lines::{Line, Lines};

/// Reads the client until its end.
pub(super) async fn read_client<R: AsyncRead + Unpin>(guard: &Shared, mut lines: Lines<R>, connection: &Connection) {
    loop {
        connection.to_server.room().await;
        connection.to_client.room().await;
        let line = lines.next().await;
        let mut guard = locked(guard);
        let sent = match line {
            Line::Whole(line) => guard.client_line(line),
            Line::TooLongRequest(id) => guard.too_long(Side::Client, Broken::Request(id)),
            Line::TooLong(id) => guard.too_long(Side::Client, Broken::Answer(id)),
            Line::End => return,
        };
        connection.timer.set(guard.deadline());
        drop(guard);
        connection.push(sent);
    }
}

/// Reads the server. Room for the lines that it causes to itself is not waited for: a server that waits until its output is read may read
/// nothing.
pub(super) async fn read_server<R: AsyncRead + Unpin>(guard: &Shared, lines: &mut Lines<R>, connection: &Connection) {
    loop {
        connection.to_client.room().await;
        match server_line(guard, lines, connection).await {
            Some(sent) => connection.push(sent),
            None => return,
        }
    }
}

/// Reads a line of the server. `None` at the end.
pub(super) async fn server_line<R: AsyncRead + Unpin>(
    guard: &Shared,
    lines: &mut Lines<R>,
    connection: &Connection,
) -> Option<Sent> {
    let line = lines.next().await;
    let mut guard = locked(guard);
    let sent = match line {
        Line::Whole(line) => guard.server_line(line),
        Line::TooLongRequest(id) => guard.too_long(Side::Server, Broken::Request(id)),
        Line::TooLong(id) => guard.too_long(Side::Server, Broken::Answer(id)),
        Line::End => return None,
    };
    // The list of tools lets waiting calls begin.
    connection.timer.set(guard.deadline());
    Some(sent)
}

/// Lets the guard act when its time has come.
pub(super) async fn keep_time(guard: &Shared, connection: &Connection) -> Infallible {
    loop {
        let now = connection.timer.wait().await;
        let mut guard = locked(guard);
        let sent = guard.expire(now);
        connection.timer.set(guard.deadline());
        drop(guard);
        connection.push(sent);
    }
}
