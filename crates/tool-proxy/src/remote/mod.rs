//! The exchange of messages with a server behind a URL: [`connect`].
//!
//! In: the frames for the server. Out: the messages in its answers. `connection` passes messages on until the connection
//! ends, `handshake` begins sessions, `client` sends one HTTP request, `events` reads streams of events, and `headers` has what a request repeats of
//! its message.
//!
//! Invariant: a call is sent once, unless it is certain that the server has not got it.

mod client;
mod connection;
mod events;
mod handshake;
mod headers;

pub(super) use self::connection::{Ended, connect};
