//! Begins sessions, with or without states of their own.
//!
//! In: a toolbox, and the session's own states. Out: a session. Invariant: a session that was begun with states has every state that the
//! toolbox declares.

use super::{Openness, Session};
use crate::context::States;
use crate::toolbox::{MissingState, Toolbox};

impl Toolbox {
    /// Begins a conversation without state of its own.
    ///
    /// The session lacks every state that [`session_state`](crate::toolbox::ToolboxBuilder::session_state) declares, and
    /// calls of tools that need such a state fail. Use [`session_with`](Self::session_with) to supply it.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert_eq!(Toolbox::builder().build()?.session().revision(), 0);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn session(&self) -> Session {
        Session::new(self, States::new(), Openness::Gated)
    }

    /// Begins a conversation with its own state, such as the user who is logged in.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// struct User(u32);
    /// let toolbox = Toolbox::builder().session_state::<User>().build()?;
    /// let session = toolbox.session_with(User(7))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error that names every declared state that is not provided.
    pub fn session_with<T: Send + Sync + 'static>(&self, state: T) -> Result<Session, MissingState> {
        self.session_with_states(States::new().with(state))
    }

    /// Begins a conversation with several values of its own.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, toolbox::States};
    /// let session = Toolbox::builder().build()?.session_with_states(States::new().with(7_u32).with("acme"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error that names every declared state that is not provided.
    pub fn session_with_states(&self, states: States) -> Result<Session, MissingState> {
        self.check_states(&states)?;
        Ok(Session::new(self, states, Openness::Gated))
    }
}
