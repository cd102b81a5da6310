//! The texts for a model: failures as JSON, sentences or Markdown, and the texts of containers (see `docs/wire.md`).
//!
//! Invariant: the texts have a bounded length for every input. The text of a single issue comes from its issue; this module only arranges
//! such texts.

mod container_texts;
mod failure_json;
mod form;
mod message_and_guidance;
mod shown_issues;
#[cfg(test)]
mod tests;

pub use self::container_texts::{description_with_members, expansion_text};
pub(crate) use self::container_texts::{expansion, found_text};
pub use self::form::FeedbackForm;
pub use self::form::render_rejection;
