//! The state of a throttle as data, to be saved and loaded.
//!
//! In: the state of a session. Out: [`SavedThrottle`], and separately the [`Details`] of tools with sensitive parameters. Invariants:
//! neither contains arguments, results or errors, but only hashes of them. After loading, every number is within the bounds that the rules
//! maintain, and a pause ends no later than it would have ended without saving.

mod format;
mod health;
mod load;
mod resumed_clock;
mod save;

pub(crate) use format::{Details, Digest, SavedThrottle, is_default};
pub(crate) use load::{Damaged, at_most, count};
