//! Checks objects: fields in declaration order, then unknown keys in the order in which they were sent.
//!
//! The rules are those of serde: each field may be given once, by its name or by an alias; if a map has a key several times, the last value
//! wins. A repeated field is one issue, at the key that repeats it. If a name and an alias were both sent, the alias counts as the
//! repetition, even if it came first.

use std::borrow::Cow;

use super::current_place::{CheckPlace, Entries, Subject};
use super::field_lookup::Names;
use super::rules::{InnerRules, Rules};
use super::{Checker, SUGGESTIONS, has_key};
use crate::issue::{Constraint, Expected};
use crate::json::{Json, Member, Node};
use crate::shape::{Field, Kind, Object, Ref, Shape, SharedSlice, Text, UnknownKeys};

/// The members of an object that belong to one field: the first member, and the first one that repeats the field.
#[derive(Clone, Copy)]
pub(super) struct Slot<'s, 'j> {
    pub(super) first: Option<&'s Member<'j>>,
    pub(super) repeated: Option<&'s Member<'j>>,
}

impl<'s, 'j> Slot<'s, 'j> {
    pub(super) const EMPTY: Self = Self { first: None, repeated: None };

    pub(super) fn fill(&mut self, member: &'s Member<'j>) {
        if self.first.is_none() {
            self.first = Some(member);
        } else {
            self.repeated = self.repeated.or(Some(member));
        }
    }

    /// Adds a member whose key is the name or an alias of the field. The name takes precedence over the aliases.
    fn fill_named(&mut self, member: &'s Member<'j>, name: &str) {
        match self.first {
            Some(alias) if member.key == name && alias.key != name => {
                self.first = Some(member);
                self.repeated = Some(alias);
            }
            _ => self.fill(member),
        }
    }
}

impl<'j> Checker<'_, 'j> {
    pub(super) fn object(&mut self, place: &CheckPlace<'_>, object: &Object, entries: Entries<'_, 'j>) {
        let fields = &object.fields;
        let names = Names::new(fields, entries.len());
        let (mut few, mut many) = ([Slot::EMPTY; 12], Vec::new());
        let slots = if let Some(slots) = few.get_mut(..fields.len()) {
            slots
        } else {
            many.resize(fields.len(), Slot::EMPTY);
            &mut many[..]
        };
        let mut rest = Vec::new();
        // Most models send keys in the order of the schema.
        let mut likely = 0;
        for member in entries.iter() {
            match names.find_likely(&member.key, likely) {
                Some(index) => {
                    slots[index].fill_named(member, &fields[index].name);
                    likely = index + 1;
                }
                None => rest.push(member),
            }
        }
        let (mut takes_all, mut lacks_a_field) = (false, false);
        for (field, slot) in fields.iter().zip(slots) {
            if field.flatten {
                takes_all |= self.check_flattened(place, field, &mut rest);
            } else {
                lacks_a_field |= slot.first.is_none() && field.is_required();
                self.field(place, field, *slot);
            }
            if self.is_decided() {
                return;
            }
        }
        if !takes_all && object.unknown == UnknownKeys::Ignored {
            if !self.reports_losses() && (self.trials > 0 || !lacks_a_field) {
                return;
            }
            self.retain_lost(object, entries, &mut rest);
        }
        if !takes_all {
            for member in rest {
                let is_taken = |name: &str| has_key::has_field(entries, object, name);
                self.unknown(place, member, |checker| checker.field_names(object), is_taken);
                if self.is_decided() {
                    return;
                }
            }
        }
    }

    /// Retains the unknown keys of an object that ignores such keys, if they resemble a required field that is absent: the object is
    /// rejected in any case, and the value of the key is the missing one. A lossless walk retains all keys without which serde would decode
    /// something else than was meant: those that resemble any absent field, or all of them if no key of the object is known. A flattened
    /// type may know them.
    fn retain_lost(&mut self, object: &Object, entries: Entries<'_, 'j>, unknown: &mut Vec<&Member<'j>>) {
        if object.fields.is_empty() || object.fields.iter().any(|field| field.flatten) {
            return unknown.clear();
        }
        if self.is_lossless && unknown.len() == entries.len() {
            return;
        }
        unknown.truncate(SUGGESTIONS);
        let constraint = Constraint::UnknownField { allowed: self.field_names(object) };
        let is_lossless = self.is_lossless;
        unknown.retain(|member| {
            let meant = constraint.suggestion(&member.key);
            let field = object.fields.iter().find(|field| meant.as_ref() == Some(&field.name));
            let field = field.filter(|field| is_lossless || field.is_required());
            field.is_some_and(|field| !has_key::has_field(entries, object, &field.name))
        });
    }

    fn field(&mut self, parent: &CheckPlace<'_>, field: &Field, slot: Slot<'_, 'j>) {
        let (shape, rules) = (field.shape.shape(), [&field.rules]);
        let key = slot.first.map_or(field.name.as_str(), |member| &member.key);
        let place = parent.field(key, field, &shape, &rules);
        match slot.first {
            Some(member) => self.walk(&place, &member.value),
            None if field.is_required() => self.fault(&place, None, |_| Constraint::Required),
            None => self.absent(&place, field),
        }
        if slot.repeated.is_some() {
            self.report_repeated(parent, &place, slot);
        }
    }

    /// Reports a field that was given more than once, by the same key or by different ones.
    pub(super) fn report_repeated(&mut self, parent: &CheckPlace<'_>, place: &CheckPlace<'_>, slot: Slot<'_, 'j>) {
        let (Some(first), Some(second)) = (slot.first, slot.repeated) else { return };
        let place = place.renamed(parent, &second.key);
        self.fault(&place, Some(Subject::Node(&second.value)), |_| Constraint::RepeatedField {
            other_name: (first.key != second.key).then(|| first.key.to_string().into()),
        });
    }

    /// Reports an unknown key. A suggestion never names a key that the object already has.
    pub(super) fn unknown(
        &mut self,
        parent: &CheckPlace<'_>,
        member: &Member<'j>,
        allowed: impl FnOnce(&mut Self) -> SharedSlice<Text>,
        is_taken: impl FnOnce(&str) -> bool,
    ) {
        let nothing = Ref::Static(Shape::ANY);
        let is_guarded = self.is_guarded();
        let place = parent.unknown(&member.key, &nothing, Shape::ANY, is_guarded);
        let reported = self.issues.len();
        self.fault(&place, Some(Subject::Node(&member.value)), |checker| Constraint::UnknownField {
            allowed: allowed(checker),
        });
        if let Some(issue) = self.issues.get_mut(reported) {
            issue.suggestion.take_if(|name| is_taken(name));
        }
    }

    pub(super) fn map(
        &mut self,
        place: &CheckPlace<'_>,
        (keys, values): (&Ref, &Ref),
        entries: Entries<'_, 'j>,
        rules: &Rules<'_>,
    ) {
        let (key_shape, value_shape, mut room) = (keys.shape(), values.shape(), InnerRules::EMPTY);
        let inner = rules.inner(&mut room);
        let any_key = match key_shape.kind {
            Kind::Any => true,
            Kind::String => key_shape.rules.is_empty(),
            _ => false,
        };
        let mut known = None;
        for member in entries.iter() {
            if !any_key && !self.trial(|checker| checker.key(place, keys, &key_shape, member)) {
                // The issue is about the key. An issue about its value would suggest a correction that cannot help.
                let is_taken = |name: &str| has_key::has_key(entries, &key_shape, name);
                self.unknown(place, member, |_| known.get_or_insert_with(|| key_names(keys)).clone(), is_taken);
                if self.is_decided() {
                    return;
                }
                continue;
            }
            self.walk(&place.named(&member.key, values, &value_shape, inner), &member.value);
            if self.is_decided() {
                return;
            }
        }
    }

    /// Checks the key of a map as if it were a value.
    fn key(&mut self, place: &CheckPlace<'_>, keys: &Ref, shape: &Shape, member: &Member<'j>) {
        let node = key_node(shape, &member.key);
        self.subject(&place.named(&member.key, keys, shape, &[]), Subject::Node(&node));
    }
}

/// Returns the keys that a map accepts, or a description if they cannot be listed.
fn key_names(keys: &Ref) -> SharedSlice<Text> {
    let expected = Expected::from_shape(keys.clone());
    let names = expected.facts().allowed_values;
    if names.is_empty() { SharedSlice::from(vec![Text::from(expected.to_string())]) } else { names.into() }
}

/// Returns a key as a value: an integer for digits if the map has integer keys, or else a string.
fn key_node<'j>(shape: &Shape, key: &Cow<'j, str>) -> Json<'j> {
    let is_integer = key_is_integer(shape, 0) && matches!(Json::parse(key), Ok(Json { node: Node::Number(_), .. }));
    let is_exact = key.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    Json::from_node(if is_integer && is_exact { Node::Number(key.clone()) } else { Node::String(key.clone()) })
}

fn key_is_integer(shape: &Shape, hops: usize) -> bool {
    match &shape.kind {
        Kind::Integer => true,
        Kind::Alias(inner) if hops < 16 => key_is_integer(&inner.shape(), hops + 1),
        _ => false,
    }
}
