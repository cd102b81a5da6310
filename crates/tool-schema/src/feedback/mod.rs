//! Renders arguments for a model: with their issues, corrected, or without secrets (see `docs/wire.md`).
//!
//! Invariant: the texts are bounded for every input. The text of a single issue comes from the issue; this module only arranges the texts.

mod annotation;
mod annotations;
mod comment;
pub(crate) mod corrected_call;
mod example;
pub(crate) mod excerpt;
mod layout;
pub(crate) mod markdown;
pub(crate) mod markup;
mod replace_values;
mod shape_view;
mod variant_note;
pub(crate) mod without_secrets;

pub use example::example;
pub use excerpt::marked_up_text;
pub use markdown::markdown;
pub use markup::marked_up;
