//! Parses attributes, documentation and JSON literals into raw settings with their spans.
//!
//! Every mistake is noted in one `Errors`, and parsing continues after it. Conditions on more than one setting belong to `check`.

mod attributes;
mod block;
mod condition;
mod doc;
mod entry;
mod foreign;
mod input;
mod key;
mod literal;
mod lookup;
mod mark;
mod number;
mod place;
mod rule;
mod signature;
mod throttle;
mod word;

pub(crate) use attributes::Attributes;
pub(crate) use block::{RawContainer, written_out};
pub(crate) use input::{RawData, RawFailure, RawInput, RawVariant};
#[cfg(test)]
pub(crate) use key::{KEYS, Key};
#[cfg(test)]
pub(crate) use literal::literal;
#[cfg(test)]
pub(crate) use lookup::attributes;
pub(crate) use lookup::runtime;
pub(crate) use mark::{settings, take_settings};
pub(crate) use number::{End, Spanned};
pub(crate) use place::Place;
pub(crate) use rule::{RawRange, RawRule, RawRuleKind};
pub(crate) use signature::{Function, RawParameter, RawTool};
pub(crate) use throttle::{RawNumbers, RawSetting, RawThrottle};
pub(crate) use word::unknown;
