//! How a command ended: [`Ending`], or [`CheckError`].

use std::io;

use super::input::InputError;

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    /// Something was found that the caller wanted to fail on.
    Found,
    /// Part of the input could not be used; the rest was.
    Unusable,
}

/// Why a command could not go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Output(#[from] io::Error),
}
