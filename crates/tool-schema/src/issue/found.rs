//! [`Found`]: what was found out about rejected arguments.

use crate::json::{Json, SyntaxError};

/// The facts that are known about rejected arguments.
#[derive(Clone, Debug)]
pub(crate) enum Found<'a> {
    /// Nothing that could be used again.
    Nothing,
    /// They are not one JSON document.
    Syntax(SyntaxError),
    /// They are this tree, which the checker refuses.
    Refused(Json<'a>),
    /// They are this tree, in which the checker finds nothing.
    Accepted(Json<'a>),
}

impl Found<'_> {
    pub(crate) fn into_owned(self) -> Found<'static> {
        match self {
            Self::Nothing => Found::Nothing,
            Self::Syntax(error) => Found::Syntax(error),
            Self::Refused(tree) => Found::Refused(tree.into_owned()),
            Self::Accepted(tree) => Found::Accepted(tree.into_owned()),
        }
    }
}
