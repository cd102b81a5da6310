//! [`Found`]: the results of parsing and checking rejected arguments.

use crate::json::{Json, SyntaxError};

/// The results of parsing and checking rejected arguments.
#[derive(Clone, Debug)]
pub(crate) enum Found<'a> {
    /// There is no result that could be used again.
    Nothing,
    /// The arguments are not one JSON document.
    Syntax(SyntaxError),
    /// The parsed tree, which the checker refuses.
    Refused(Json<'a>),
    /// The parsed tree, in which the checker finds no issue.
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
