//! `assert_literal_fits`: compares defaults and examples with their shape at compile time.
//!
//! A wrong [`Literal`] panics in a `const`, which is a compile error at the literal. The check follows direct edges and skips parts that a
//! `const fn` cannot check (`Lazy` and run-time edges, `Foreign`, `Custom`, `Pattern`, `StringFormat`, `MultipleOf`, `UniqueItems`);
//! `build()` decodes the literals with such parts once. Invariant: a literal that serde would accept never causes a panic.

mod const_json;
mod const_name_eq;
mod items;
mod literal_error;
mod literal_rules;
pub(super) mod message;
#[cfg(test)]
mod tests;
mod union_literal;

pub use self::const_json::Literal;
pub(super) use self::const_name_eq::same;

use super::{Rule, Shape};

/// Checks a literal against its shape and rules.
///
/// # Panics
///
/// Panics if the literal is rejected; in a `const` this is a compile error.
#[track_caller]
pub const fn assert_literal_fits(literal: &Literal, shape: &Shape, rules: &[Rule]) {
    if let Some(fault) = literal_error::fault(literal, shape, rules) {
        panic!("{}", fault.words().as_str());
    }
}
