//! The same tool and the same calls with this project, by hand, and with other crates.

pub mod answers;
pub mod calls;
pub mod correct;
pub mod cost;
pub mod sides;
pub mod weather;
