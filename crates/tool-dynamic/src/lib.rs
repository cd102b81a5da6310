//! Tools whose JSON Schema is only known at run time: [`DynamicTool`] is such a tool, and [`InputSchema`] is the schema alone.
//!
//! A schema from a file, a front end or another server, together with a handler, becomes a tool like any other. If the schema is invalid, a
//! [`SchemaError`] names the location of the issue. The schema is converted to a [`Shape`](tool_runtime::tool_schema::shape::Shape), so
//! hints, suggestions and repairs use the same code as for typed tools.
//!
//! [`JsonSchemaOutputCheck`] checks the results of any tool against its output schema.
//!
//! # Invariants
//!
//! - A call is accepted if and only if the `jsonschema` crate accepts it, apart from the few bounds that [`InputSchema`] lists.
//! - Nothing is fetched from files or the network.
//! - A rejection has at least one issue.

mod compiled;
mod error;
mod jsonschema_error;
mod merge_jsonschema_issues;
mod output;
mod poisoning;
mod raw_schema;
mod schema;
mod step_limit;
mod to_shape;
mod tool;
mod validate;

use tool_runtime::__private_0_1_0 as private;

pub use error::SchemaError;
pub use output::JsonSchemaOutputCheck;
pub use raw_schema::RawSchema;
pub use schema::{InputSchema, InputSchemaBuilder};
pub use to_shape::UnknownFields;
pub use tool::{DynamicTool, DynamicToolBuilder};

/// Items for our other crates. May change with every version.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use super::poisoning::{PoisoningSign, poisoning};
}

/// Guides to tools whose schema is known at run time.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/titles-and-output-schemas.md")]
    pub mod titles_and_output_schemas {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/tools-from-a-schema.md")]
    pub mod tools_from_a_schema {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
