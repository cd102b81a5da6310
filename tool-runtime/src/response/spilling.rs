//! The store of a guard for results that are too long: [`Spill`].

use std::fmt;
use std::sync::Arc;

use crate::spill::ResultStore;

/// A result with more bytes than this is kept where the host sets no other bound.
pub(super) const ABOVE: usize = 16 * 1_024;
/// With less than this the notice would be most of the text.
pub(super) const SMALLEST: usize = 1_024;

/// The store of a guard.
#[derive(Clone)]
pub(super) struct Spill(pub(super) Arc<dyn ResultStore>);

impl PartialEq for Spill {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Spill {}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spill")
    }
}
