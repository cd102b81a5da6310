//! The storage of a conversation's object: [`Stored`].

use serde::{Deserialize, Serialize};
use tool_chat::run::Run;
use tool_runtime::session::SessionState;

/// The key under which the conversation is stored.
pub(super) const CONVERSATION: &str = "conversation";
/// The key under which the calls that wait for the host are stored.
pub(super) const WAITING: &str = "waiting";

/// A conversation, in the form in which the storage of its object contains it.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) run: Run,
    pub(super) session: SessionState,
}
