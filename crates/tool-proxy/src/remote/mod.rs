//! The exchange of messages with a server behind a URL: [`connect`].
//!
//! In: the frames for the server. Out: the messages in its answers. `exchange` has the connection from its beginning to its end, `post` the request
//! for one message, `events` the streams of events, and `headers` what a request repeats of its message.
//!
//! Invariant: a call is sent once, unless it is certain that the server has not got it.

mod events;
mod exchange;
mod headers;
mod post;

pub(super) use self::exchange::{Ended, connect};
