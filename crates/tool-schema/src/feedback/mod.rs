//! Renders arguments for a model: with their issues, corrected, or without secrets (see `docs/wire.md`).
//!
//! Invariant: the texts are bounded for every input. The text of a single issue comes from the issue; this module only arranges the texts.

mod annotation;
mod annotations;
mod comment;
mod example;
pub(crate) mod excerpt;
pub(crate) mod line;
pub(crate) mod markdown;
pub(crate) mod markup;
mod mend;
mod shape_view;
mod sheet;
pub(crate) mod shown;
mod variant_note;

pub use example::example;
pub use excerpt::marked_up_text;
pub use markdown::markdown;
pub use markup::marked_up;
