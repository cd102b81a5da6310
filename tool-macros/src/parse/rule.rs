//! Parses the rules of `#[tool(…)]`.
//!
//! Parameters, fields and `inner(…)` take the same rules. The table in `key.rs` lists them.

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::entry::{Entry, once};
use super::foreign_keys::reject_rust_range;
use super::number::{End, Spanned};
use crate::errors::Errors;
use crate::model::Number;

/// A rule with its key.
pub(crate) struct RawRule {
    pub(crate) key: Ident,
    pub(crate) kind: RawRuleKind,
}

/// The settings after the key of a rule.
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

/// The bounds of a range.
#[derive(Default)]
pub(crate) struct RawRange {
    pub(crate) min: Option<End<Number>>,
    pub(crate) max: Option<End<Number>>,
    pub(crate) exclusive_min: Option<End<Number>>,
    pub(crate) exclusive_max: Option<End<Number>>,
}

/// The maximum depth of `inner(inner(…))`, so that parsing cannot exhaust the stack.
pub(super) const DEEPEST: usize = 16;

/// Parses `length(min = 1, max = 80)`. Returns `None` if a mistake inside the list was noted.
pub(super) fn length(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    reject_rust_range(entry)?;
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

/// Parses `range(min = 1, exclusive_max = 2.5)`. Returns `None` if a mistake inside the list was noted.
pub(super) fn range(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    reject_rust_range(entry)?;
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
