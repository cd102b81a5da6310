//! The end of a command: [`Ending`] or [`CheckError`].

use std::io;

use super::input::InputError;

/// The result of a completed command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    /// The command found something for which the user has requested a failure.
    Found,
    /// A part of the input could not be used, but the rest was processed.
    Unusable,
}

/// The reason why a command could not continue.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Output(#[from] io::Error),
}
