//! Rules that need more than one attribute, or a language of their own: raw settings in, the checked model out.
//!
//! What always holds: whatever is wrong is noted in `Errors`, and a value that depends on it is left out of the model, so that no
//! mistake is reported twice.

mod block;
mod bound;
mod field;
mod input;
mod lifetime;
mod literal;
mod name;
mod parameter;
pub(crate) mod pattern;
mod payload;
mod rule;
mod signature;
mod throttle;
mod tool;
mod variant;

pub(crate) use block::container;
pub(crate) use input::{borrows, input};
pub(crate) use signature::refuse_method;
pub(crate) use tool::{default_runtime, function, type_name};
