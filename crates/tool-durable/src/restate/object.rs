//! The virtual object of a conversation: [`ToolConversation`].

use std::sync::Arc;

use restate_sdk::context::{
    ContextAwakeables, ContextReadState, ContextWriteState, ObjectContext, SharedObjectContext,
};
use restate_sdk::errors::{HandlerResult, TerminalError};
use restate_sdk::serde::Json;
use tool_chat::conversation::TurnEnd;
use tool_chat::run::Run;

use super::conversation_setup::{Setup, SetupWithId};
use super::deferred_calls::{AnsweredCall, AwaitingCall};
use super::engine::RestateEngine;
use super::sharing::HealthSharing;
use super::steps::{Interrupted, Steps};
use super::storage::{CONVERSATION, Stored, WAITING};
use crate::engine_trait::drive;
use crate::error::DurableError;

pub(super) struct ToolConversation {
    pub(super) setup: Arc<Setup>,
    pub(super) sharing: Option<HealthSharing>,
}

// The limit is high, because a model may need a long time for an answer.
#[restate_sdk::object(name = "ToolConversation", client_visibility = "pub(super)", abort_timeout = "1h")]
impl ToolConversation {
    /// Begins a turn, and drives the run to the end of the turn.
    #[handler]
    async fn ask(&self, ctx: ObjectContext<'_>, prompt: String) -> HandlerResult<Json<TurnEnd>> {
        let stored = ctx.get::<Json<Stored>>(CONVERSATION).await?;
        let (run, state) = stored.map_or((None, None), |Json(Stored { run, session })| (Some(run), Some(session)));
        let parts = Arc::new(SetupWithId::new(&*self.setup, ctx.key()));
        let mut engine = RestateEngine { steps: Steps::new(&ctx, parts, state), sharing: self.sharing.as_ref() };
        let mut run = engine.begin(run, prompt).await?;
        let end = drive(&mut run, &mut engine).await;
        if let Err(Interrupted::Cancelled(_)) = &end {
            engine.stop(&mut run).await?;
            ctx.clear(WAITING);
        }
        if let Err(error @ Interrupted::Record(_)) = end {
            return Err(error.into());
        }
        engine.store(&run);
        Ok(Json(end?.ok_or(DurableError::NoPrompt)?))
    }

    /// Returns the calls that wait for the host.
    #[handler]
    async fn waiting(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<AwaitingCall>>> {
        Ok(ctx.get::<Json<_>>(WAITING).await?.unwrap_or(Json(Vec::new())))
    }

    /// Answers a call that waits for the host.
    #[handler]
    async fn answer(&self, ctx: SharedObjectContext<'_>, Json(answer): Json<AnsweredCall>) -> HandlerResult<()> {
        let AnsweredCall { call_id, answer } = answer;
        let waiting: Option<Json<Vec<AwaitingCall>>> = ctx.get(WAITING).await?;
        let calls = waiting.map(|Json(calls)| calls).unwrap_or_default();
        let Some(call) = calls.into_iter().find(|call| call.call_id == call_id) else {
            let error = DurableError::NotDeferred { call_id };
            return Err(TerminalError::new_with_code(404, error.to_string()).into());
        };
        ctx.resolve_awakeable(&call.awakeable, Json(answer));
        Ok(())
    }

    /// Returns the run as it was last stored.
    #[handler]
    async fn history(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Option<Run>>> {
        let stored = ctx.get::<Json<Stored>>(CONVERSATION).await?;
        Ok(Json(stored.map(|Json(stored)| stored.run)))
    }
}
