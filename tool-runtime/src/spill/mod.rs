//! Whole results that are kept outside of a conversation.
//!
//! In: results that are too long for a model. Out: a handle for each, and later any part of it. Invariants: a handle reaches results of its
//! own session only; what is kept is bounded; a part is cut between two characters and says where it is.

mod memory;
mod page;
mod results;
mod store;

/// The name of the tool that reads what is kept.
pub(crate) const READ_RESULT: &str = "read_result";

pub use memory::MemoryStore;
pub(crate) use page::{MOST_BYTES, begin_at, page, search};
pub(crate) use results::{Kept, Results};
pub use store::{ResultKey, ResultStore};
