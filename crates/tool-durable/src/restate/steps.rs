//! The steps of a conversation, which are recorded in a journal: [`Steps`].
//!
//! Invariants: each step receives the session as it was after the previous step. The journal contains the session after each step. A step
//! that the journal contains does not run again, so hooks and guards do not decide a second time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use restate_sdk::context::{ContextSideEffects, ObjectContext, RunFuture};
use restate_sdk::errors::{HandlerError, TerminalError};
use restate_sdk::serde::Json;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tool_chat::run::UnexpectedRecordError;
use tool_runtime::Session;
use tool_runtime::session::SessionState;

use super::conversation_setup::{SetupWithId, now};
use crate::private::internal;

/// The reason why an attempt to drive a run has ended early.
pub(super) enum Interrupted {
    /// The host has cancelled the invocation.
    Cancelled(TerminalError),
    /// A record does not fit the run. Another attempt, with a different version of the program, may be able to continue.
    Record(UnexpectedRecordError),
}

impl From<TerminalError> for Interrupted {
    fn from(error: TerminalError) -> Self {
        Self::Cancelled(error)
    }
}

impl From<UnexpectedRecordError> for Interrupted {
    fn from(error: UnexpectedRecordError) -> Self {
        Self::Record(error)
    }
}

impl From<Interrupted> for HandlerError {
    fn from(interrupted: Interrupted) -> Self {
        match interrupted {
            Interrupted::Cancelled(error) => error.into(),
            Interrupted::Record(error) => error.into(),
        }
    }
}

/// A completed step, in the form in which the journal contains it.
#[derive(Serialize, Deserialize)]
struct Done<T> {
    value: T,
    session: SessionState,
    /// The time of day at the end of the step.
    at: Duration,
}

/// The steps of a conversation.
pub(super) struct Steps<'a, 'ctx> {
    pub(super) ctx: &'a ObjectContext<'ctx>,
    pub(super) parts: Arc<SetupWithId>,
    /// The session after the last step; `None` before the first step of a new conversation.
    pub(super) state: Option<SessionState>,
    /// The session itself, if the last step ran in this attempt.
    live: Option<Session>,
    /// The time of day of the last step.
    pub(super) at: Duration,
}

impl<'a, 'ctx> Steps<'a, 'ctx> {
    pub(super) fn new(ctx: &'a ObjectContext<'ctx>, parts: Arc<SetupWithId>, state: Option<SessionState>) -> Self {
        Self { ctx, parts, state, live: None, at: Duration::ZERO }
    }

    /// Runs a step, unless the journal contains it. Returns the value of the step, and the time since the previous step.
    pub(super) async fn take<T, W, F>(&mut self, name: &str, work: W) -> Result<(T, Duration), Interrupted>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        W: FnOnce(Session) -> F + Send + 'static,
        F: Future<Output = Result<T, HandlerError>> + Send + 'static,
    {
        let (live, parts) = (self.live.take(), Arc::clone(&self.parts));
        let state = if live.is_some() { None } else { self.state.take() };
        let kept = Arc::new(Mutex::new(None));
        let keeper = Arc::clone(&kept);
        let run = move || async move {
            let session = match live {
                Some(session) => session,
                None => detaching(parts.session(state)?),
            };
            let value = work(session.clone()).await?;
            let done = Done { value, session: parts.save(&session)?, at: now(&session) };
            *keeper.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
            Ok(Json(done))
        };
        let Json(Done { value, session, at }) = self.ctx.run(run).name(name).await?;
        self.live = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.state = Some(session);
        let took = at.saturating_sub(self.at);
        self.at = at;
        Ok((value, took))
    }
}

fn detaching(session: Session) -> Session {
    internal::detach_calls(&session);
    session
}
