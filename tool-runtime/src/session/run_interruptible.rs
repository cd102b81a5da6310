//! Runs code of tools and hosts, which may panic or be cancelled: [`guarded`], [`Race`], and the reason why it gave no answer.
//!
//! Invariant: a panic is always caught here, whether it comes from a call, from a future, or from dropping the future.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::running_calls::Registration;
use crate::catch_panic::catch_panic;
use crate::context::{CallContext, Given};
use crate::failure::Failure;

/// The reason why a tool gave no answer.
pub(super) enum Interruption {
    Cancelled,
    /// The time limit of the call was reached.
    TimedOut,
    /// The tool panicked with this message, which only the observer receives.
    Panicked(String),
    /// Something panicked before the tool ran.
    PanickedBefore(String),
    /// No answer will come, for a reason that the host has to fix.
    Lost(&'static str),
}

impl Interruption {
    pub(super) fn into_failure(self, tool: &str) -> Failure {
        match self {
            Self::Cancelled => Failure::cancelled(tool),
            Self::TimedOut => Failure::timeout(tool, None),
            Self::Panicked(message) => Failure::internal(tool, format!("panicked: {message}")),
            Self::PanickedBefore(message) => Failure::internal_before(tool, format!("panicked: {message}")),
            Self::Lost(reason) => Failure::internal(tool, reason),
        }
    }

    /// Returns the interruption of a step before the tool, so that the tool did not run.
    pub(super) fn before_tool(self) -> Self {
        match self {
            Self::Panicked(message) => Self::PanickedBefore(message),
            other => other,
        }
    }
}

/// Runs code of tools and hosts. A panic becomes an [`Interruption`].
///
/// Unwind safety is asserted: a panic can only leave the tool's own state half changed, and this crate never reads that
/// state.
#[inline]
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Interruption> {
    catch_panic(run).map_err(Interruption::Panicked)
}

/// A future that is dropped when its cancellation signal arrives. If both are ready at the same time, the signal takes precedence.
pub(super) struct Race<'a, F> {
    /// The future. Its destructor may panic, so it is dropped under [`guarded`].
    future: Option<F>,
    cancelled: Given<'a>,
    registration: Registration<'a>,
}

impl<'a, F> Race<'a, F> {
    pub(super) fn new(registration: Registration<'a>, cx: &'a CallContext, future: F) -> Self {
        Self { future: Some(future), cancelled: cx.cancellation().given(), registration }
    }
}

impl<F: Future + Unpin> Future for Race<'_, F> {
    type Output = Result<F::Output, Interruption>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { future, cancelled, registration } = &mut *self;
        let (Some(running), Poll::Pending) = (future, Pin::new(cancelled).poll(cx)) else {
            return Poll::Ready(Err(Interruption::Cancelled));
        };
        match guarded(|| Pin::new(running).poll(cx)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => {
                registration.answered();
                Poll::Ready(Ok(output))
            }
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}

impl<F> Drop for Race<'_, F> {
    fn drop(&mut self) {
        let future = self.future.take();
        // The panic is ignored, because there is already an answer, or nobody waits for one.
        let _ = guarded(|| drop(future));
    }
}
