//! Calls one tool in the same ways with this project, with code by hand, and with other crates.

pub mod answers;
pub mod calls;
pub mod compile;
pub mod correct;
pub mod cost;
pub mod sides;
pub mod weather;
