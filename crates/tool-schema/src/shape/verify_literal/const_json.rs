//! [`Literal`]: a default or an example, written by a macro.

use crate::json::Number;

/// A JSON value as `const` data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(&'static str),
    /// An array.
    Array(&'static [Self]),
    /// An object, in the order of its source.
    Object(&'static [(&'static str, Self)]),
}
