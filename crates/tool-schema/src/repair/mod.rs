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

pub use coerce::MAX_REPAIRS;
pub use ledger::{Repair, RepairRule, summary_lines};
pub(crate) use mend::mend_value;
pub use mend::{RepairedArguments, repair_arguments};
pub use name::strip_control_tokens;
pub use read::{RepairedText, TextError, repair_text};

pub use stream::{Progress, Stream};
pub use unwrap::unwrap_arguments;

pub use crate::shape::RepairPolicy;
