//! Conversations on many machines, with [Restate] (feature `restate`).
//!
//! [`Conversations`] contains handlers that Restate calls. Each conversation is a virtual object `ToolConversation`. Therefore, a
//! conversation has only one writer at a time, and its state is in the storage of the object. The handler `ask` drives a turn. In the
//! journal of the turn, each answer of the model is a step, and each call of a tool is an invocation of the service `ToolCalls`, which may
//! run on another machine. If a machine stops, Restate calls the handlers again on another machine, and they continue where the journal
//! ends.
//!
//! | handler of `ToolConversation` | input | output |
//! | --- | --- | --- |
//! | `ask` | a prompt, as a JSON string | the [`TurnEnd`](tool_chat::conversation::TurnEnd) of the turn |
//! | `waiting` | – | the calls that wait for the host, as [`AwaitingCall`]s |
//! | `answer` | an [`AnsweredCall`] | – |
//! | `history` | – | the [`Run`](tool_chat::run::Run) as it was when the last turn ended or began to wait; `null` for a new conversation |
//!
//! With [`ConversationSetup::answer_type`], the end of each turn has a value of a type, or says why not. The model reads each rejection of an
//! answer, which is a part of the step in the journal.
//!
//! [Restate]: https://restate.dev

mod conversation_setup;
mod deferred_calls;
mod engine;
mod health;
mod object;
mod running_calls;
mod sharing;
mod steps;
mod storage;
mod tools;

use std::fmt;
use std::sync::Arc;

pub use deferred_calls::{AnsweredCall, AwaitingCall, HostAnswer};
pub use health::HealthSummary;
use restate_sdk::endpoint::{Builder, Endpoint};
pub use sharing::HealthSharing;

use crate::setup::ConversationSetup;
use conversation_setup::Setup;
use health::ToolHealthObject;
use object::ToolConversation;
use tools::ToolCalls;

/// The handlers of conversations. Restate calls them over HTTP, or in another way that its SDK supports.
///
/// A function of the host returns the tools, the model and the settings for the id of a conversation. It is called on each machine that
/// continues the conversation or runs one of its calls. The model must not keep data of a conversation in memory.
///
/// ```
/// use tool_chat::model::ScriptedModel;
/// use tool_durable::ConversationSetup;
/// use tool_durable::restate::Conversations;
/// use tool_runtime::Toolbox;
///
/// let toolbox = Toolbox::builder().build()?;
/// let model = ScriptedModel::from_fn(|_| Ok(tool_chat::model::Response::from_text("Noon.")));
/// let conversations = Conversations::new(move |_id| ConversationSetup::new(&toolbox, model.clone()));
/// let endpoint = conversations.endpoint(); // for `restate_sdk::http_server::HttpServer::new(endpoint)`
/// # let _ = endpoint;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Conversations {
    setup: Arc<Setup>,
    sharing: Option<HealthSharing>,
}

impl Conversations {
    /// Creates the handlers. The function receives the id of a conversation.
    pub fn new(setup: impl Fn(&str) -> ConversationSetup + Send + Sync + 'static) -> Self {
        Self { setup: Arc::new(setup), sharing: None }
    }

    /// Shares the health of tools: if a tool fails or is rate limited in one conversation, it is paused for all conversations. All workers
    /// need the same settings.
    #[must_use]
    pub fn share_health(mut self, sharing: HealthSharing) -> Self {
        self.sharing = Some(sharing);
        self
    }

    /// Adds the handlers to an endpoint that may also serve other services.
    pub fn bind(self, builder: Builder) -> Builder {
        let Self { setup, sharing } = self;
        let builder = match &sharing {
            Some(sharing) => builder.bind(ToolHealthObject(sharing.clone())),
            None => builder,
        };
        let conversation = ToolConversation { setup: Arc::clone(&setup), sharing: sharing.clone() };
        builder.bind(conversation).bind(ToolCalls { setup, sharing })
    }

    /// Returns an endpoint that only serves these handlers.
    pub fn endpoint(self) -> Endpoint {
        self.bind(Endpoint::builder()).build()
    }
}

impl fmt::Debug for Conversations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversations").finish_non_exhaustive()
    }
}
