//! Tools whose JSON Schema is known only at run time: [`DynamicTool`], and the schema by itself as [`InputSchema`].
//!
//! In comes a schema (from a file, a front end, another server) and a handler; out goes a tool like any other, or a [`SchemaError`] that
//! names the location in the schema. The schema is read into a [`Shape`](tool_runtime::tool_schema::shape::Shape), so hints, suggestions and repairs are
//! the same code as for typed tools.
//!
//! [`OutputSchemaCheck`] checks the results of any tool against its output schema.
//!
//! # Invariants
//!
//! - A call is accepted exactly where the `jsonschema` crate accepts it; [`InputSchema`] lists the few bounds.
//! - Nothing is fetched, from a file or the network.
//! - A refusal has at least one issue.

mod combine;
mod error;
mod inner;
mod judge;
mod output;
mod read;
mod schema;
mod source;
mod told;
mod tool;

use tool_runtime::__private_0_1_0 as private;

pub use error::SchemaError;
pub use output::OutputSchemaCheck;
pub use read::UnknownFields;
pub use schema::{InputSchema, InputSchemaBuilder};
pub use source::SchemaSource;
pub use tool::{DynamicTool, DynamicToolBuilder};

/// The guide to tools whose schema is known at run time.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/tools-from-a-schema.md")]
    pub mod tools_from_a_schema {}
}

/// The example of the README is compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
