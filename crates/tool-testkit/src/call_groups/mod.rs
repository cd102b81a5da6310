//! Groups of expected calls: [`CallGroup`], and the search for the calls that a group needs.

mod call_group;
mod failed;
mod matching_calls;
mod search;

pub use call_group::{CallGroup, any_of, calls_in_any_order, calls_in_order, exactly, only_calls};
