//! Parses attributes, documentation and JSON literals into raw settings with their spans.
//!
//! Every mistake is noted in one `Errors`, and parsing continues after it. Conditions on more than one setting belong to `check`.

mod attributes;
mod block;
mod cfg;
mod doc;
mod entry;
mod foreign_keys;
mod input;
mod item_kind;
mod key;
mod keyword;
mod literal;
mod lookup;
mod mark;
mod number;
mod rule;
mod signature;
mod throttle;

pub(crate) use attributes::Attributes;
pub(crate) use block::{RawContainer, written_out};
pub(crate) use input::{RawData, RawFailure, RawInput, RawVariant};
pub(crate) use item_kind::Place;
#[cfg(test)]
pub(crate) use key::{KEYS, Key};
pub(crate) use keyword::unknown;
#[cfg(test)]
pub(crate) use literal::literal;
#[cfg(test)]
pub(crate) use lookup::attributes;
pub(crate) use lookup::runtime;
pub(crate) use mark::{settings, take_settings};
pub(crate) use number::{End, Spanned};
pub(crate) use rule::{RawRange, RawRule, RawRuleKind};
pub(crate) use signature::{Function, RawParameter, RawTool};
pub(crate) use throttle::{RawNumbers, RawSetting, RawThrottle};
