//! Runtime.

pub mod json;
