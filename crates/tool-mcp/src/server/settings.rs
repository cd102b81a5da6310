//! The settings of a server, and the users of a server: [`Settings`] and [`Principal`].

use std::sync::Arc;

use rmcp::model::ServerConfig;
use tool_runtime::Toolbox;
use tool_runtime::toolbox::States;

pub(super) type NewStates = dyn Fn(Option<&str>) -> States + Send + Sync;

/// The name of the user who sent a request, as identified by the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Principal(pub(super) String);

/// The settings of a server.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) toolbox: Toolbox,
    pub(super) info: ServerConfig,
    pub(super) unknown_tools_as_results: bool,
    /// The function that creates the states of a session.
    pub(super) states: Arc<NewStates>,
    /// The key that seals the state which clients send back; `None` for a random key.
    pub(super) state_key: Option<Vec<u8>>,
}
