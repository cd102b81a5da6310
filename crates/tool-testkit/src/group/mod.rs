//! Groups of expected calls: [`Group`], and the search for the calls that a group needs.

mod candidates;
mod failed;
mod search;
mod tree;

pub use tree::{Group, any_of, any_order, exactly, in_order, subset};
