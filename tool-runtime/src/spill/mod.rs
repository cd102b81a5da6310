//! Keeps whole results outside of a conversation.
//!
//! In: results that are too long for a model. Out: a handle for each result, and later any part of that result. Invariants: a handle gives
//! access only to results of its own session; the size of all kept results is bounded; a part never contains a split character, and states
//! its position.

mod excerpt;
mod kept_results;
mod memory;
mod store;

/// The name of the tool that reads kept results.
pub(crate) const READ_RESULT: &str = "read_result";

pub(crate) use excerpt::{MOST_BYTES, begin_at, page, search};
pub(crate) use kept_results::{KeptResult, KeptResults};
pub use memory::InMemoryResultStore;
pub use store::{ResultKey, ResultStore};
