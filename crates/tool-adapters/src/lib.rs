//! Chat models of `tool-runtime` over real clients.
//!
//! [`GenAi`] (feature `genai`, on by default) is a [`ChatModel`](tool_chat::model::ChatModel) over the `genai` client: `OpenAI`,
//! Anthropic, Gemini, Ollama, and every server that speaks like `OpenAI`'s chat completions. Feature `rig`, off by default, takes the
//! tools of the `rig` library as ours and gives ours to it.
//!
#![cfg_attr(feature = "genai", doc = "```no_run")]
#![cfg_attr(not(feature = "genai"), doc = "```ignore")]
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
//! # What always holds
//!
//! - The arguments of a call reach the session as the model sent them. Where the API sends text (chat completions, responses, Anthropic's
//!   stream), it is that text, malformed or not; where it sends JSON (Gemini, Ollama, Anthropic without a stream), it is that JSON as text.
//! - What a provider wants back with the answers to its calls goes back as it came: Anthropic's blocks of thoughts, Gemini's signatures,
//!   `reasoning_content` and `reasoning_details` where a server gives them, and encrypted items of the Responses API.
//! - An answer that was broken off is an error and not a short answer.
//! - An answer is never longer than its limits ([`GenAi::max_event_bytes`], [`GenAi::max_stream_bytes`]), and the future of an answer yields
//!   whatever a server sends; [`GenAi::with_client`] is the exception.
//! - No error tells a key, the address with its query, or the request.

#[cfg(feature = "genai")]
mod client;
#[cfg(feature = "rig")]
pub mod rig;

#[cfg(feature = "genai")]
pub use client::GenAi;
/// The client that [`GenAi`] works with, for [`GenAi::with_client`].
#[cfg(feature = "genai")]
pub use genai;

/// The example of the README is compiled like any other.
#[cfg(all(doctest, feature = "genai"))]
#[doc = include_str!("../README.md")]
struct Readme;
