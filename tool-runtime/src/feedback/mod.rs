//! What a model reads: wire JSON of a failure (WIRE §1, §3), the arguments marked up or corrected (WIRE §4), the texts of containers
//! (WIRE §3).
//!
//! In come a [`Failure`](crate::failure::Failure), the faults of a call with its arguments, or the names of a container; out goes text,
//! bounded whatever came in. What always holds: the words of a single fault are those of its issue; here is only how faults are put
//! together.

mod comment;
mod container;
mod example;
mod excerpt;
mod form;
mod markdown;
mod markup;
mod mend;
mod nearest;
mod refusal;
mod sheet;
mod shown;
mod spot;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub(crate) use container::expansion;
pub use container::{container_description, expansion_text};
pub use example::example;
pub use excerpt::marked_up_text;
pub use form::Form;
pub(crate) use form::told;
pub use markdown::markdown;
pub use markup::marked_up;
#[cfg(feature = "testkit")]
pub(crate) use shown::hides;
pub(crate) use shown::without_secrets;
