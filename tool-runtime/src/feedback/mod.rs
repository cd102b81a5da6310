//! What a model reads: wire JSON of a failure (WIRE §1, §3) and the texts of containers (WIRE §3).
//!
//! In come a [`Failure`](crate::failure::Failure) or the names of a container; out goes JSON text or a sentence, bounded whatever came in.
//! What always holds: the words of a single fault are those of its issue; here is only how faults are put together.

mod container;
mod refusal;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use container::expansion;
pub use container::{container_description, expansion_text};
