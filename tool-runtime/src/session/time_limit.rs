//! Runs a tool with a time limit.
//!
//! In: a call of a tool that has a limit or may be called again. Out: the answer, or a timeout. Invariants: one limit covers the whole
//! call, with all attempts and pauses. An answer that is ready is accepted, even if the limit is reached at the same time. When the limit
//! is reached, the context is marked as cancelled, and then the tool's future is dropped. A panic of the drop is caught.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::retry;
use super::run_interruptible::{Interruption, guarded};
use super::run_single_attempt::{Invoked, Waiting, run_single_attempt};
use super::session_with_toolbox::SessionView;
use crate::clock::Sleep;
use crate::context::CallContext;
use crate::input::Arguments;
use crate::tool::Answer;
use crate::toolbox::{Entry, TimeLimitAndRetries};

/// Runs a tool that has a time limit or may be called again.
pub(super) fn invoke_watched<'a>(
    view: &'a SessionView,
    entry: &'a Entry,
    watch: &'a TimeLimitAndRetries,
    cx: &'a CallContext,
    arguments: &'a Arguments<'_>,
) -> Invoked<'a> {
    let running = match &watch.retry {
        None => run_single_attempt(view, entry, cx, arguments),
        Some(policy) => retry::repeat(view, entry, watch, policy, cx, arguments),
    };
    let (running, limit) = match (running, watch.time_limit) {
        (Invoked::Waiting(running), Some(limit)) => (running, limit),
        (running, _) => return running,
    };
    // The host's clock may panic.
    match guarded(|| view.toolbox.parts().settings.clock.sleep(limit)) {
        Ok(limit) => Invoked::Waiting(Waiting::Watched(Box::pin(Limited { running: Some(running), limit, cx }))),
        Err(panic) => Invoked::Answered(Err(panic)),
    }
}

/// A running tool and the timer of its limit.
struct Limited<'a> {
    running: Option<Waiting<'a>>,
    limit: Sleep,
    cx: &'a CallContext,
}

impl Future for Limited<'_> {
    type Output = Result<Answer, Interruption>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { running, limit, cx: call } = &mut *self;
        if let Some(running) = running
            && let Poll::Ready(answer) = Pin::new(running).poll(cx)
        {
            return Poll::Ready(answer);
        }
        let interruption = match guarded(|| limit.as_mut().poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(())) => Interruption::TimedOut,
            Err(panic) => panic,
        };
        call.cancellation().give();
        *running = None;
        Poll::Ready(Err(interruption))
    }
}
