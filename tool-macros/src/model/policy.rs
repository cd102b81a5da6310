//! How much of refused arguments may be read otherwise than they were written.

/// A policy of the runtime, by its word in attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Strict,
    Lossless,
    Assisted,
}

impl Policy {
    /// Every policy, as it is written.
    pub(crate) const NAMES: &'static [(&'static str, Self)] =
        &[("strict", Self::Strict), ("lossless", Self::Lossless), ("assisted", Self::Assisted)];
}
