//! The store of a guard for long results: [`Spill`].

use std::fmt;
use std::sync::Arc;

use crate::spill::ResultStore;

/// The number of bytes above which a result is kept, unless the host sets another limit.
pub(super) const ABOVE: usize = 16 * 1_024;
/// The smallest limit; below it, the notice would be most of the text.
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
