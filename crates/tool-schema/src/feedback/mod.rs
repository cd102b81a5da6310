//! Renders arguments for a model: with their issues, corrected, or without secrets (see `docs/wire.md`).
//!
//! Invariant: the texts are bounded for every input. The text of a single issue comes from the issue; this module only arranges the texts.

pub(crate) mod annotated_arguments;
mod applicable_shapes;
mod comment;
pub(crate) mod corrected_call;
mod example;
mod issue_location;
mod issue_locations;
pub(crate) mod markdown;
pub(crate) mod redact_arguments;
mod replace_invalid_values;
pub(crate) mod syntax_error_excerpt;
mod variant_note;
mod write_arguments;

pub use annotated_arguments::annotated_arguments;
pub use example::example;
pub use markdown::markdown;
pub use syntax_error_excerpt::annotated_invalid_json;
