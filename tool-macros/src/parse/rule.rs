//! The rules of `#[tool(…)]`, as they were written.
//!
//! A tool's parameters, a type's fields and `inner(…)` have the same rules; the table in `key.rs` says which.

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::entry::{Entry, once};
use super::number::{End, Spanned};
use crate::errors::Errors;
use crate::model::Number;

/// A rule with its key.
pub(crate) struct RawRule {
    pub(crate) key: Ident,
    pub(crate) kind: RawRuleKind,
}

/// What was written behind the key.
pub(crate) enum RawRuleKind {
    Length { min: Option<End<u64>>, max: Option<End<u64>>, equal: Option<End<u64>> },
    Range(RawRange),
    MultipleOf(Spanned<Number>),
    Pattern(LitStr),
    Format(LitStr),
    UniqueItems,
    Inner(Vec<RawRule>),
    Custom(Path),
}

/// The ends of a range, as they were written.
#[derive(Default)]
pub(crate) struct RawRange {
    pub(crate) min: Option<End<Number>>,
    pub(crate) max: Option<End<Number>>,
    pub(crate) exclusive_min: Option<End<Number>>,
    pub(crate) exclusive_max: Option<End<Number>>,
}

/// Deeper `inner(inner(…))` is refused, so that reading it cannot exhaust the stack.
pub(super) const DEEPEST: usize = 16;

/// Reads `length(min = 1, max = 80)`; nothing where something inside was refused already.
pub(super) fn length(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    let (mut min, mut max, mut equal) = (None, None, None);
    let clean = entry.members(
        errors,
        &mut [
            ("min", &mut |entry| once(&mut min, entry.key, End::read(entry)?)),
            ("max", &mut |entry| once(&mut max, entry.key, End::read(entry)?)),
            ("equal", &mut |entry| once(&mut equal, entry.key, End::read(entry)?)),
        ],
    )?;
    Ok(clean.then_some(RawRuleKind::Length { min, max, equal }))
}

/// Reads `range(min = 1, exclusive_max = 2.5)`; nothing where something inside was refused already.
pub(super) fn range(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    let RawRange { mut min, mut max, mut exclusive_min, mut exclusive_max } = RawRange::default();
    let clean = entry.members(
        errors,
        &mut [
            ("min", &mut |entry| once(&mut min, entry.key, End::read(entry)?)),
            ("max", &mut |entry| once(&mut max, entry.key, End::read(entry)?)),
            ("exclusive_min", &mut |entry| once(&mut exclusive_min, entry.key, End::read(entry)?)),
            ("exclusive_max", &mut |entry| once(&mut exclusive_max, entry.key, End::read(entry)?)),
        ],
    )?;
    Ok(clean.then_some(RawRuleKind::Range(RawRange { min, max, exclusive_min, exclusive_max })))
}
