//! `verify`: a default or an example, checked against its shape by the compiler.
//!
//! In comes a [`Literal`], as a macro writes it down, with the shape and rules of its place; out goes nothing, or a panic in a `const`,
//! which is a compile error with these words under the literal. It follows direct edges and stops silently where no `const fn` can go on
//! (`Lazy` and run-time edges, `Foreign`, `Custom`, `Pattern`, `StringFormat`, `MultipleOf`, `UniqueItems`): `build()` decodes those once.
//! What always holds: a literal that serde would accept at that place never panics.

mod fault;
mod items;
mod literal;
mod names;
mod rules;
#[cfg(test)]
mod tests;
mod variants;
pub(super) mod words;

pub use self::literal::Literal;

use super::{Rule, Shape};

/// Checks a literal against the shape and the rules of its place.
///
/// # Panics
///
/// Where the literal is refused; in a `const` this is a compile error.
#[track_caller]
pub const fn verify(literal: &Literal, shape: &Shape, rules: &[Rule]) {
    if let Some(fault) = fault::fault(literal, shape, rules) {
        panic!("{}", fault.words().as_str());
    }
}
