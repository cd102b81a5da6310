//! Placeholder until the formats land.
#![allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Date,
}
