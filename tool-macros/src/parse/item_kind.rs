//! The kinds of items that take `#[tool(…)]`.

use std::fmt;

/// The kind of item on which a `#[tool(…)]` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On a struct or enum that derives `ToolInput`.
    Container,
    /// On a variant of such an enum.
    Variant,
    /// On a field of such a type.
    Field,
    /// On a parameter of a tool.
    Parameter,
    /// Between the parentheses of `inner(…)`.
    Inner,
    /// On a function.
    Function,
    /// On the `impl` block of a container.
    Block,
    /// On a struct or enum that derives `ToolFailure`.
    Error,
    /// On a variant of such an enum.
    Case,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Container => "a struct or enum",
            Self::Variant => "a variant",
            Self::Field => "a field",
            Self::Parameter => "a parameter",
            Self::Inner => "the items of `inner(…)`",
            Self::Function => "a function",
            Self::Block => "a container's `impl` block",
            Self::Error => "an error",
            Self::Case => "a variant of an error",
        })
    }
}
