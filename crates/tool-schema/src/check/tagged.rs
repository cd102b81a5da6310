//! Checks unions with a tag: externally, internally and adjacently tagged.
//!
//! Once the variant is known, only the issues of this variant are reported. A missing tag is reported as `Required` at the location of the
//! tag. An unknown tag is reported as `Discriminator` at the same location, with a suggestion.

use super::Checker;
use super::current_place::{CheckPlace, Entries, Subject};
use super::has_key;
use super::object::Slot;
use super::untagged::nearest;
use crate::issue::Constraint;
use crate::json::{Json, JsonType, Member, Node};
use crate::shape::{AcceptedTypes, Kind, Shape, Tagging, Text, Union, UnknownKeys, Variant};

impl<'j> Checker<'_, 'j> {
    /// Checks a union; returns `false` if no variant accepts the JSON type at all.
    pub(super) fn union(&mut self, place: &CheckPlace<'_>, union: &Union, subject: Subject<'_, 'j>) -> bool {
        if union.tagging == Tagging::Untagged {
            return self.check_untagged(place, union, subject);
        }
        if !union.variants.iter().any(|variant| variant.untagged) {
            return self.check_tagged(place, union, subject);
        }
        // serde tries the tagged variants first, then the others, whatever the tag says.
        let accepted = self.alternative(|checker| {
            if !checker.check_tagged(place, union, subject) {
                checker.faults += 1;
            }
        }) || union
            .variants
            .iter()
            .any(|variant| variant.untagged && self.accepts_variant(place, variant, subject));
        if accepted {
            return true;
        }
        let untagged = union.variants.iter().filter(|variant| variant.untagged && !variant.hidden);
        let mut fitting = untagged.filter(|variant| AcceptedTypes::of_payload(variant).contains(subject.json_type()));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) if !is_tagged(union, subject) => self.variant(place, only, subject),
            _ => self.check_tagged(place, union, subject),
        }
    }

    fn check_tagged(&mut self, place: &CheckPlace<'_>, union: &Union, subject: Subject<'_, 'j>) -> bool {
        match (&union.tagging, subject.entries()) {
            (Tagging::External, Some(entries)) => self.external(place, union, entries, subject),
            (Tagging::External, None) => return self.unit(place, union, subject),
            (Tagging::Internal { tag }, Some(entries)) => self.internal(place, union, tag, entries),
            (Tagging::Adjacent { tag, content }, Some(entries)) => {
                self.adjacent(place, union, (tag, content), entries);
            }
            _ => return false,
        }
        true
    }

    /// Checks a string that must be the name of a variant.
    fn unit(&mut self, place: &CheckPlace<'_>, union: &Union, subject: Subject<'_, 'j>) -> bool {
        let Some(name) = subject.as_str() else { return false };
        match union.find(name) {
            Some(variant) if variant.payload.is_some() => self.wrong_type(place, subject, &[JsonType::Object]),
            Some(_) => {}
            None if union.variants.iter().any(|variant| variant.other) => {}
            None => self.fault(place, Some(subject), |checker| {
                let allowed = checker.variant_names(union);
                if union.is_enumeration() {
                    Constraint::Enum(allowed)
                } else {
                    Constraint::Discriminator { tag: None, is_key: false, allowed }
                }
            }),
        }
        true
    }

    /// Checks an object whose only key must be the name of a variant.
    fn external(&mut self, place: &CheckPlace<'_>, union: &Union, entries: Entries<'_, 'j>, subject: Subject<'_, 'j>) {
        let mut known = entries.iter().filter(|member| union.find(&member.key).is_some());
        match (known.next(), known.next(), entries.len()) {
            (Some(member), None, length) => {
                self.payload(place, union, member, subject);
                for other in entries.iter().filter(|other| length > 1 && other.key != member.key) {
                    // The only name that could be suggested is already used.
                    self.unknown(place, other, |_| vec![Text::from(member.key.to_string())].into(), |_| true);
                }
            }
            (None, _, 1) => {
                if let Some(member) = entries.iter().next() {
                    self.unknown_key(place, union, member, subject);
                }
            }
            _ if union.is_enumeration() => self.wrong_type(place, subject, &[JsonType::String]),
            (_, _, 0) => {
                self.fault(place, Some(subject), |checker| Constraint::AnyOf {
                    variants: checker.variant_names(union),
                });
            }
            _ => self.fault(place, Some(subject), |_| Constraint::MaxProperties(1)),
        }
    }

    fn payload(&mut self, place: &CheckPlace<'_>, union: &Union, member: &Member<'j>, subject: Subject<'_, 'j>) {
        let Some(variant) = union.find(&member.key) else { return };
        match &variant.payload {
            Some(payload) => {
                self.walk(&place.key(&member.key, payload, &payload.shape(), &[]), &member.value);
            }
            // serde accepts `{"Unit": null}` for `"Unit"`.
            None if member.value.is_null() => {}
            None => self.wrong_type(place, subject, &[JsonType::String]),
        }
    }

    /// Reports an object whose only key is not the name of a variant. The issue is about the key, because its value cannot be checked yet.
    fn unknown_key(&mut self, parent: &CheckPlace<'_>, union: &Union, member: &Member<'j>, subject: Subject<'_, 'j>) {
        if member.value.is_null() && union.variants.iter().any(|variant| variant.other) {
            return;
        }
        if union.is_enumeration() {
            return self.wrong_type(parent, subject, &[JsonType::String]);
        }
        let shape = self.tag_shape(union);
        let key = Json::from_node(Node::String(member.key.clone()));
        let place_shape = shape.shape();
        let is_guarded = self.is_guarded();
        let place = parent.unknown(&member.key, &shape, &place_shape, is_guarded);
        let reported = self.issues.len();
        self.fault(&place, Some(Subject::Node(&key)), |checker| Constraint::Discriminator {
            tag: None,
            is_key: true,
            allowed: checker.variant_names(union),
        });
        self.suggest_by_payload(reported, parent, union, Subject::Node(&member.value));
    }

    /// Suggests the variant that fits the payload, if the name resembles no variant. A model that has to guess the variant may guess wrong,
    /// and the payload would then be rejected in the next answer.
    fn suggest_by_payload(&mut self, reported: usize, place: &CheckPlace<'_>, union: &Union, payload: Subject<'_, 'j>) {
        let Some(issue) = self.issues.get_mut(reported) else { return };
        let is_open = matches!(issue.constraint, Constraint::Discriminator { .. }) && issue.suggestion.is_none();
        if is_open && !place.sensitive {
            let fits = |variant: &&Variant| {
                let is_named = !variant.hidden && !variant.other && !variant.untagged && variant.payload.is_some();
                is_named && AcceptedTypes::of_payload(variant).contains(payload.json_type())
            };
            let fitting: Vec<_> = union.variants.iter().filter(fits).collect();
            issue.suggestion = nearest(&fitting, payload).map(|variant| variant.name.clone());
        }
    }

    fn internal(&mut self, place: &CheckPlace<'_>, union: &Union, tag: &Text, entries: Entries<'_, 'j>) {
        let mut slot = Slot::EMPTY;
        entries.iter().filter(|member| member.key == **tag).for_each(|member| slot.fill(member));
        let reported = self.issues.len();
        let variant = self.tag(place, union, tag, slot);
        let rest = || entries.iter().filter(|member| member.key != **tag).collect::<Vec<_>>();
        match variant {
            Some(Variant { payload: Some(payload), .. }) => {
                self.inside(&place.variant(payload, &payload.shape()), Subject::View(&rest()));
            }
            Some(_) => {}
            None => self.suggest_by_payload(reported, place, union, Subject::View(&rest())),
        }
    }

    fn adjacent(
        &mut self,
        place: &CheckPlace<'_>,
        union: &Union,
        (tag, content): (&Text, &Text),
        entries: Entries<'_, 'j>,
    ) {
        let (mut tags, mut contents) = (Slot::EMPTY, Slot::EMPTY);
        for member in entries.iter() {
            if member.key == **tag {
                tags.fill(member);
            } else if member.key == **content {
                contents.fill(member);
            }
        }
        let reported = self.issues.len();
        match (self.tag(place, union, tag, tags), contents.first) {
            (Some(variant), _) => self.content(place, variant, content, contents),
            (None, Some(member)) => self.suggest_by_payload(reported, place, union, Subject::Node(&member.value)),
            (None, None) => {}
        }
        if union.unknown == UnknownKeys::Rejected {
            for member in entries.iter().filter(|member| member.key != **tag && member.key != **content) {
                let is_taken = |name: &str| has_key::has(entries, name);
                self.unknown(place, member, |_| vec![tag.clone(), content.clone()].into(), is_taken);
            }
        }
    }

    fn content(&mut self, parent: &CheckPlace<'_>, variant: &Variant, key: &Text, slot: Slot<'_, 'j>) {
        let unit = crate::shape::Ref::Static(&UNIT);
        let edge = variant.payload.as_ref().unwrap_or(&unit);
        let shape = edge.shape();
        let place = parent.key(key, edge, &shape, &[]);
        match slot.first {
            Some(member) => self.walk(&place, &member.value),
            None if variant.payload.is_none() || may_be_absent(&shape, 0) => {}
            None => self.fault(&place, None, |_| Constraint::Required),
        }
        self.report_repeated(parent, &place, slot);
    }

    /// Returns the variant that a tag names; reports a tag that is missing, repeated, not a string, or unknown.
    fn tag<'u>(
        &mut self,
        parent: &CheckPlace<'_>,
        union: &'u Union,
        key: &Text,
        slot: Slot<'_, 'j>,
    ) -> Option<&'u Variant> {
        let found = slot.first.and_then(|member| union.find(member.value.as_str()?));
        if found.is_some() && slot.repeated.is_none() {
            return found;
        }
        let edge = self.tag_shape(union);
        let shape = edge.shape();
        let place = parent.key(key, &edge, &shape, &[]);
        let veiled = place.veiled();
        // An unknown tag may be a secret that was meant for another field.
        let place = if self.has_secrets(parent.shape) { veiled } else { place };
        self.report_repeated(parent, &place, slot);
        let subject = slot.first.map(|member| Subject::Node(&member.value));
        match subject {
            None => self.fault(&place, None, |_| Constraint::Required),
            Some(_) if found.is_some() => {}
            Some(subject) if subject.as_str().is_none() => self.wrong_type(&place, subject, &[JsonType::String]),
            Some(subject) => {
                let other = union.variants.iter().find(|variant| variant.other);
                if other.is_none() {
                    self.fault(&place, Some(subject), |checker| Constraint::Discriminator {
                        tag: Some(key.clone()),
                        is_key: false,
                        allowed: checker.variant_names(union),
                    });
                }
                return other;
            }
        }
        found
    }
}

static UNIT: Shape = Shape::new(Kind::Null);

/// Returns `true` if the content beside an adjacent tag may be absent. For an optional type, serde treats absent content as `null`.
fn may_be_absent(shape: &Shape, hops: usize) -> bool {
    match &shape.kind {
        Kind::Nullable(_) => true,
        Kind::Alias(inner) if hops < 16 => may_be_absent(&inner.shape(), hops + 1),
        _ => false,
    }
}

/// Returns `true` if the form of a value shows that a tagged variant is meant.
fn is_tagged(union: &Union, subject: Subject<'_, '_>) -> bool {
    let is_name = |name: &str| union.find(name).is_some();
    let Some(entries) = subject.entries() else { return subject.as_str().is_some_and(is_name) };
    entries.iter().any(|member| match &union.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => member.key == **tag,
        _ => is_name(&member.key),
    })
}
