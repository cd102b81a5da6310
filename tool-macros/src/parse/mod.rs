//! Attributes as they were written: `#[tool(…)]`, documentation and JSON literals.
//!
//! In comes syntax, out go raw settings with their spans. Every mistake goes into one `Errors` and parsing goes on behind it; what
//! needs a look at more than one setting is left to `check`.

mod block;
mod condition;
mod container;
mod doc;
mod entry;
mod field;
mod function;
mod input;
mod key;
mod literal;
mod number;
mod rule;
mod running;
mod signature;
mod throttle;

pub(crate) use block::{RawContainer, written_out};
pub(crate) use container::{ContainerAttributes, VariantAttributes, absolute_path};
pub(crate) use entry::{entries, once};
pub(crate) use field::FieldAttributes;
pub(crate) use function::{FunctionAttributes, settings, take_settings};
pub(crate) use input::{RawData, RawInput, RawVariant};
pub(crate) use key::{Place, unknown};
#[cfg(test)]
pub(crate) use literal::literal;
pub(crate) use number::{End, Spanned};
pub(crate) use rule::{RawRange, RawRule, RawRuleKind};
pub(crate) use signature::{Function, RawParameter, RawTool};
pub(crate) use throttle::{Count, RawNumbers, RawSetting, RawThrottle};
