//! Runs one tool, from its arguments to its answer.
//!
//! In: a tool, its arguments, the context. Out: its answer, or an interruption. Invariants: a panic of a tool is always caught here,
//! whether it comes from the call, from the future, or from dropping the future. A call of a sync tool takes no lock and boxes nothing but the
//! context, and only if the tool uses it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::generation::Generation;
use super::handover::{Receiver, handover};
use super::running::Registration;
use super::traced;
use crate::caught::caught;
use crate::check::check;
use crate::context::{CallContext, Given};
use crate::decode::{self, Rejected};
use crate::failure::Failure;
use crate::input::Arguments;
use crate::issue::error_about;
use crate::shape::Ref;
use crate::tool::{Answer, Invocation};
use crate::toolbox::Entry;

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

/// A tool that has answered at once, or whose answer is awaited.
pub(super) enum Invoked<'a> {
    Answered(Result<Answer, Interruption>),
    /// The arguments were rejected, and nothing has run.
    Rejected(Box<Rejected<'a>>),
    Waiting(Waiting<'a>),
}

/// An answer that is awaited.
pub(super) enum Waiting<'a> {
    Pending(Race<'a, Pin<Box<dyn Future<Output = Answer> + Send + 'a>>>),
    Elsewhere(Race<'a, Receiver<Result<Answer, Interruption>>>),
    /// A tool that may be called several times, as one future.
    Repeated(Race<'a, Watched<'a>>),
    /// A future with a time limit.
    Watched(Watched<'a>),
}

/// A running tool with a time limit or further attempts.
pub(super) type Watched<'a> = Pin<Box<dyn Future<Output = Result<Answer, Interruption>> + Send + 'a>>;

impl Generation {
    /// Runs a tool.
    #[inline]
    pub(super) fn invoke<'a>(
        &'a self,
        entry: &'a Entry,
        cx: &'a CallContext,
        arguments: &'a Arguments<'_>,
    ) -> Invoked<'a> {
        match self.refused_by_state(entry, arguments) {
            Ok(None) => {}
            Ok(Some(rejected)) => return Invoked::Rejected(rejected),
            Err(panic) => return Invoked::Answered(Err(panic)),
        }
        self.invoke_accepted(entry, cx, arguments)
    }

    /// Runs a tool with arguments that were already checked against the state.
    #[inline]
    pub(super) fn invoke_accepted<'a>(
        &'a self,
        entry: &'a Entry,
        cx: &'a CallContext,
        arguments: &'a Arguments<'_>,
    ) -> Invoked<'a> {
        match &entry.watch {
            None => self.attempt(entry, cx, arguments),
            Some(watch) => self.invoke_watched(entry, watch, cx, arguments),
        }
    }

    /// Runs a tool once, without a time limit.
    #[inline]
    pub(super) fn attempt<'a>(
        &'a self,
        entry: &'a Entry,
        cx: &'a CallContext,
        arguments: &'a Arguments<'_>,
    ) -> Invoked<'a> {
        if entry.blocking {
            return match self.invoke_elsewhere(entry, cx, arguments) {
                Ok(receiver) => Invoked::Waiting(Waiting::Elsewhere(receiver)),
                Err(interruption) => Invoked::Answered(Err(interruption)),
            };
        }
        self.invoked(cx, guarded(|| entry.tool.call(arguments.lent(), cx)))
    }

    /// Registers a call that has to wait for its tool.
    #[inline]
    pub(super) fn invoked<'a>(
        &'a self,
        cx: &'a CallContext,
        invocation: Result<Invocation<'a>, Interruption>,
    ) -> Invoked<'a> {
        match invocation {
            Ok(Invocation::Ready(answer)) => Invoked::Answered(Ok(answer)),
            Ok(Invocation::Rejected(rejected)) => Invoked::Rejected(rejected),
            Ok(Invocation::Pending(future)) => {
                Invoked::Waiting(Waiting::Pending(Race::new(self.shared.running.register(cx), cx, future)))
            }
            Err(interruption) => Invoked::Answered(Err(interruption)),
        }
    }

    /// Runs a blocking tool on the host's executor. The arguments are decoded there too.
    fn invoke_elsewhere<'a>(
        &'a self,
        entry: &Entry,
        cx: &'a CallContext,
        arguments: &Arguments<'_>,
    ) -> Result<Race<'a, Receiver<Result<Answer, Interruption>>>, Interruption> {
        let Some(spawner) = &self.toolbox.parts().settings.spawner else {
            return Err(Interruption::Lost("there is no spawner for a blocking tool"));
        };
        // The call is registered before that, because the executor may run the work at once.
        let registration = self.shared.running.register(cx);
        let (sender, receiver) = handover();
        let (tool, arguments, inner) = (Arc::clone(&entry.tool), arguments.lent().into_owned(), cx.clone());
        let work = move || {
            let answer = guarded(|| match tool.call(arguments, &inner) {
                Invocation::Ready(answer) => Ok(answer),
                Invocation::Rejected(rejected) => Ok(Err(decode::carried(*rejected).into())),
                Invocation::Pending(_) => {
                    Err(Interruption::Lost("a blocking tool gave a future, which nobody can await"))
                }
            });
            sender.send(answer.and_then(|answer| answer));
        };
        let work = traced::carried(work);
        guarded(|| spawner(Box::new(work)))?;
        Ok(Race::new(registration, cx, receiver))
    }
}

impl Generation {
    /// Returns the input of a tool as the model has seen it.
    pub(super) fn input(&self, entry: &Entry) -> Ref {
        self.visible.seen().input(entry).clone()
    }

    /// Rejects arguments that the tool accepts, but that the state does not allow.
    #[inline]
    pub(super) fn refused_by_state<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
    ) -> Result<Option<Box<Rejected<'a>>>, Interruption> {
        if entry.conditional.is_none() { Ok(None) } else { self.refused_by_narrowed(entry, arguments) }
    }

    fn refused_by_narrowed<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
    ) -> Result<Option<Box<Rejected<'a>>>, Interruption> {
        if !entry.tool.spec().is_narrowed() {
            return Ok(None);
        }
        // The tool itself refuses text that is not valid JSON.
        let Ok(json) = arguments.to_json() else { return Ok(None) };
        // A user-defined rule may panic.
        let refused = guarded(|| {
            let input = self.input(entry);
            error_about(&input.shape(), &json, check(&input.shape(), &json))
        });
        let refused = refused.map_err(Interruption::before_tool)?;
        Ok(refused.map(|error| Box::new(decode::refused(error, json))))
    }
}

impl Future for Waiting<'_> {
    type Output = Result<Answer, Interruption>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let lost = || Err(Interruption::Lost("the spawner dropped the call without running it"));
        match &mut *self {
            Self::Pending(race) => Pin::new(race).poll(cx),
            Self::Repeated(race) => Pin::new(race).poll(cx).map(|answer| answer?),
            Self::Watched(watched) => watched.as_mut().poll(cx),
            Self::Elsewhere(race) => Pin::new(race).poll(cx).map(|answer| answer?.unwrap_or_else(lost)),
        }
    }
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

/// Runs code of tools and hosts. A panic becomes an [`Interruption`].
///
/// Unwind safety is asserted: a panic can only leave the tool's own state half changed, and this crate never reads that
/// state.
#[inline]
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Interruption> {
    caught(run).map_err(Interruption::Panicked)
}
