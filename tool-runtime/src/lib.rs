//! Runtime.

pub mod shape;
pub mod suggest;
