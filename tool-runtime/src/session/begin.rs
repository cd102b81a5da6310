//! Begins sessions, with or without states of their own.
//!
//! In: a toolbox, and the session's own states. Out: a session. Invariant: a session that was begun with states has every state that the
//! toolbox declares.

use super::{Openness, Session};
use crate::context::States;
use crate::toolbox::{MissingSessionState, Toolbox};

impl Toolbox {
    /// Begins a conversation without state of its own. If the toolbox [declares](crate::toolbox::ToolboxBuilder::require_session_state) such a state,
    /// use [`session_with`](Self::session_with).
    pub fn session(&self) -> Session {
        Session::new(self, States::new(), Openness::Gated)
    }
}

impl<S> Toolbox<S> {
    /// Begins a conversation with its own state, such as the user who is logged in.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// struct User(&'static str);
    ///
    /// /// Greets the user.
    /// #[tool]
    /// fn greet(#[tool(state)] user: &User) -> String {
    ///     format!("Hello, {}!", user.0)
    /// }
    ///
    /// let toolbox = Toolbox::builder().require_session_state::<User>().tool(GreetTool).build()?;
    /// let session = toolbox.session_with(User("Ada"))?;
    /// assert_eq!(pollster::block_on(session.call("call_1", "greet", "{}")).to_text(), "Hello, Ada!");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error that names every declared state that is not provided.
    pub fn session_with<T: Send + Sync + 'static>(&self, state: T) -> Result<Session, MissingSessionState> {
        self.session_with_states(States::new().with(state))
    }

    /// Begins a conversation with several states of its own.
    ///
    /// # Errors
    ///
    /// Returns an error that names every declared state that is not provided.
    pub fn session_with_states(&self, states: States) -> Result<Session, MissingSessionState> {
        self.check_states(&states)?;
        Ok(Session::new(self, states, Openness::Gated))
    }
}
