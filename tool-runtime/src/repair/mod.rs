//! From what the model wrote to what it meant, where nothing but the spelling is wrong.
//!
//! In: text or arguments that were refused. Out: what they were read as, and the [ledger](Repair) that says what was read otherwise than
//! it was written. What always holds: nothing is changed without a line of the ledger.

mod ledger;

pub use ledger::{Repair, RepairRule};
