//! The parts of a session that are code or that the host chooses: [`SessionSetup`].

use std::fmt;
use std::sync::Arc;

use super::snapshot::Cipher;
use super::{Openness, Session};
use crate::context::States;
use crate::throttle::SharedHealth;
use crate::toolbox::{MissingSessionState, Toolbox};

/// Everything that the host provides for a session: its states, and optionally its id and the cipher for its saved secrets.
///
/// ```
/// use tool_runtime::{Toolbox, session::SessionSetup};
///
/// struct User(u32);
/// let toolbox = Toolbox::builder().require_session_state::<User>().build()?;
/// let session = toolbox.begin_session(SessionSetup::new().id("conversation-7").state(User(7)))?;
/// assert_eq!(session.id(), "conversation-7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SessionSetup<'c> {
    pub(super) id: Option<String>,
    pub(super) states: States,
    pub(super) cipher: Option<&'c dyn Cipher>,
    pub(super) health: Option<Arc<dyn SharedHealth>>,
}

impl<'c> SessionSetup<'c> {
    /// Creates a setup without an id, a state or a cipher.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the id of the session, such as the id of the conversation. Without an id, a new session gets a random one.
    ///
    /// A saved session is only restored if it has this id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Adds a state of the session, such as the user who is logged in. It replaces an earlier state of the same type.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.states = self.states.with(state);
        self
    }

    /// Replaces all states of the session.
    #[must_use]
    pub fn states(mut self, states: States) -> Self {
        self.states = states;
        self
    }

    /// Sets the cipher that opens the sensitive part of a saved session. A new session does not need one.
    #[must_use]
    pub fn restore_cipher(mut self, cipher: &'c dyn Cipher) -> Self {
        self.cipher = Some(cipher);
        self
    }

    /// Shares the health of tools with other sessions: if a tool fails in one of them, it is paused in all of them. See [`SharedHealth`] for
    /// an example.
    #[must_use]
    pub fn shared_health(mut self, health: impl SharedHealth) -> Self {
        self.health = Some(Arc::new(health));
        self
    }
}

impl fmt::Debug for SessionSetup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, states, cipher, health } = self;
        let (has_cipher, has_health) = (cipher.is_some(), health.is_some());
        let mut setup = f.debug_struct("SessionSetup");
        setup.field("id", id).field("states", states).field("has_cipher", &has_cipher).field("has_health", &has_health);
        setup.finish()
    }
}

impl<S> Toolbox<S> {
    /// Begins a conversation with its own id and states. See [`SessionSetup`] for an example.
    ///
    /// # Errors
    ///
    /// Returns an error that names every declared state that is not provided.
    pub fn begin_session(&self, setup: SessionSetup<'_>) -> Result<Session, MissingSessionState> {
        self.check_states(&setup.states)?;
        let session = Session::new(self, setup.states, Openness::Gated);
        if let Some(id) = setup.id {
            session.set_id(id);
        }
        session.share_health(setup.health);
        Ok(session)
    }
}
