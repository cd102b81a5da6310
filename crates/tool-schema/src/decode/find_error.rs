//! Finds the location at which serde rejected arguments that the checker accepted. The cause is a type of the user with its own
//! `Deserialize`.
//!
//! The result is one issue at the deepest location on serde's path that exists in both the shape and the JSON. Invariant: its text is ours,
//! never serde's, and the values of sensitive fields are redacted.

use crate::issue::{Expected, Got, Issue, Path, REDACTED, Segment};
use crate::json::Json;
use crate::shape::{Field, Kind, MOST_HOPS, Ref, Shape, Tagging, Text, Union};

/// Returns the issue for a rejection that no rule explains.
pub(super) fn blame(shape: &'static Shape, arguments: &Json<'_>, steps: &[Segment]) -> Issue {
    let (_, path, place, json) = follow(Ref::Static(shape), arguments, steps);
    let got = place.got(json);
    let SourcePlace { shape, field, .. } = place;
    match field {
        Some(field) => Issue::not_accepted(path, Expected::from_field(&field), got, field.doc),
        None => Issue::not_accepted(path, Expected::from_shape(shape), got, Text::EMPTY),
    }
}

/// Returns the path with secret keys hidden, the value at the path, and the description of its field; `None` if the location does not exist
/// in the shape or in the JSON.
pub fn sent_at(shape: &Ref, arguments: &Json<'_>, path: &Path) -> Option<(Path, Got, Text)> {
    let steps = path.segments();
    let (taken, told, place, json) = follow(shape.clone(), arguments, steps);
    (taken == steps.len()).then(|| (told, place.got(json), place.field.map_or(Text::EMPTY, |field| field.doc)))
}

/// Returns `true` if a path leads to a value that the shape describes, or to a field of the shape that is absent from the arguments.
pub fn is_path_in_shape(shape: &Ref, arguments: &Json<'_>, path: &Path) -> bool {
    let steps = path.segments();
    let (taken, _, place, json) = follow(shape.clone(), arguments, steps);
    match &steps[taken..] {
        [] => true,
        [last] => place.inner(json, last).is_some_and(|next| next.field.is_some()),
        _ => false,
    }
}

/// Returns the expectation for a location in arguments; `None` if the location does not exist in the shape or in the JSON.
pub fn expected_at(shape: &Ref, arguments: &Json<'_>, path: &Path) -> Option<Expected> {
    let steps = path.segments();
    let (taken, _, place, _) = follow(shape.clone(), arguments, steps);
    (taken == steps.len()).then(|| Expected { is_secret: place.sensitive, ..Expected::from_shape(place.shape) })
}

/// Follows the path as far as it exists in both the shape and the JSON. Returns the number of steps taken, and the path, location and
/// JSON value that were reached.
fn follow<'v, 'j>(shape: Ref, arguments: &'v Json<'j>, steps: &[Segment]) -> (usize, Path, SourcePlace, &'v Json<'j>) {
    let (mut place, mut json, mut path) = (SourcePlace::from_shape(shape), arguments, Path::root());
    for (taken, step) in steps.iter().enumerate() {
        let inner = match step {
            Segment::Key(key) => json.get(key),
            Segment::Index(index) => json.items().get(*index),
        };
        let (Some(inner), Some(next)) = (inner, place.inner(json, step)) else { return (taken, path, place, json) };
        path = match step {
            // Inside a sensitive field, a key that is data is as secret as a value.
            Segment::Key(_) if place.sensitive && next.field.is_none() => path.key(REDACTED),
            Segment::Key(key) => path.key(key.as_str()),
            Segment::Index(index) => path.index(*index),
        };
        (place, json) = (next, inner);
    }
    (steps.len(), path, place, json)
}

/// A location on the path.
struct SourcePlace {
    shape: Ref,
    field: Option<Field>,
    sensitive: bool,
}

impl SourcePlace {
    fn from_shape(shape: Ref) -> Self {
        Self { shape, field: None, sensitive: false }
    }

    fn got(&self, json: &Json<'_>) -> Got {
        if self.sensitive { Got::redacted(json.json_type()) } else { Got::for_shape(&self.shape.shape(), json) }
    }

    /// Returns the location that one more step leads to; `None` if the shape has no such location.
    fn inner(&self, json: &Json<'_>, step: &Segment) -> Option<Self> {
        let mut open = vec![self.shape.clone()];
        for _ in 0..MOST_HOPS {
            let edge = open.pop()?;
            let shape = edge.shape();
            let next = match (&shape.kind, step) {
                (Kind::Alias(inner) | Kind::Nullable(inner), _) => {
                    open.push(inner.clone());
                    continue;
                }
                (Kind::Array(items), Segment::Index(_)) => Self::from_shape(items.clone()),
                (Kind::Tuple(positions), Segment::Index(index)) => Self::from_shape(positions.get(*index)?.clone()),
                (Kind::Map { values, .. }, Segment::Key(_)) => Self::from_shape(values.clone()),
                (Kind::Object(object), Segment::Key(key)) => {
                    let fields = &object.fields;
                    let Some(field) = fields.iter().find(|field| field.has_key(key)) else {
                        open.extend(fields.iter().filter(|field| field.flatten).map(|field| field.shape.clone()));
                        continue;
                    };
                    Self { shape: field.shape.clone(), sensitive: field.sensitive, field: Some(field.clone()) }
                }
                (Kind::Union(union), _) => Self::from_shape(payload(union, json, step)?),
                _ => continue,
            };
            return Some(Self { sensitive: self.sensitive || next.sensitive, ..next });
        }
        None
    }
}

/// Returns the payload of a union that the step leads to; `None` unless the union is externally or adjacently tagged, because only then do
/// serde's paths have a step for the payload.
fn payload(union: &Union, json: &Json<'_>, step: &Segment) -> Option<Ref> {
    let name = match (&union.tagging, step) {
        (Tagging::External, Segment::Key(variant)) => &**variant,
        (Tagging::Adjacent { tag, content }, Segment::Key(key)) if *content == **key => json.get(tag)?.as_str()?,
        _ => return None,
    };
    let variant = union.variants.iter().find(|variant| variant.spellings().any(|known| known == name))?;
    variant.payload.clone()
}
