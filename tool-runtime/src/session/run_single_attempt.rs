//! Runs a tool once, without a time limit.
//!
//! In: a tool and its arguments. Out: its answer, the rejection of the arguments, or a future of the answer. Invariant: the call of a sync
//! tool takes no lock and boxes nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::oneshot_channel::{Receiver, oneshot};
use super::run_interruptible::{Interruption, Race, guarded};
use super::session_with_toolbox::SessionView;
use super::traced;
use crate::context::CallContext;
use crate::decode::{self, Rejected};
use crate::input::Arguments;
use crate::tool::{Answer, AnswerOrFuture};
use crate::toolbox::Entry;

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

/// Runs a tool once, without a time limit.
#[inline]
pub(super) fn run_single_attempt<'a>(
    view: &'a SessionView,
    entry: &'a Entry,
    cx: &'a CallContext,
    arguments: &'a Arguments<'_>,
) -> Invoked<'a> {
    if entry.blocking {
        return match run_elsewhere(view, entry, cx, arguments) {
            Ok(receiver) => Invoked::Waiting(Waiting::Elsewhere(receiver)),
            Err(interruption) => Invoked::Answered(Err(interruption)),
        };
    }
    invoked(view, cx, guarded(|| entry.tool.call(arguments.as_borrowed(), cx)))
}

/// Registers a call that has to wait for its tool.
#[inline]
pub(super) fn invoked<'a>(
    view: &'a SessionView,
    cx: &'a CallContext,
    invocation: Result<AnswerOrFuture<'a>, Interruption>,
) -> Invoked<'a> {
    match invocation {
        Ok(AnswerOrFuture::Ready(answer)) => Invoked::Answered(Ok(answer)),
        Ok(AnswerOrFuture::Rejected(rejected)) => Invoked::Rejected(rejected),
        Ok(AnswerOrFuture::Pending(future)) => {
            Invoked::Waiting(Waiting::Pending(Race::new(view.shared.running.register(cx), cx, future)))
        }
        Err(interruption) => Invoked::Answered(Err(interruption)),
    }
}

/// Runs a blocking tool on the host's executor. The arguments are decoded there too.
fn run_elsewhere<'a>(
    view: &'a SessionView,
    entry: &Entry,
    cx: &'a CallContext,
    arguments: &Arguments<'_>,
) -> Result<Race<'a, Receiver<Result<Answer, Interruption>>>, Interruption> {
    let Some(spawner) = &view.toolbox.parts().settings.spawner else {
        return Err(Interruption::Lost("there is no spawner for a blocking tool"));
    };
    // The call is registered before that, because the executor may run the work at once.
    let registration = view.shared.running.register(cx);
    let (sender, receiver) = oneshot();
    let (tool, arguments, inner) = (Arc::clone(&entry.tool), arguments.as_borrowed().into_owned(), cx.clone());
    let work = move || {
        let answer = guarded(|| match tool.call(arguments, &inner) {
            AnswerOrFuture::Ready(answer) => Ok(answer),
            AnswerOrFuture::Rejected(rejected) => Ok(Err(decode::carried(*rejected).into())),
            AnswerOrFuture::Pending(_) => {
                Err(Interruption::Lost("a blocking tool gave a future, which nobody can await"))
            }
        });
        sender.send(answer.and_then(|answer| answer));
    };
    let work = traced::in_current_span(work);
    guarded(|| spawner(Box::new(work)))?;
    Ok(Race::new(registration, cx, receiver))
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
