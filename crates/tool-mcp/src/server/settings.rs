//! The settings of a server, and the users of a server: [`Settings`] and [`Principal`].

use std::sync::Arc;

use rmcp::model::ServerConfig;
use tool_runtime::toolbox::{MissingSessionState, NeedsSessionState, States, Toolbox};

pub(super) type NewStates = dyn Fn(Option<&str>) -> States + Send + Sync;

/// The name of the user who sent a request, as identified by the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Principal(pub(super) String);

/// The settings of a server.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) toolbox: Toolbox<NeedsSessionState>,
    pub(super) info: ServerConfig,
    pub(super) unknown_tools_as_results: bool,
    /// The function that creates the states of a session, if the host has set one.
    pub(super) states: Option<Arc<NewStates>>,
    /// The key that seals the state which clients send back; `None` for a random key.
    pub(super) state_key: Option<Vec<u8>>,
}

impl Settings {
    /// Returns the states for the session of a user.
    pub(super) fn states(&self, user: Option<&Principal>) -> States {
        self.states.as_ref().map_or_else(States::new, |states| states(user.map(|user| user.0.as_str())))
    }

    /// Fails if the session of a client without a user lacks a state that the toolbox declares.
    pub(super) fn check_states(&self) -> Result<(), MissingSessionState> {
        self.toolbox.session_with_states(self.states(None)).map(drop)
    }
}
