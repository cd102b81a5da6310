//! The jobs that `cargo bench` and `scripts/instructions` measure: with this framework, and without it.

#![allow(missing_docs)]

pub mod cases;
pub mod payloads;
pub mod rejected;
