//! Arguments as a model reads them back: marked up with their issues, corrected, or without secrets (WIRE §4).
//!
//! In come arguments and the issues of a call; out goes text, bounded whatever came in. Invariant: the words of a single issue are those of
//! the issue itself; this module only decides how they are put together.

mod comment;
mod example;
mod excerpt;
mod markdown;
mod markup;
mod mend;
mod nearest;
mod sheet;
mod shown;
mod spot;
mod spots;
mod view;

pub use example::example;
pub use excerpt::marked_up_text;
pub use markdown::markdown;
pub use markup::marked_up;
#[doc(hidden)]
pub use shown::{hides, without_secrets};

/// The same texts within a smaller budget, for a text that has more than them.
#[doc(hidden)]
pub mod parts {
    pub use super::excerpt::fenced;
    pub use super::markdown::{of_text as markdown_of_text, within as markdown_within};
    pub use super::markup::{BUDGET, within as marked_up_within};
}
