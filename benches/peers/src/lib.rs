//! Makes the same calls of one tool with this project, with hand-written code, and with other crates.

pub mod answers;
pub mod calls;
pub mod compile;
pub mod correct;
pub mod cost;
pub mod sides;
pub mod weather;
