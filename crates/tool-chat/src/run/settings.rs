//! Settings of a run.

use serde::{Deserialize, Serialize};

use super::TurnLimits;
use crate::model::Options;

/// The settings of a run. They are stored with the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) instructions: String,
    pub(crate) limits: TurnLimits,
    pub(crate) options: Options,
    pub(crate) forces: bool,
    pub(crate) waits: bool,
    pub(crate) has_unique_ids: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            instructions: String::new(),
            limits: TurnLimits::default(),
            options: Options::default(),
            forces: true,
            waits: true,
            has_unique_ids: true,
        }
    }
}
