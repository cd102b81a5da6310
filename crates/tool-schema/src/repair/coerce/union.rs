//! Unions without a tag: an interpretation only counts if exactly one variant accepts its result.
//!
//! A value that some variant accepts is not changed, and neither is a string if some variant accepts strings, even if the string breaks a
//! rule of that variant.

use std::borrow::Cow;
use std::rc::Rc;

use super::detect_list_text::{is_absent_word, takes_absent_word, takes_free_text};
use super::location::CoercionPlace;
use super::planned_changes::Mending;
use super::tagged::is_told;
use super::traversal::{CoercionEntry, Subject};
use super::{Coercer, Found, address};
use crate::json::{Json, JsonType, Node};
use crate::shape::{AcceptedTypes, Kind, Ref, Shape, Tagging, Union};

static UNIT: Shape = Shape::new(Kind::Null);

impl<'a> Coercer<'_, 'a> {
    pub(super) fn alternatives(
        &mut self,
        place: CoercionPlace,
        top: &Shape,
        union: &Union,
        subject: Subject<'_, 'a>,
    ) -> Option<Mending<'a>> {
        let json = subject.json();
        let told = self.without_untagged(union);
        let payloads = || union.variants.iter().filter(|v| v.untagged || union.tagging == Tagging::Untagged);
        let is_text = json.as_str().is_some();
        if json.as_str().is_some_and(is_absent_word) {
            let is_null = !takes_absent_word(top) && AcceptedTypes::from_shape(top).contains(JsonType::Null);
            return if is_null { self.text(place, top, &json) } else { None };
        }
        for variant in payloads() {
            let payload = variant.payload.as_ref().map(Ref::shape);
            let shape = payload.as_deref().unwrap_or(&UNIT);
            if is_text && takes_free_text(shape, 0) || self.accepts(shape, &json) {
                return None;
            }
        }
        if let Some(shape) = &told {
            if self.accepts(shape, &json) {
                return None;
            }
            if is_told(union, &json) {
                return self.read_as(place, shape, subject);
            }
        }
        let place = place.hop()?.union().veiled(top.has_secrets());
        let mut accepted = Vec::new();
        for variant in payloads() {
            let payload = variant.payload.as_ref().map(Ref::shape);
            let shape = payload.as_deref().unwrap_or(&UNIT);
            let found = self.trial(|coercer| coercer.subject(place, shape, subject));
            accepted.extend(found.filter(|found| self.accepts(shape, &found.apply((*json).clone()))));
        }
        if let Some(shape) = &told {
            let found = self.trial(|coercer| coercer.read_as(place, shape, subject)).map(Rc::new);
            accepted.extend(found.filter(|found| self.accepts(shape, &found.apply((*json).clone()))));
        }
        // If a variant can take the value without wrapping it into an array, the value is not meant as an item of another variant.
        if accepted.iter().any(|found| !found.has_wrapped()) {
            accepted.retain(|found| !found.has_wrapped());
        }
        let [only] = &accepted[..] else { return None };
        // The caller counts the repairs of the value itself, so only those of inner values are counted here.
        self.keep(only.all_repairs() - only.repairs());
        let mut mending = Mending::default();
        mending.take_over(only);
        Some(mending)
    }

    fn subject(&mut self, place: CoercionPlace, shape: &Shape, subject: Subject<'_, 'a>) -> Found<'a> {
        match subject {
            Subject::Node(json) => self.value(place, shape, json),
            Subject::View(entries) => Mending::inside(self.view(place, shape, entries)).map(Rc::new),
        }
    }

    /// Interprets the value as one of the tagged variants.
    fn read_as(&mut self, place: CoercionPlace, told: &Shape, subject: Subject<'_, 'a>) -> Option<Mending<'a>> {
        let Kind::Union(union) = &told.kind else { return None };
        match subject {
            Subject::View(entries) => Mending::inside(self.coerce_tagged(place, union, entries)),
            Subject::Node(Json { node: Node::Object(members), .. }) => {
                let entries: Vec<CoercionEntry<'_, 'a>> = members.iter().enumerate().collect();
                Mending::inside(self.coerce_tagged(place, union, &entries))
            }
            Subject::Node(json) => self.name(place, told, union, &json.node, json),
        }
    }

    /// Returns the union without its untagged variants; `None` for a union without a tag. The result is created only once, so that its
    /// address can identify cached results.
    fn without_untagged(&mut self, union: &Union) -> Option<Rc<Shape>> {
        let make = || {
            let told: Vec<_> = union.variants.iter().filter(|variant| !variant.untagged).cloned().collect();
            Rc::new(Shape::new(Kind::Union(Union { variants: told.into(), ..union.clone() })))
        };
        (union.tagging != Tagging::Untagged).then(|| Rc::clone(self.told.entry(address(union)).or_insert_with(make)))
    }
}

impl<'e, 'a> Subject<'e, 'a> {
    fn json(self) -> Cow<'e, Json<'a>> {
        match self {
            Self::Node(json) => Cow::Borrowed(json),
            Self::View(entries) => {
                Cow::Owned(Json::from_node(Node::Object(entries.iter().map(|(_, member)| (*member).clone()).collect())))
            }
        }
    }
}
