//! Typed tools for language models.
//!
//! A language model calls functions badly: wrong names, wrong types, missing fields, text that is no JSON. Here a call either runs or is
//! answered with the few words that the model needs to get it right next time, and a good call costs what `serde_json` costs.
//!
//! A [`Toolbox`] has all [tools](tool::Tool) and [containers](Container) and checks them as a whole. A [`Session`] is one conversation
//! over it: it says what the model can see ([`Session::definitions`]) and answers every call ([`Session::call`]) with one [`Outcome`].
//!
//! ```
//! use tool_runtime::input::Arguments;
//! use tool_runtime::shape::{Ref, Shape};
//! use tool_runtime::tool::{Invocation, Payload, Tool, ToolSpec};
//! use tool_runtime::{CallContext, Format, Toolbox};
//!
//! struct Ping(ToolSpec);
//!
//! impl Tool for Ping {
//!     fn spec(&self) -> &ToolSpec {
//!         &self.0
//!     }
//!     fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a> {
//!         Invocation::Ready(Ok(Payload::Text(format!("pong {}", cx.call_id()))))
//!     }
//! }
//!
//! let ping = Ping(ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY)));
//! let session = Toolbox::builder().tool(ping).build()?.session();
//! assert!(session.definitions(Format::OpenAi).to_string().contains(r#""name":"ping""#));
//!
//! let outcome = pollster::block_on(session.call("call_1", "Ping", "{}"));
//! assert_eq!((outcome.call_id(), &*outcome.to_text()), ("call_1", "pong call_1"));
//! # Ok::<(), tool_runtime::BuildError>(())
//! ```

mod bounded;
pub mod check;
pub mod container;
pub mod context;
pub mod decode;
pub mod event;
pub mod failure;
pub mod feedback;
pub mod hint;
pub mod input;
pub mod issue;
pub mod json;
mod repair;
pub mod schema;
pub mod session;
pub mod shape;
pub mod suggest;
pub mod tool;
pub mod toolbox;

#[doc(hidden)]
pub mod __private;

pub use container::Container;
pub use context::CallContext;
pub use event::{Observer, ToolEvent};
pub use failure::{Failure, ToolError};
pub use input::ToolInput;
pub use repair::{Repair, RepairRule};
pub use schema::Format;
pub use session::{Outcome, Session};
pub use shape::Rejection;
pub use tool_macros::ToolInput;
pub use toolbox::{BuildError, Toolbox};
