//! One fault of a call as data: [`Issue`], and the ordered lists of them.
//!
//! The checker writes issues, everything that answers a model reads them. What always holds: an [`Issues`] that refuses a call
//! has at least one element; an issue of a sensitive field carries no part of its value.

mod constraint;
mod expected;
mod got;
mod path;

use std::fmt;

pub use constraint::Constraint;
pub use expected::{Expected, Facts};
pub use got::Got;
pub use path::{Path, Segment};

use crate::shape::Text;

/// One fault of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Issue {
    /// Where it is. For a missing key, where the key should have been.
    pub path: Path,
    /// What was violated.
    pub constraint: Constraint,
    /// What would be accepted there.
    pub expected: Expected,
    /// What was sent.
    pub got: Got,
    /// What was probably meant: a field's name, an enum value, a tag.
    pub suggestion: Option<Text>,
    /// What the field means, in its author's words; empty where nobody says.
    pub description: Text,
}

/// The faults of a call, in declaration order.
pub type Issues = Vec<Issue>;

/// A call that is refused, with every reason.
#[derive(Clone, Debug)]
pub struct ValidationError {
    issues: Issues,
    /// serde's own sentence, for the observer only: it may carry values and names of Rust types.
    source: Option<std::sync::Arc<str>>,
}

impl ValidationError {
    pub(crate) fn placeholder() -> Self {
        Self { issues: Vec::new(), source: None }
    }
}
