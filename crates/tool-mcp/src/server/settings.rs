//! The settings of a server, and the users of a server: [`Settings`] and [`Principal`].

use std::sync::Arc;

use rmcp::model::ServerConfig;
use tool_runtime::Toolbox;
use tool_runtime::toolbox::States;

pub(super) type NewStates = dyn Fn(Option<&str>) -> States + Send + Sync;

/// The user that a request comes from, as the host has identified it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Principal(pub(super) String);

/// The settings of a server.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) toolbox: Toolbox,
    pub(super) info: ServerConfig,
    pub(super) unknown_tools_as_results: bool,
    /// Creates the state that a session brings.
    pub(super) states: Arc<NewStates>,
    /// The key of the state that clients bring back; random if there is none.
    pub(super) state_key: Option<Vec<u8>>,
}
