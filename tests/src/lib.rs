//! What the tests of this package share: JSON as it is written, values for a shape, and the fixer that reads nothing but hints.
//!
//! The library itself judges nothing. Judges are crates that we did not write: `serde`, `serde_json`, `jsonschema`, `schemars`.

mod cases;
pub mod deep;
pub mod fixer;
pub mod generate;
pub mod obedient;
pub mod providers;
pub mod rows;
pub mod script;
pub mod source;
pub mod table;
pub mod tree;

pub use cases::cases;
/// Internals that have tests of their own.
pub use tool_runtime::__private_0_1_0 as private;
