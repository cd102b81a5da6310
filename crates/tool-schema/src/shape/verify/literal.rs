//! [`Literal`]: a default or an example, as a macro writes it down.

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
    /// An object, in the order in which it was written.
    Object(&'static [(&'static str, Self)]),
}
