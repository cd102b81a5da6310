//! Repairs flattened fields, whose keys are part of the surrounding object. Each field gets the members that serde would pass to it.

use super::Coercer;
use super::mending::Edit;
use super::place::Place;
use super::value::Entry;
use crate::check::Names;
use crate::shape::{Field, Kind, Shape, Tagging};

impl<'a> Coercer<'_, 'a> {
    /// Returns the edits of the members that belong to a flattened field. An optional flattened field gets no repair: if its
    /// value does not decode, serde treats the field as absent, so nothing was refused.
    pub(super) fn flattened(
        &mut self,
        place: Place,
        field: &Field,
        rest: &mut Vec<Entry<'_, 'a>>,
    ) -> Vec<(usize, Edit<'a>)> {
        let shape = field.shape.shape();
        let Some(inner) = place.flattened(field) else { return Vec::new() };
        let mut is_optional = false;
        let taken = claim(&shape, rest, &mut is_optional, 0);
        if is_optional { Vec::new() } else { self.view(inner, &shape, &taken) }
    }
}

/// Returns the members that a flattened type sees, by the same rules as the checker. Members that the type takes for itself are removed
/// from `rest`.
fn claim<'e, 'a>(
    shape: &Shape,
    rest: &mut Vec<Entry<'e, 'a>>,
    is_optional: &mut bool,
    hops: usize,
) -> Vec<Entry<'e, 'a>> {
    match &shape.kind {
        Kind::Alias(inner) if hops < 16 => claim(&inner.shape(), rest, is_optional, hops + 1),
        Kind::Nullable(inner) if hops < 16 => {
            *is_optional = true;
            claim(&inner.shape(), rest, is_optional, hops + 1)
        }
        Kind::Object(object) if !object.fields.iter().any(|field| field.flatten) => {
            let names = Names::new(&object.fields, rest.len());
            take(rest, |key| names.find(key).is_some())
        }
        Kind::Union(union) => match &union.tagging {
            Tagging::External => {
                let first = rest.iter().position(|(_, member)| union.find(&member.key).is_some());
                first.map(|index| rest.remove(index)).into_iter().collect()
            }
            Tagging::Adjacent { tag, content } => take(rest, |key| key == &**tag || key == &**content),
            Tagging::Internal { .. } | Tagging::Untagged => rest.clone(),
        },
        Kind::Any | Kind::Foreign(_) | Kind::Null => Vec::new(),
        _ => rest.clone(),
    }
}

fn take<'e, 'a>(rest: &mut Vec<Entry<'e, 'a>>, wanted: impl Fn(&str) -> bool) -> Vec<Entry<'e, 'a>> {
    let (taken, left) = rest.iter().partition(|(_, member)| wanted(&member.key));
    *rest = left;
    taken
}
