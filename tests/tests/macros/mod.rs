//! Code that the macros generate, in all kinds of surroundings.

mod derive;
mod descriptions;
mod failure_kinds;
mod flattened;
// Public, because the lint `missing_docs` ignores private modules.
pub mod hygiene;
mod hygiene_no_prelude;
mod keyless;
mod mcp_header;
mod members;
mod null_or_absent;
mod optional_foreign;
mod results;
pub mod strict_surroundings;
pub mod surroundings;
mod tools;
mod user;
