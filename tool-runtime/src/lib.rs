//! Runtime.

pub mod shape;
