//! Runs one tool, from its arguments to its answer.
//!
//! In: a call whose arguments may run. Out: the result of its tool, the rejection of its arguments, or the end of the call. Invariant: the call
//! of a sync tool takes no lock and boxes nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::attempt::{Attempt, End};
use super::handover::{Receiver, handover};
use super::host::end_incomplete;
use super::interruption::{Interruption, Race, guarded};
use super::traced;
use super::view::SessionView;
use crate::check::check;
use crate::context::CallContext;
use crate::decode::{self, Parsed, Rejected};
use crate::input::Arguments;
use crate::issue::error_about;
use crate::shape::Ref;
use crate::tool::{Answer, CallError, Invocation, Payload};
use crate::toolbox::{Advertisement, Entry};

/// The reaction of a tool to its arguments.
pub(super) enum Reaction<'a> {
    Result(Payload),
    /// The arguments were rejected, and nothing has run.
    Rejected(Rejected<'a>),
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

impl SessionView {
    /// Runs the tool of a call, and waits for its answer. This is a stage.
    pub(super) async fn invoke<'a>(
        &'a self,
        entry: &'a Entry,
        call: &mut Attempt<'a>,
    ) -> Result<Reaction<'a>, End<'a>> {
        let cx = self.context(entry, call);
        let arguments = call.completed.unwrap_or_else(|| call.arguments());
        if let Some(prepared) = call.prepared.take() {
            cx.prepare(prepared, arguments);
        }
        let invoked = match call.invocation.take() {
            Some(invocation) => self.invoked(cx, invocation),
            // The arguments were checked against the state before the values of the host were added.
            None if call.completed.is_some() => self.invoke_accepted(entry, cx, arguments),
            None => self.invoke_checked(entry, cx, arguments),
        };
        let answer = match invoked {
            Invoked::Answered(answer) => answer,
            Invoked::Rejected(rejected) => return reaction(entry, *rejected),
            Invoked::Waiting(waiting) => {
                call.count();
                waiting.await
            }
        };
        // A rejected call may run after a repair, so it may still report progress.
        let answer = match answer {
            Ok(Err(CallError::Invalid(error))) => return reaction(entry, error.into()),
            answer => answer,
        };
        cx.end_progress();
        match answer {
            Ok(Ok(payload)) => Ok(Reaction::Result(payload)),
            Ok(Err(error)) => Err(End::Failed { error, tree: Parsed::NotYet }),
            Err(interruption) => Err(End::Interrupted(interruption)),
        }
    }

    /// Returns the context of a call.
    pub(super) fn context<'a>(&self, entry: &Entry, call: &mut Attempt<'a>) -> &'a CallContext {
        call.cx(|call_id| CallContext::new(call_id, entry.position, Arc::clone(&self.scope)))
    }

    /// Runs a tool with arguments that were not yet checked against the state.
    fn invoke_checked<'a>(
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

/// Returns the rejection of a call, or its end if the host's values were rejected too.
fn reaction<'a>(entry: &Entry, rejected: Rejected<'a>) -> Result<Reaction<'a>, End<'a>> {
    match &entry.tool.spec().host {
        // The tree of the arguments is dropped, because it contains the host's values.
        Some(host) => Err(end_incomplete(entry, host.blame(rejected.into_error()))),
        None => Ok(Reaction::Rejected(rejected)),
    }
}

impl SessionView {
    /// Returns the form in which a tool was advertised, if its calls must be converted back.
    #[inline]
    pub(super) fn rewritten(&self, entry: &Entry) -> Option<Arc<Advertisement>> {
        if entry.is_rewritten() { self.visible.rewritten(entry.position) } else { None }
    }

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
