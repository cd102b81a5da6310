//! The state of a throttle as data, to be saved and loaded.
//!
//! In: the state of a session. Out: [`SavedThrottle`], and separately the [`Details`] of tools that take secrets. Invariants: neither
//! contains arguments, results or errors, only hashes of them; after loading, every number is within the bounds that the rules keep, and a
//! pause ends no later than it would have ended before.

mod format;
mod load;
mod resumed;
mod save;

pub(crate) use format::{Details, Digest, SavedThrottle, is_default};
pub(crate) use load::{Damaged, at_most, count};
