//! Repairs answers and arguments of a model whose form is wrong although their meaning is certain.
//!
//! Invariant: every change has a line in the [ledger](Repair).

pub(crate) mod arguments;
pub(crate) mod coerce;
mod incremental_check;
mod ledger;
mod lenient;
mod name_control_tokens;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod unwrap;

pub(crate) use arguments::mend_value;
pub use arguments::{RepairedArguments, repair_arguments};
pub use coerce::MAX_REPAIRS;
pub use ledger::{Repair, RepairRule, summary_lines};
pub use name_control_tokens::strip_control_tokens_from_name;
pub use text::{RepairedText, TextError, repair_text};

pub use stream::{Progress, Stream};
pub use unwrap::unwrap_arguments;

pub use crate::shape::RepairPolicy;
