//! Turns parsed settings into the checked model. It checks that settings fit each other, and it checks texts in a language of their own,
//! such as patterns.
//!
//! Invariant: each mistake is noted in `Errors`, and values that depend on a mistake are left out of the model, so no mistake is reported
//! twice.

mod block;
mod bound;
mod failure;
mod field;
mod input;
mod lifetime;
mod literal;
mod name;
mod option;
mod parameter;
pub(crate) mod pattern;
mod payload;
mod rule;
mod signature;
mod throttle;
mod tool;
mod variant;

pub(crate) use block::container;
pub(crate) use failure::failure;
pub(crate) use input::{borrows, input};
pub(crate) use signature::reject_method;
pub(crate) use tool::{default_runtime, function, type_name};
