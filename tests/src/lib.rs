//! Shared code of the tests: JSON in its text form, values for a shape, and a fixer that only reads hints.
//!
//! The library is never compared with itself, but with crates of others: `serde`, `serde_json`, `jsonschema`, `schemars`.

mod cases;
pub mod deep;
pub mod dialects;
pub mod fixer;
pub mod fixtures;
pub mod generate;
pub mod obedient;
pub mod providers;
pub mod replay;
pub mod rows;
pub mod script;
pub mod source;
pub mod table;
pub mod tree;

pub use cases::cases;
/// Internals with their own tests.
pub use tool_runtime::__private_0_1_0 as private;
