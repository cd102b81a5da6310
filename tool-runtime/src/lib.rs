//! Typed tools for language models.
//!
//! A language model calls functions badly: wrong names, wrong types, missing fields, text that is not valid JSON. Here a call either runs or is
//! answered with the few words that the model needs to get it right next time, and a good call costs what `serde_json` costs.
//!
//! A [`Toolbox`] has all [tools](tool::Tool) and [containers](Container) and checks them as a whole. A [`Session`] is one conversation
//! over it: it says what the model can see ([`Session::definitions`]) and answers every call ([`Session::call`]) with one [`Outcome`].
//!
//! ```
//! use tool_runtime::{Format, Toolbox, tool};
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
//! assert!(session.definitions(Format::OpenAi).to_string().contains(r#""maxLength":80"#));
//!
//! let outcome = session.call("call_1", "get_weather", r#"{"location": "Paris, France", "days": 3}"#).await;
//! assert_eq!(outcome.to_text(), "Paris, France: sun for 3 days");
//!
//! let outcome = session.call("call_2", "get_weather", r#"{"city": "Paris", "days": 30}"#).await;
//! let issues = outcome.failure().map(|failure| failure.issues().len());
//! assert_eq!(issues, Some(3)); // `location` is missing, `days` is too large, `city` is unknown
//! # Ok::<(), tool_runtime::BuildError>(())
//! # }).map_err(|error| error.to_string())?;
//! # Ok::<(), String>(())
//! ```
//!
//! The loop around any model client: every call is answered under its id, and the answers go back to the model.
//!
//! ```
//! use tool_runtime::{Format, Session};
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
//!         let message = client.complete(messages, session.definitions(Format::OpenAi)).await?;
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
//! What a user writes: [`tool`](macro@tool) on functions, [`plugin_container`] on `impl` blocks, [`ToolInput`](derive@ToolInput) beside
//! `Deserialize` on the types of their parameters. `docs/attributes.md` in the repository lists every attribute, `docs/wire.md` (here: WIRE)
//! is what a model reads, word for word.
//!
//! # Modules
//!
//! | you want to | look at |
//! | --- | --- |
//! | set up tools, limits, hooks and guards of results | [`toolbox`] |
//! | answer calls, in batches or one by one, and calls that wait for a human | [`session`] |
//! | group tools behind a container | [`container`] |
//! | write a tool without the macro, or return a [payload](tool::Payload) | [`tool`](mod@tool) |
//! | say what went wrong, and what the model should do | [`failure`] |
//! | approve or deny calls before they run | [`hook`] |
//! | change what stops loops | [`throttle`] |
//! | record every decision | [`event`] |
//! | move time in tests | [`clock`] |
//! | work with shapes, schemas, issues and repairs themselves | [`tool_schema`] |
//!
//! # Features
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `pattern` (default) | `#[tool(pattern = "…")]`, judged in linear time |
//! | `rc` (default) | `Arc` in arguments |
//! | `tokio` | a clock with timers: `clock::TokioClock` |
//! | `tracing` | a span for each call, an event for each decision |
//! | `jiff02`, `uuid1`, `url2` | types of other crates as arguments |
//!
//! No feature changes the outcome of a call. Crates that build on this one: `tool-dynamic` (tools whose JSON Schema is known only at run time),
//! `tool-chat` (the turn loop), `tool-testkit` (expectations), `tool-adapters` (chat models over real clients), `toolbox` (the command).

mod caught;
pub mod clock;
pub mod container;
mod context;
pub mod event;
pub mod failure;
mod feedback;
pub mod hook;
mod response;
pub mod session;
pub mod throttle;
pub mod tool;
pub mod toolbox;

#[doc(hidden)]
pub mod __private;

/// The examples of these pages are compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../../docs/attributes.md")]
struct AttributesPage;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/broken-json.md")]
struct BrokenJsonGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/coercion.md")]
struct CoercionGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/coming-from.md")]
struct ComingFromGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/containers.md")]
struct ContainersGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/dialects.md")]
struct DialectsGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/errors.md")]
struct ErrorsGuide;
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/throttling.md")]
struct ThrottlingGuide;
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use container::Container;
pub use context::CallContext;
pub use failure::{Failure, ToolError, ToolFailure};
pub use session::{Outcome, Session};
pub use tool::TypedTool;
pub use tool_macros::{ToolFailure, ToolInput, plugin_container, tool};
pub use tool_schema;
pub(crate) use tool_schema::__private::{bounded, hash, visible};
pub use tool_schema::hint::RetryHint;
pub use tool_schema::input::{Arguments, ToolInput};
pub use tool_schema::repair::{Repair, RepairPolicy};
pub use tool_schema::{Format, Issue, Rejection, ValidationError};
pub(crate) use tool_schema::{check, decode, dialect, hint, input, issue, json, repair, schema, shape, suggest};
pub use toolbox::{BuildError, Toolbox};
