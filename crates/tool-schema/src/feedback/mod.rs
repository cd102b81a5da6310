//! Arguments as a model reads them back: marked up with their issues, corrected, or without secrets (WIRE §4).
//!
//! In come arguments and the issues of a call; out goes text, bounded whatever came in. Invariant: the words of a single issue are those of
//! the issue itself; this module only decides how they are put together.

mod comment;
mod example;
pub(crate) mod excerpt;
pub(crate) mod markdown;
pub(crate) mod markup;
mod mend;
mod nearest;
mod sheet;
pub(crate) mod shown;
mod spot;
mod spots;
mod view;

pub use example::example;
pub use excerpt::marked_up_text;
pub use markdown::markdown;
pub use markup::marked_up;
