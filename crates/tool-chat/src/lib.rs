//! The turn loop between a chat model and the tools of `tool-runtime`.
//!
//! A [`Conversation`](conversation::Conversation) has a session and a [`ChatModel`](model::ChatModel). It asks the model, runs the model's
//! calls, returns the results to the model, and repeats this until the model answers without calls, a limit is reached, or a call waits for
//! the host. A [`Transcript`](transcript::Transcript) records everything that happens.
//!
//! ```
//! use tool_chat::conversation::{Conversation, TurnEnd};
//! use tool_chat::model::ScriptedModel;
//! use tool_runtime::{Toolbox, tool};
//!
//! /// Adds two numbers.
//! #[tool]
//! fn add(
//!     /// First summand.
//!     a: f64,
//!     /// Second summand.
//!     b: f64,
//! ) -> f64 {
//!     a + b
//! }
//!
//! let model = ScriptedModel::new().call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
//! let session = Toolbox::builder().tool(AddTool).build()?.session();
//! let end = pollster::block_on(Conversation::new(session, model).ask("What is one and two?"));
//! assert!(matches!(end, TurnEnd::Answered { text, .. } if text == "Three."));
//! # Ok::<(), tool_runtime::BuildError>(())
//! ```
//!
//! The crate `tool-adapters` contains real models. The crate `tool-testkit` tests the calls that a model makes.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod conversation;
pub mod model;
pub mod run;
pub mod transcript;
mod transcript_export;

// Items for `tool-testkit`. The name contains the version of this crate, and `tests/tests/repository/packages.rs` checks that it does.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::conversation::typed_answer::answer_dialect;
    pub use crate::model::scripted::run_with_error_when_exhausted;
}

use tool_runtime::__private_0_1_0 as private;

/// Guides to conversations and chat models.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/conversation.md")]
    pub mod conversation {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/deferred-calls.md")]
    pub mod deferred_calls {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/models.md")]
    pub mod models {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/run.md")]
    pub mod run {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/typed-answers.md")]
    pub mod typed_answers {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
