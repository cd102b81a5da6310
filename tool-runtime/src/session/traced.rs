//! The span around a call, where feature `tracing` is on; nothing at all where it is not.
//!
//! In: a call and the future of its answer. Out: the same answer, with the tool's own spans and events inside the call's span, on another
//! thread too. What always holds: without the feature the future is the same one; with it the span begins with the first poll.

#[cfg(not(feature = "tracing"))]
mod off;
#[cfg(feature = "tracing")]
mod on;

#[cfg(not(feature = "tracing"))]
pub(super) use off::{carried, is_heard, tell};
#[cfg(feature = "tracing")]
pub(super) use on::{carried, is_heard, tell};
