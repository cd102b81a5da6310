//! Flattened fields: types whose keys are part of the surrounding object.
//!
//! serde goes through the flattened types in declaration order, and gives each of them the members of the object that are still left. A
//! struct, an externally tagged variant, and an adjacent tag with its content remove their keys; a map, an internally tagged enum and an
//! untagged enum see all members and remove none.

use super::Checker;
use super::current_place::{CheckPlace, Subject};
use super::field_lookup::Names;
use crate::issue::Constraint;
use crate::json::Member;
use crate::shape::{Field, Kind, Shape, Tagging};

/// The members that a flattened type uses.
pub(crate) enum Claim<M> {
    /// Uses these members and removes them.
    Takes(Vec<M>),
    /// Sees all members and removes none.
    Sees,
    /// Accepts any key.
    TakesAll,
    /// Uses no members.
    Nothing,
}

impl<M: Copy> Claim<M> {
    /// Returns the members that the type sees, if these members are left.
    pub(crate) fn seen(self, rest: &[M]) -> Vec<M> {
        match self {
            Self::Takes(taken) => taken,
            Self::Sees | Self::TakesAll => rest.to_vec(),
            Self::Nothing => Vec::new(),
        }
    }
}

impl<'j> Checker<'_, 'j> {
    /// Checks a flattened field against the remaining members of the object; returns `true` if the type of the field accepts any key.
    pub(super) fn check_flattened<'s>(
        &mut self,
        parent: &CheckPlace<'_>,
        field: &Field,
        rest: &mut Vec<&'s Member<'j>>,
    ) -> bool {
        let (shape, rules) = (field.shape.shape(), [&field.rules]);
        let place = parent.flattened(field, &shape, &rules);
        let Some(place) = place.hop() else {
            self.give_up(&place, Subject::View(rest));
            return false;
        };
        let (claim, is_optional) = claim(&shape, rest, |member| &member.key);
        let takes_all = matches!(claim, Claim::TakesAll);
        if matches!(claim, Claim::Nothing) {
            return false;
        }
        let taken = claim.seen(rest);
        let subject = Subject::View(&taken);
        // The members that the type sees may belong to others, so it does not lose them.
        let is_lossless = std::mem::take(&mut self.is_lossless);
        if is_optional {
            self.optional(&place, subject);
        } else {
            self.subject(&place, subject);
        }
        self.is_lossless = is_lossless;
        takes_all
    }

    /// Checks a flattened `Option`, which serde treats as absent if its value does not decode. A value that decodes must still satisfy its
    /// rules.
    fn optional(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, 'j>) {
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

/// Returns `true` if a value that violates this constraint still decodes.
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

/// Returns what a flattened type uses of the members that are left, and whether it is optional. Members that the type takes for itself are
/// removed from `rest`.
pub(crate) fn claim<M: Copy>(shape: &Shape, rest: &mut Vec<M>, key: impl Fn(&M) -> &str) -> (Claim<M>, bool) {
    claim_of(shape, rest, &key, false, 0)
}

fn claim_of<M: Copy>(
    shape: &Shape,
    rest: &mut Vec<M>,
    key: &impl Fn(&M) -> &str,
    is_optional: bool,
    hops: usize,
) -> (Claim<M>, bool) {
    let claimed = match &shape.kind {
        Kind::Alias(inner) if hops < 16 => return claim_of(&inner.shape(), rest, key, is_optional, hops + 1),
        Kind::Nullable(inner) if hops < 16 => return claim_of(&inner.shape(), rest, key, true, hops + 1),
        Kind::Object(object) if !object.fields.iter().any(|field| field.flatten) => {
            let names = Names::new(&object.fields, rest.len());
            Claim::Takes(take(rest, |member| names.find(key(member)).is_some()))
        }
        Kind::Union(union) => match &union.tagging {
            Tagging::External => {
                let first = rest.iter().position(|member| union.find(key(member)).is_some());
                Claim::Takes(first.map(|index| rest.remove(index)).into_iter().collect())
            }
            Tagging::Adjacent { tag, content } => {
                Claim::Takes(take(rest, |member| key(member) == &**tag || key(member) == &**content))
            }
            Tagging::Internal { .. } | Tagging::Untagged => Claim::Sees,
        },
        Kind::Map { .. } | Kind::Any | Kind::Foreign(_) => Claim::TakesAll,
        Kind::Null => Claim::Nothing,
        _ => Claim::Sees,
    };
    (claimed, is_optional)
}

fn take<M: Copy>(rest: &mut Vec<M>, is_wanted: impl Fn(&M) -> bool) -> Vec<M> {
    let (taken, left) = rest.iter().partition(|member| is_wanted(member));
    *rest = left;
    taken
}
