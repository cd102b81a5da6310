//! Tools whose JSON Schema is only known at run time: [`DynamicTool`], and the schema by itself as [`InputSchema`].
//!
//! In comes a schema (from a file, a front end, another server) and a handler; out goes a tool like any other, or a [`SchemaError`] that
//! names the place. The schema becomes a [`Shape`](crate::shape::Shape), so hints, suggestions and answers are the same code as for typed
//! tools; the `jsonschema` crate has the last word about every call. What always holds: a call is accepted exactly where `jsonschema`
//! accepts it (see [`InputSchema`] for the few bounds), nothing is fetched, and a refusal has at least one issue.

mod error;
mod finding;
mod judge;
mod read;
mod schema;
mod source;
mod told;
mod tool;

pub use error::SchemaError;
pub use read::UnknownFields;
pub use schema::{InputSchema, InputSchemaBuilder};
pub use source::Source;
pub use tool::{DynamicTool, DynamicToolBuilder};
