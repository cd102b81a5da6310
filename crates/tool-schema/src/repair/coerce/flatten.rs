//! Repairs flattened fields, whose keys are part of the surrounding object. Each field gets the members that serde would pass to it.

use super::Coercer;
use super::location::CoercionPlace;
use super::planned_changes::Edit;
use super::traversal::CoercionEntry;
use crate::check::claim;
use crate::shape::Field;

impl<'a> Coercer<'_, 'a> {
    /// Returns the edits of the members that belong to a flattened field. An optional flattened field gets no repair: if its
    /// value does not decode, serde treats the field as absent, so nothing was rejected.
    pub(super) fn coerce_flattened(
        &mut self,
        place: CoercionPlace,
        field: &Field,
        rest: &mut Vec<CoercionEntry<'_, 'a>>,
    ) -> Vec<(usize, Edit<'a>)> {
        let shape = field.shape.shape();
        let Some(inner) = place.flattened(field) else { return Vec::new() };
        let (claim, is_optional) = claim(&shape, rest, |(_, member)| &member.key);
        if is_optional { Vec::new() } else { self.view(inner, &shape, &claim.seen(rest)) }
    }
}
