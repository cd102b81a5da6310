//! Setters of a run.

use super::{Run, TurnLimits};
use crate::model::Options;

/// Setters. The settings are stored with the run, and apply from the next record on.
impl Run {
    /// Sets the system message.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.settings.instructions = text.into();
        self.set_session_texts("", None);
        self
    }

    /// Sets the limits of each turn.
    #[must_use]
    pub fn limits(mut self, limits: TurnLimits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Sets the options of each request to the model. A correction may override the tool choice of one request.
    #[must_use]
    pub fn request_options(mut self, options: Options) -> Self {
        self.settings.options = options;
        self
    }

    /// Sets whether a model that responds to a rejection of its call with prose gets one further request, in which it must call the tool. On
    /// by default.
    #[must_use]
    pub fn force_corrections(mut self, forces: bool) -> Self {
        self.settings.forces = forces;
        self
    }

    /// Sets whether a turn waits for the answers to deferred calls. On by default. If it is off, the model reads at once that such a call
    /// has no answer yet.
    #[must_use]
    pub fn wait_for_deferred(mut self, waits: bool) -> Self {
        self.settings.waits = waits;
        self
    }

    /// Sets whether a call gets a new id if its id is missing, was already used in the run, or occurs again in the same answer. On by default.
    /// The ids in the messages are unique in any case, because providers reject requests with missing or repeated ids.
    #[must_use]
    pub fn unique_ids(mut self, are_unique: bool) -> Self {
        self.settings.has_unique_ids = are_unique;
        self
    }
}
