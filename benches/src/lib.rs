//! The jobs that `cargo bench` and `scripts/instructions` measure: ours, and the same job done without this library.

#![allow(missing_docs)]

pub mod cases;
pub mod payloads;
pub mod rejected;
