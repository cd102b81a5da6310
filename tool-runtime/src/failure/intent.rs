//! What a tool wants to come of a call that it gives no result: [`Intent`].

/// What the tool wants to come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    Refuse,
    Retry,
    Unavailable,
    RateLimited,
    Timeout,
    Internal,
}

impl Intent {
    /// Whether what it stands for passes without the model's doing.
    pub(super) const fn passes(self) -> bool {
        matches!(self, Self::Unavailable | Self::RateLimited | Self::Timeout)
    }
}
