//! Rules that need more than one attribute, or a language of their own: raw settings in, the checked model out.
//!
//! What always holds: whatever is wrong is noted in `Errors`, and a value that depends on it is left out of the model, so that no
//! mistake is reported twice.

mod bound;
mod field;
mod input;
mod lifetime;
mod literal;
mod name;
pub(crate) mod pattern;
mod rule;
mod variant;

pub(crate) use input::input;
