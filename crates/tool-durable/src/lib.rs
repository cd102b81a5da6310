//! Conversations of `tool-chat` that survive a restart.
//!
//! [`DurableConversations`] opens conversations in a store. Before the conversation continues, each answer of the model and the start and the end of
//! each call are recorded. After a crash, [`resume`](DurableConversation::resume) continues the conversation. No finished call runs again,
//! and a call that may have taken effect is not repeated but reported to the model.
//!
//! ```
//! use tool_chat::model::ScriptedModel;
//! use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
//! use tool_runtime::Toolbox;
//!
//! # pollster::block_on(async {
//! let toolbox = Toolbox::builder().build()?;
//! let setup = ConversationSetup::new(&toolbox, ScriptedModel::new().text("Noon."));
//! let durable = DurableConversations::new(InMemoryStore::new());
//! let mut conversation = durable.open("clock 7", setup.clone()).await?;
//! conversation.ask("What time is it?").await?;
//! drop(conversation); // or the process ends
//!
//! let mut conversation = durable.open("clock 7", setup).await?;
//! assert_eq!(conversation.resume().await?.text(), Some("Noon."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FileStore`] keeps conversations in a folder. [`InMemoryStore`] keeps them in memory, for tests. To write another store, implement
//! [`Store`](store::Store) and [`Log`](store::Log). To run conversations in a workflow system, implement [`Engine`].
//!
//! With the feature `restate`, the module `restate` contains an engine over Restate, for conversations on many machines.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ask_model;
mod call_record_queue;
mod conversation;
mod engine_trait;
mod entry;
mod error;
mod file;
mod health_messages;
mod ingress;
mod listener_event;
mod local_engine;
mod memory;
#[cfg(feature = "restate")]
pub mod restate;
mod setup;
pub mod store;

pub use conversation::{DurableConversation, DurableConversations};
pub use engine_trait::{Engine, drive};
pub use error::DurableError;
pub use file::FileStore;
pub use ingress::{IngressHealth, IngressPost};
pub use listener_event::ListenerEvent;
pub use memory::InMemoryStore;
pub use setup::ConversationSetup;

use tool_runtime::__private_0_1_0 as private;

/// Guides to durable conversations.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/survive-restarts.md")]
    pub mod survive_restarts {}
    #[cfg(feature = "restate")]
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/many-machines.md")]
    pub mod many_machines {}
    #[cfg(feature = "restate")]
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/shared-health.md")]
    pub mod shared_health {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
