//! The treatment that a tool requests for a failed call: [`TreatmentKind`].

/// The treatment that a tool requests for a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreatmentKind {
    Replan,
    CorrectCall,
    Unavailable,
    RateLimited,
    Timeout,
    Internal,
}

impl TreatmentKind {
    /// Returns `true` for temporary errors, for which only waiting helps.
    pub(super) const fn passes(self) -> bool {
        matches!(self, Self::Unavailable | Self::RateLimited | Self::Timeout)
    }
}
