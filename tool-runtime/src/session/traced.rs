//! The span around a call with feature `tracing`; a no-op without it.
//!
//! In: a call, and the future of its answer. Out: the same answer, with the tool's own spans and events inside the call's span, even on
//! another thread. Invariants: without the feature, the future is returned unchanged. With the feature, the span begins at the first poll.

#[cfg(not(feature = "tracing"))]
mod off;
#[cfg(feature = "tracing")]
mod on;

#[cfg(not(feature = "tracing"))]
pub(super) use off::{IS_TRACED, in_current_span, trace};
#[cfg(feature = "tracing")]
pub(super) use on::{IS_TRACED, in_current_span, trace};
