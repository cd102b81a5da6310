//! Flattened fields: types whose keys stand in the object around them.
//!
//! serde gives each flattened type what is left of the object, in the order of declaration. A struct, a variant by its key and a tag
//! with its content take their keys away; a map, an internally tagged and an untagged enum see everything and take nothing.

use super::Checker;
use super::names::Names;
use super::place::{Place, Subject};
use crate::issue::Constraint;
use crate::json::Member;
use crate::shape::{Field, Kind, Shape, Tagging};

/// What a flattened type does with the members that are left.
enum Claim<'s, 'j> {
    /// It takes these away.
    Takes(Vec<&'s Member<'j>>),
    /// It sees all of them.
    Sees,
    /// It has a place for any key.
    TakesAll,
    /// It needs none.
    Nothing,
}

impl<'j> Checker<'_, 'j> {
    /// Checks a flattened field against what is left of the object; says whether it has a place for any key.
    pub(super) fn flattened<'s>(&mut self, parent: &Place<'_>, field: &Field, rest: &mut Vec<&'s Member<'j>>) -> bool {
        let (shape, rules) = (field.shape.shape(), [&field.rules]);
        let place = parent.flattened(field, &shape, &rules);
        let Some(place) = place.hop() else {
            self.give_up(&place, Subject::View(rest));
            return false;
        };
        let (claim, is_optional) = claim(&shape, rest, false, 0);
        let takes_all = matches!(claim, Claim::TakesAll);
        let taken = match claim {
            Claim::Takes(taken) => taken,
            Claim::Sees | Claim::TakesAll => rest.clone(),
            Claim::Nothing => return false,
        };
        let subject = Subject::View(&taken);
        if is_optional {
            self.optional(&place, subject);
        } else {
            self.subject(&place, subject);
        }
        takes_all
    }

    /// serde takes a flattened `Option` that does not decode for an absent one; one that decodes still has to satisfy its rules.
    fn optional(&mut self, place: &Place<'_>, subject: Subject<'_, 'j>) {
        let (kept, faults) = (self.issues.len(), self.faults);
        let trials = std::mem::take(&mut self.trials);
        let did_not_decode = std::mem::take(&mut self.does_not_decode);
        self.must_finish += 1;
        self.subject(place, subject);
        self.must_finish -= 1;
        self.trials = trials;
        let does_not_decode = std::mem::replace(&mut self.does_not_decode, did_not_decode);
        let decodes = !does_not_decode && self.issues[kept..].iter().all(|issue| is_rule(&issue.constraint));
        if !decodes {
            self.faults = faults;
        }
        if trials > 0 || !decodes {
            self.issues.truncate(kept);
        }
    }
}

/// Whether a value that violates this has decoded all the same.
pub(crate) fn is_rule(constraint: &Constraint) -> bool {
    !matches!(
        constraint,
        Constraint::Required
            | Constraint::RepeatedField { .. }
            | Constraint::UnknownField { .. }
            | Constraint::Type(_)
            | Constraint::Enum(_)
            | Constraint::Discriminator { .. }
            | Constraint::AnyOf { .. }
    )
}

fn claim<'s, 'j>(
    shape: &Shape,
    rest: &mut Vec<&'s Member<'j>>,
    is_optional: bool,
    hops: usize,
) -> (Claim<'s, 'j>, bool) {
    let claimed = match &shape.kind {
        Kind::Alias(inner) if hops < 16 => return claim(&inner.shape(), rest, is_optional, hops + 1),
        Kind::Nullable(inner) if hops < 16 => return claim(&inner.shape(), rest, true, hops + 1),
        Kind::Object(object) if !object.fields.iter().any(|field| field.flatten) => {
            let names = Names::new(&object.fields, rest.len());
            Claim::Takes(take(rest, |member| names.find(&member.key).is_some()))
        }
        Kind::Union(union) => match &union.tagging {
            Tagging::External => {
                let first = rest.iter().position(|member| union.find(&member.key).is_some());
                Claim::Takes(first.map(|index| rest.remove(index)).into_iter().collect())
            }
            Tagging::Adjacent { tag, content } => {
                Claim::Takes(take(rest, |member| member.key == **tag || member.key == **content))
            }
            Tagging::Internal { .. } | Tagging::Untagged => Claim::Sees,
        },
        Kind::Map { .. } | Kind::Any | Kind::Foreign(_) => Claim::TakesAll,
        Kind::Null => Claim::Nothing,
        _ => Claim::Sees,
    };
    (claimed, is_optional)
}

fn take<'s, 'j>(rest: &mut Vec<&'s Member<'j>>, wanted: impl Fn(&Member<'j>) -> bool) -> Vec<&'s Member<'j>> {
    let (taken, left) = rest.iter().partition(|member| wanted(member));
    *rest = left;
    taken
}
