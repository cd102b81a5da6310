//! What a conversation left behind, as expectations look at it: [`Evidence`].

use std::time::Duration;

use super::made::Made;

/// The calls in the order in which they were written, the last answer, and what it all took.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) made: Vec<Made>,
    /// The last answer, if there is one.
    pub(super) text: Option<String>,
    pub(super) tokens: u64,
    pub(super) elapsed: Duration,
}
