//! The limit on repairs of rejected arguments.

/// A repair policy of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Strict,
    Lossless,
    Words,
    Assisted,
}

impl Policy {
    /// Every policy with its name in attributes.
    pub(crate) const NAMES: &'static [(&'static str, Self)] =
        &[("strict", Self::Strict), ("lossless", Self::Lossless), ("words", Self::Words), ("assisted", Self::Assisted)];
}
