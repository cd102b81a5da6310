//! The lines of the client and the passing of time: each event goes to the guard, and its decisions are sent.

use std::convert::Infallible;

use tokio::io::AsyncRead;

use super::connection::{Connection, Shared, locked};
use super::fate::{Broken, Side};
use tool_mcp::__private_0_1_0::{Line, Lines};

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
            Line::TooLongOther => guard.too_long(Side::Client, Broken::Other),
            Line::End => return,
        };
        connection.timer.set(guard.deadline());
        drop(guard);
        connection.push(sent);
    }
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
