//! From what the model wrote to what it meant, where nothing but the spelling is wrong.
//!
//! In: text or arguments that were refused. Out: what they were read as, and the [ledger](Repair) that says what was read otherwise than
//! it was written. What always holds: nothing is changed without a line of the ledger.

mod coerce;
mod ledger;
mod mend;
mod read;

pub use coerce::{Coerced, coerce, replay_values};
pub use ledger::{Repair, RepairRule};
pub use mend::{Mended, mend};
pub use read::{ReadError, Reading, read};

pub use crate::shape::Policy;
