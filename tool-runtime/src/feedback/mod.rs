//! What a model reads: wire JSON of a failure (WIRE §1, §3), the arguments marked up or corrected (WIRE §4), the texts of containers
//! (WIRE §3).
//!
//! In come a [`Failure`](crate::failure::Failure), the faults of a call with its arguments, or the names of a container; out goes text,
//! bounded whatever came in. What always holds: the words of a single fault are those of its issue; here is only how faults are put
//! together.

mod container;
mod fault;
mod form;
mod refusal;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use self::container::expansion;
pub use self::container::{container_description, expansion_text};
pub use self::form::Form;
pub use self::form::told;
