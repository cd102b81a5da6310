//! The jobs that `cargo bench` and `cargo xtask instructions` measure: with this framework, and without it.

#![allow(missing_docs)]

pub mod cases;
pub mod payloads;
pub mod rejected;
