//! Repairs answers and arguments of a model whose form is wrong although their meaning is certain.
//!
//! Invariant: every change has a line in the [ledger](Repair).

pub(crate) mod coerce;
mod ledger;
mod lenient;
pub(crate) mod mend;
mod name;
mod read;
mod stream;
#[cfg(test)]
mod tests;
mod unwrap;
mod watch;

pub use coerce::MOST_REPAIRS;
pub use ledger::{Repair, RepairRule, lines};
pub(crate) use mend::mend_value;
pub use mend::{RepairedArguments, repair_arguments};
pub use name::tool_name;
pub use read::{ReadError, Reading, read};

pub use stream::{Progress, Stream};
pub use unwrap::unwrap;

pub use crate::shape::RepairPolicy;
