//! Typed tools for language models.
//!
//! Write a function and put `#[tool]` on it. The model sees a JSON Schema of its parameters. Checking and decoding valid arguments costs
//! about as much as parsing them with `serde_json`. A call with the right values in the wrong form (`"5"` instead of 5, a missing bracket)
//! is repaired and runs. Every other call is answered with the information that the model needs for its next attempt.
//!
//! # A tool and its calls
//!
//! ```
//! use tool_runtime::{Toolbox, tool};
//!
//! /// Current weather for a city.
//! #[tool]
//! async fn get_weather(
//!     /// City and country.
//!     #[tool(length(min = 1, max = 80), example = "Paris, France")]
//!     location: String,
//!     /// Days of forecast.
//!     #[tool(range(min = 1, max = 14))]
//!     days: Option<u8>,
//! ) -> String {
//!     format!("{location}: sun for {} days", days.unwrap_or(1))
//! }
//!
//! # pollster::block_on(async {
//! let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
//! assert!(session.definitions().to_string().contains(r#""maxLength":80"#));
//!
//! let outcome = session.call("call_1", "get_weather", r#"{"location": "Paris, France", "days": 3}"#).await;
//! assert_eq!(outcome.to_text(), "Paris, France: sun for 3 days");
//!
//! // Nothing runs here; `outcome.to_text()` tells the model about each issue.
//! let outcome = session.call("call_2", "get_weather", r#"{"city": "Paris", "days": 30}"#).await;
//! let issues = outcome.failure().map(|failure| failure.issues().len());
//! assert_eq!(issues, Some(3)); // `location` is missing, `days` is too large, `city` is unknown
//! # Ok::<(), tool_runtime::BuildError>(())
//! # }).map_err(|error| error.to_string())?;
//! # Ok::<(), String>(())
//! ```
//!
//! A [`Toolbox`] holds the tools and checks them together when it is built. A [`Session`] is one conversation with these tools: it lists
//! the tools that the model can call ([`Session::definitions`]) and answers each call ([`Session::call`]) with one [`Outcome`].
//!
//! # The loop around a model
//!
//! Every call is answered under its id, and the answers go back to the model. `tool-chat` contains this loop.
//!
//! ```
//! use tool_runtime::Session;
//! # struct Call { id: &'static str, name: &'static str, arguments: &'static str }
//! # struct Message { text: &'static str, tool_calls: Vec<Call> }
//! # struct Client(std::vec::IntoIter<Message>);
//! # impl Client {
//! #     async fn complete(&mut self, _: &[String], _: impl std::fmt::Display) -> Option<Message> { self.0.next() }
//! # }
//! # fn tool_message(call_id: &str, text: &str) -> String { format!("{call_id}: {text}") }
//!
//! async fn converse(client: &mut Client, session: &Session, messages: &mut Vec<String>) -> Option<&'static str> {
//!     loop {
//!         let message = client.complete(messages, session.definitions()).await?;
//!         if message.tool_calls.is_empty() {
//!             return Some(message.text);
//!         }
//!         for call in &message.tool_calls {
//!             let outcome = session.call(call.id, call.name, call.arguments).await;
//!             messages.push(tool_message(outcome.call_id(), &outcome.to_text()));
//!         }
//!     }
//! }
//! # let session = tool_runtime::Toolbox::builder().build()?.session();
//! # let call = Call { id: "call_1", name: "now", arguments: "{}" };
//! # let said = vec![Message { text: "", tool_calls: vec![call] }, Message { text: "Noon.", tool_calls: vec![] }];
//! # let (mut client, mut messages) = (Client(said.into_iter()), Vec::new());
//! # assert_eq!(pollster::block_on(converse(&mut client, &session, &mut messages)), Some("Noon."));
//! # assert!(messages[0].starts_with("call_1: {\"error_type\":\"unknown_tool\""));
//! # Ok::<(), tool_runtime::BuildError>(())
//! ```
//!
//! # Where to find things
//!
//! The attributes are [`tool`](macro@tool) on functions, [`plugin_container`] on `impl` blocks, and [`ToolInput`](derive@ToolInput) beside
//! `Deserialize` on the types of parameters. The guides [attributes](_guides::attributes) and [tool attributes](_guides::tool_attributes)
//! list all their keys. The other [guides](_guides) explain one task each. The file `docs/wire.md` of the repository lists every text that
//! a model reads.
//!
//! | you want to | look at |
//! | --- | --- |
//! | set up tools, limits, hooks and checks of results | [`toolbox`] |
//! | answer calls, alone or in batches, and calls that wait for a human | [`session`] |
//! | group tools so that the model expands them when it needs them | [`container`] |
//! | write a tool without the macro, or return a [payload](tool::Payload) | [`tool`](mod@tool) |
//! | say what went wrong and what the model should do | [`failure`] |
//! | approve or deny calls before they run | [`hook`] |
//! | change when repeated and failing calls are stopped | [`throttle`] |
//! | observe every decision | [`event`] |
//! | control time in tests | [`clock`] |
//! | work with schemas, issues and repairs themselves | [`tool_schema`] |
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `pattern` (default) | `#[tool(pattern = "…")]`, checked in linear time |
//! | `rc` (default) | `Arc` in arguments |
//! | `tokio` | a clock with timers: `clock::TokioClock` |
//! | `tracing` | a span for each call, an event for each decision |
//! | `chrono04`, `jiff02`, `rust_decimal1`, `url2`, `uuid1` | types of other crates as arguments |
//!
//! No feature changes the outcome of a call.
//!
//! # Crates on top
//!
//! `tool-dynamic`: tools whose JSON Schema is known only at run time. `tool-chat`: the loop between a model and a session. `tool-adapters`:
//! chat models that use the clients of other crates. `tool-testkit`: expectations about the calls of a model. `toolbox`: the command-line
//! program.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod catch_panic;
pub mod clock;
pub mod container;
mod context;
pub mod event;
pub mod failure;
mod feedback;
pub mod hook;
mod result_guard;
mod search;
pub mod session;
mod spill;
pub mod throttle;
pub mod tool;
pub mod toolbox;

mod __private;

// The name of this module contains the version, so that code generated by another version of the macros does not compile. A test compares
// the versions.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::__private::*;
}

/// Guides, one page for each task.
///
/// # Run an example
///
/// A block of Rust is the body of `fn main() -> Result<(), Box<dyn std::error::Error>>` with `Ok(())` as its last line. In addition to
/// `tool-runtime`, it needs the crates in its `use` lines and paths. These are often `pollster` or another executor, `serde` with the
/// feature `derive`, and `serde_json`.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/attributes.md")]
    pub mod attributes {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/broken-json.md")]
    pub mod broken_json {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/coercion.md")]
    pub mod coercion {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/coming-from.md")]
    pub mod coming_from {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/coming-from-rig.md")]
    pub mod coming_from_rig {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/containers.md")]
    pub mod containers {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/dialects.md")]
    pub mod dialects {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/errors.md")]
    pub mod errors {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/events.md")]
    pub mod events {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/feedback.md")]
    pub mod feedback {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/host-parameters.md")]
    pub mod host_parameters {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/hundreds-of-tools.md")]
    pub mod hundreds_of_tools {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/long-results.md")]
    pub mod long_results {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/model-text.md")]
    pub mod model_text {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/names.md")]
    pub mod names {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/results.md")]
    pub mod results {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/running.md")]
    pub mod running {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/saving.md")]
    pub mod saving {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/secrets.md")]
    pub mod secrets {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/state.md")]
    pub mod state {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/throttle-settings.md")]
    pub mod throttle_settings {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/throttling.md")]
    pub mod throttling {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/tool-attributes.md")]
    pub mod tool_attributes {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/types.md")]
    pub mod types {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/update-some-fields.md")]
    pub mod update_some_fields {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/your-own-types.md")]
    pub mod your_own_types {}
}

/// The example of the README is compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use container::Container;
pub use context::CallContext;
pub use failure::{Failure, ToolError, ToolFailure};
pub(crate) use private::{
    bounded, check, decode, fast_hash, find_parameter_markup, hint, input, issue, json, repair, schema, shape, suggest,
    tool_names, visible,
};
pub use session::{Outcome, Session};
pub use tool::TypedTool;
pub use tool_macros::{ToolFailure, ToolInput, plugin_container, tool};
pub use tool_schema;
pub(crate) use tool_schema::__private_0_1_0 as private;
pub use tool_schema::hint::RetryHint;
pub use tool_schema::input::{Arguments, ToolInput, double_option};
pub use tool_schema::repair::{Repair, RepairPolicy};
pub use tool_schema::{CustomRuleError, Dialect, Issue, ValidationError};
pub use toolbox::{BuildError, FeedbackForm, Toolbox};
