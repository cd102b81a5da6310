//! The storage of a conversation's object: [`Stored`].

use serde::{Deserialize, Serialize};
use tool_chat::run::Run;
use tool_runtime::session::SessionState;

/// The key of the conversation.
pub(super) const CONVERSATION: &str = "conversation";
/// The key of the calls that wait for the host.
pub(super) const WAITING: &str = "waiting";

/// A conversation as the storage of its object contains it.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) run: Run,
    pub(super) session: SessionState,
}
