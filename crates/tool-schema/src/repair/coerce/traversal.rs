//! The search itself: compares a value with a kind, follows edges, and visits each part of the value once.

use std::rc::Rc;

use super::detect_list_text::{may_be_several, takes_free_text};
use super::location::CoercionPlace;
use super::planned_changes::{Edit, Mending};
use super::scalar::{as_boolean, is_exact, is_exact_value, whole_number};
use super::{Coercer, Found, Question, address, levels};
use crate::check::is_flat;
use crate::json::{Json, Member, Node};
use crate::repair::RepairRule;
use crate::shape::{Kind, Ref, Rule, Shape};

/// A member with its position in the object.
pub(super) type CoercionEntry<'e, 'a> = (usize, &'e Member<'a>);

/// The value to search: a node, or some members of an object that are searched like an object of their own (flattened fields, payloads
/// beside a tag).
#[derive(Clone, Copy)]
pub(super) enum Subject<'e, 'a> {
    Node(&'e Json<'a>),
    View(&'e [CoercionEntry<'e, 'a>]),
}

impl<'a> Coercer<'_, 'a> {
    /// Returns the planned changes of a node; `None` if it is acceptable or its meaning is unclear.
    pub(super) fn value(&mut self, place: CoercionPlace, shape: &Shape, json: &Json<'a>) -> Found<'a> {
        if !self.may_take(1) || self.has_too_many {
            return None;
        }
        if self.trials == 0 || place.is_first() && is_flat(json) {
            return self.found(place, shape, json);
        }
        let question = || Question { place, shape: address(shape), node: address(json) };
        if let Some(known) = self.known.get(&question()) {
            return known.clone();
        }
        // Until the result is known, it counts as `None`, so that a shape that refers to itself finds no further changes in the same value.
        self.known.insert(question(), None);
        let found = self.found(place, shape, json);
        self.known.insert(question(), found.clone());
        found
    }

    fn found(&mut self, place: CoercionPlace, shape: &Shape, json: &Json<'a>) -> Found<'a> {
        let found = self.resolve(place, shape, shape, Subject::Node(json)).map(Rc::new);
        self.count(found.as_ref().map_or(0, |found| found.repairs()));
        found
    }

    /// Returns the edits of some members of an object.
    pub(super) fn view(
        &mut self,
        place: CoercionPlace,
        shape: &Shape,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        let found = self.may_take(1).then(|| self.resolve(place, shape, shape, Subject::View(entries)));
        found.flatten().map(|mending| mending.inside).unwrap_or_default()
    }

    /// Follows aliases and optional types to the kind that the value is compared with. `top` is the shape from which the first of these
    /// edges leads.
    fn resolve(
        &mut self,
        place: CoercionPlace,
        top: &Shape,
        shape: &Shape,
        subject: Subject<'_, 'a>,
    ) -> Option<Mending<'a>> {
        match (&shape.kind, subject) {
            (Kind::Nullable(_), Subject::Node(Json { node: Node::Null, .. })) => None,
            (Kind::Alias(inner) | Kind::Nullable(inner), _) => self.resolve(place.hop()?, top, &inner.shape(), subject),
            _ => self.decide(place, top, shape, subject),
        }
    }

    fn decide(
        &mut self,
        place: CoercionPlace,
        top: &Shape,
        shape: &Shape,
        subject: Subject<'_, 'a>,
    ) -> Option<Mending<'a>> {
        let json = match subject {
            Subject::Node(json) => json,
            Subject::View(entries) => return self.entries(place, shape, entries, subject),
        };
        match (&shape.kind, &json.node) {
            (Kind::Any | Kind::Foreign(_), _) if place.texts > 0 && !is_exact_value(json) => Some(Mending::rounding()),
            (Kind::Number(precision), Node::Number(text)) if place.texts > 0 && !is_exact(*precision, text) => {
                Some(Mending::rounding())
            }
            (Kind::Integer, Node::Number(_)) if place.texts > 0 && is_open(shape) && !is_exact_value(json) => {
                Some(Mending::rounding())
            }
            (Kind::Any | Kind::Foreign(_), _)
            | (Kind::String, Node::String(_))
            | (Kind::Null, Node::Null)
            | (Kind::Boolean, Node::Bool(_))
            | (Kind::Number(_), Node::Number(_)) => None,
            (Kind::Integer, Node::Number(text)) => whole_number(place, text),
            (Kind::Boolean, Node::Number(_)) if place.texts == 0 => as_boolean(place, &json.node),
            (Kind::Array(edge), Node::Array(items)) => self.items(place, items, std::iter::repeat(edge)),
            (Kind::Tuple(edges), Node::Array(items)) => self.items(place, items, edges.iter()),
            (Kind::Union(union), _) if union.is_untold() => self.alternatives(place, top, union, subject),
            (Kind::Object(_) | Kind::Map { .. } | Kind::Union(_), Node::Object(members)) => {
                let entries: Vec<CoercionEntry<'_, 'a>> = members.iter().enumerate().collect();
                self.entries(place, shape, &entries, subject)
            }
            (Kind::Union(union), node) => self.name(place, top, union, node, json),
            (kind, Node::String(_)) => {
                let read = self.text(place, top, json);
                match kind {
                    Kind::Boolean if read.is_none() => as_boolean(place, &json.node),
                    Kind::Array(edge) if read.is_none() => self.single(place, top, edge, json),
                    _ => read,
                }
            }
            (Kind::Array(edge), _) => self.single(place, top, edge, json),
            _ => None,
        }
    }

    /// Repairs an object, or some members of one.
    fn entries(
        &mut self,
        place: CoercionPlace,
        shape: &Shape,
        entries: &[CoercionEntry<'_, 'a>],
        subject: Subject<'_, 'a>,
    ) -> Option<Mending<'a>> {
        match &shape.kind {
            Kind::Object(object) => Mending::inside(self.object(place, object, entries)),
            Kind::Map { keys, values } => Some(Mending {
                hides_keys: place.is_hidden,
                ..Mending::inside(self.map(place, &keys.shape(), &values.shape(), entries))?
            }),
            Kind::Union(union) if union.is_untold() => self.alternatives(place, shape, union, subject),
            Kind::Union(union) => Mending::inside(self.coerce_tagged(place, union, entries)),
            _ => None,
        }
    }

    fn items<'e>(
        &mut self,
        place: CoercionPlace,
        items: &[Json<'a>],
        edges: impl Iterator<Item = &'e Ref>,
    ) -> Option<Mending<'a>> {
        let mut edits = Vec::new();
        for ((index, item), edge) in items.iter().enumerate().zip(edges) {
            if let Some(found) = self.value(place.item(), &edge.shape(), item) {
                edits.push((index, Edit::Value(found)));
            }
        }
        Mending::inside(edits)
    }

    /// Wraps one value where an array of such values is expected.
    ///
    /// An item of an array is not wrapped, because it could also be an item of the inner array. Empty values, and texts that may themselves
    /// be lists, are not wrapped either.
    fn single(&mut self, place: CoercionPlace, top: &Shape, edge: &Ref, json: &Json<'a>) -> Option<Mending<'a>> {
        let is_unclear = || json.as_str().is_some_and(may_be_several) && takes_free_text(&edge.shape(), 0);
        let is_nothing = json.is_null() || json.as_str() == Some("");
        if place.is_strict() || place.is_item || is_nothing || !place.holds(levels(json) + 1) || is_unclear() {
            return None;
        }
        let found = self.trial(|coercer| coercer.value(place.item(), &edge.shape(), json));
        self.keep(found.as_ref().map_or(0, |found| found.all_repairs()));
        let wrapped = Json::from_node(Node::Array(vec![json.clone()]));
        let mut mending = Mending::reading(RepairRule::SingleItem, wrapped, self.is_secret(place, top, true));
        mending.inside.extend(found.map(|found| (0, Edit::Value(found))));
        let read = mending.apply(json.clone());
        self.accepts(top, &read).then_some(mending)
    }
}

/// Returns `true` if the integers of a shape may have any width, as in a JSON Schema. A tool with such a schema gets its arguments as a
/// `serde_json::Value`, which turns integers beyond 64 bits into floats.
fn is_open(shape: &Shape) -> bool {
    shape.rules.iter().any(|rule| matches!(rule, Rule::Integral))
}
