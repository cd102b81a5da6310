//! From what the model wrote to what it meant, where nothing but the spelling is wrong.
//!
//! In: text or arguments that were refused. Out: what they were read as, and the [ledger](Repair) that says what was read otherwise than
//! it was written. What always holds: nothing is changed without a line of the ledger.

mod calls;
pub(crate) mod coerce;
mod ledger;
mod lenient;
pub(crate) mod mend;
mod name;
mod read;
pub(crate) mod replay;
mod stream;
#[cfg(test)]
mod tests;
mod unwrap;
mod watch;

pub use calls::{TextCall, calls_in_text};
pub use coerce::MOST_REPAIRS;
pub use ledger::{Repair, RepairRule, lines};
pub(crate) use mend::mend_value;
pub use mend::{Mended, mend};
pub use name::tool_name;
pub use read::{ReadError, Reading, read};

pub use stream::{Progress, Stream};
pub use unwrap::unwrap;

pub use crate::shape::RepairPolicy;
