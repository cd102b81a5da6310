//! A running turn: [`Turn`].

use super::corrections::Corrections;
use super::limits::Spent;
use crate::model::{Response, ToolChoice};

/// A running turn.
pub(super) struct Turn {
    /// The number of the prompt, from 0.
    pub(super) number: usize,
    /// The number of the current or next answer of the model.
    pub(super) step: usize,
    pub(super) spent: Spent,
    pub(super) corrections: Corrections,
    /// The tool choice of the next request; later requests are not restricted by it.
    pub(super) choice: Option<ToolChoice>,
    /// The prose with which the model answered although a call was required.
    pub(super) prose: Option<Response>,
}

impl Turn {
    pub(super) fn new(number: usize, spent: Spent) -> Self {
        Self { number, step: 0, spent, corrections: Corrections::default(), choice: None, prose: None }
    }
}
