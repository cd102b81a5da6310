//! The parts of one conversation that are code: [`Parts`].

use std::time::Duration;

use tool_runtime::Session;
use tool_runtime::session::{SessionSetup, SessionState};

use crate::error::DurableError;
use crate::event::DurableEvent;
use crate::private::siblings;
use crate::setup::ConversationSetup;

/// Returns tools, model and settings for the id of a conversation.
pub(super) type Setup = dyn Fn(&str) -> ConversationSetup + Send + Sync;

/// The host's contribution to one conversation, with its id.
pub(super) struct Parts {
    pub(super) id: String,
    pub(super) setup: ConversationSetup,
}

impl Parts {
    pub(super) fn new(setup: &Setup, id: &str) -> Self {
        Self { id: id.to_owned(), setup: setup(id) }
    }

    /// Restores a session, or begins it. The id of the conversation is also the id of the session.
    pub(super) fn session(&self, state: Option<SessionState>) -> Result<Session, DurableError> {
        let ConversationSetup { toolbox, states, cipher, .. } = &self.setup;
        let setup = SessionSetup::new().id(&self.id).states(states.clone());
        Ok(match (state, cipher) {
            (None, _) => toolbox.begin(setup)?,
            (Some(state), None) => toolbox.restore(state, setup)?,
            (Some(state), Some(cipher)) => toolbox.restore(state, setup.cipher(&**cipher))?,
        })
    }

    pub(super) fn save(&self, session: &Session) -> Result<SessionState, DurableError> {
        Ok(match &self.setup.cipher {
            Some(cipher) => session.snapshot_with(&**cipher)?,
            None => session.snapshot()?,
        })
    }

    pub(super) fn tell(&self, event: &DurableEvent<'_>) {
        if let Some(listener) = &self.setup.listener {
            listener(event);
        }
    }
}

/// Returns the time of day.
pub(super) fn now(session: &Session) -> Duration {
    siblings::clock(session).unix_time()
}
