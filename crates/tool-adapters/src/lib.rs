//! Chat models of real providers for `tool-chat`, and an adapter for the tools of `rig`.
//!
//! No feature is on by default:
//!
//! - `genai`: [`GenAi`] is a [`ChatModel`](tool_chat::model::ChatModel) over the `genai` client. It supports `OpenAI`, Anthropic, Gemini,
//!   Ollama, and every server that is compatible with `OpenAI`'s chat completions.
//! - `genai-http`: the same without TLS, for servers whose address begins with `http://`.
//! - `rig`: converts tools between the `rig` library and this framework, in both directions.
//!
#![cfg_attr(feature = "genai-http", doc = "```no_run")]
#![cfg_attr(not(feature = "genai-http"), doc = "```ignore")]
//! use tool_adapters::GenAi;
//! use tool_chat::conversation::Conversation;
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
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let model = GenAi::openai_compatible("http://127.0.0.1:11434/v1", "qwen3", None);
//! let session = Toolbox::builder().tool(AddTool).build()?.session();
//! let end = Conversation::new(session, model).ask("What is 19.5 and 22.5?").await;
//! println!("{}", end.text().unwrap_or("no answer"));
//! # Ok(())
//! # }
//! ```
//!
//! # Invariants
//!
//! - The arguments of a call reach the session as the model sent them. If the API sends text (chat completions, Responses, Anthropic's
//!   streams), it is that text, even if it is malformed. If the API sends JSON (Gemini, Ollama, Anthropic without streaming), it is that
//!   JSON as text.
//! - Data that a provider wants back with the results of its calls is sent back unchanged: Anthropic's thinking blocks, Gemini's
//!   signatures, `reasoning_content` and `reasoning_details`, and encrypted items of the Responses API.
//! - An answer that breaks off is an error and not a short answer.
//! - An answer never exceeds its limits ([`GenAi::max_event_bytes`], [`GenAi::max_stream_bytes`]), and its future yields whatever a server
//!   sends. The only exception is [`GenAi::from_client`].
//! - No error contains a key, the address with its query, or the request.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "genai-http", feature = "rig"))]
mod definition_parts;
#[cfg(feature = "genai-http")]
mod genai_model;
#[cfg(feature = "rig")]
pub mod rig;

/// The client that [`GenAi`] uses, for [`GenAi::from_client`].
#[cfg(feature = "genai-http")]
pub use genai;
#[cfg(feature = "genai-http")]
pub use genai_model::GenAi;

/// Compiles the example of the README.
#[cfg(all(doctest, feature = "genai-http"))]
#[doc = include_str!("../README.md")]
struct Readme;
