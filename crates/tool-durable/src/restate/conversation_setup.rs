//! The parts of one conversation that are code: [`SetupWithId`].

use std::time::Duration;

use tool_runtime::Session;
use tool_runtime::session::{SessionSetup, SessionState};

use crate::error::DurableError;
use crate::listener_event::ListenerEvent;
use crate::private::internal;
use crate::setup::ConversationSetup;

/// A function that returns the tools, the model and the settings for the id of a conversation.
pub(super) type Setup = dyn Fn(&str) -> ConversationSetup + Send + Sync;

/// The tools, the model and the settings of one conversation, with its id.
pub(super) struct SetupWithId {
    pub(super) id: String,
    pub(super) setup: ConversationSetup,
}

impl SetupWithId {
    pub(super) fn new(setup: &Setup, id: &str) -> Self {
        Self { id: id.to_owned(), setup: setup(id) }
    }

    /// Restores the session, or begins a new one if there is no state. The id of the conversation is also the id of the session.
    pub(super) fn session(&self, state: Option<SessionState>) -> Result<Session, DurableError> {
        let ConversationSetup { toolbox, states, cipher, .. } = &self.setup;
        let setup = SessionSetup::new().id(&self.id).states(states.clone());
        Ok(match (state, cipher) {
            (None, _) => toolbox.begin_session(setup)?,
            (Some(state), None) => toolbox.restore(state, setup)?,
            (Some(state), Some(cipher)) => toolbox.restore(state, setup.restore_cipher(&**cipher))?,
        })
    }

    pub(super) fn save(&self, session: &Session) -> Result<SessionState, DurableError> {
        Ok(match &self.setup.cipher {
            Some(cipher) => session.snapshot_with(&**cipher)?,
            None => session.snapshot()?,
        })
    }

    pub(super) fn report_event(&self, event: &ListenerEvent<'_>) {
        if let Some(listener) = &self.setup.listener {
            listener(event);
        }
    }
}

/// Returns the time of day, on the clock of the session.
pub(super) fn now(session: &Session) -> Duration {
    internal::clock(session).unix_time()
}

/// Returns the duration for a durable timer, which is at most about 30 years. The SDK panics if a timer would end too late for its clock.
pub(super) fn timer_duration(duration: Duration) -> Duration {
    duration.min(Duration::from_secs(1_000_000_000))
}
