//! Code that the macros generate, in all kinds of surroundings.

mod derive;
// Public, because the lint `missing_docs` ignores private modules.
pub mod hygiene;
mod hygiene_no_prelude;
mod keyless;
pub mod surroundings;
mod tools;
mod user;
