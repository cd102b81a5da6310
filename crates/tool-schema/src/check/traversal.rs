//! The walk itself: compares a value with a kind, follows edges, and applies rules if the kind fits.
//!
//! Rules of the field, of aliases and of the type all apply to the same value. They are collected along the edges and applied once, at the
//! end of the chain.

use super::current_place::{CheckPlace, Subject};
use super::rules::{InnerRules, Rules};
use super::{Checker, Question, address};
use crate::issue::Constraint;
use crate::json::{Json, Node, Number, NumberText};
use crate::shape::{AcceptedTypes, Kind, Precision, Ref, Shape};

/// Returns `true` if a node is a leaf, or contains only a few leaves.
pub(crate) fn is_flat(json: &Json<'_>) -> bool {
    let is_leaf = |json: &Json<'_>| !matches!(json.node, Node::Array(_) | Node::Object(_));
    json.items().len() + json.members().len() <= FLAT && json.parts().all(is_leaf)
}

/// The maximum number of leaves in a flat node.
const FLAT: usize = 8;

impl<'j> Checker<'_, 'j> {
    /// Checks a node at its place. Inside a trial, the results of earlier checks are reused.
    pub(super) fn walk(&mut self, place: &CheckPlace<'_>, json: &Json<'j>) {
        // A node that only contains leaves is quick to check again, unless the shape refers to itself.
        let is_quick = || is_flat(json) && place.hops < 8;
        if self.alternatives == 0 || place.rules.len() > 1 || is_quick() {
            return self.subject(place, Subject::Node(json));
        }
        let rules = place.rules.first().filter(|rules| !rules.is_empty()).map_or(0, |rules| address(&***rules));
        let question = || Question { shape: address(place.shape), rules, node: address(json) };
        if let Some(&verdict) = self.verdicts.get(&question()) {
            self.faults += usize::from(!verdict);
            return;
        }
        // Until the result is known, it counts as `false`, so that a recursive check cannot accept a value by relying on its own result.
        self.verdicts.insert(question(), false);
        let verdict = self.trial(|checker| checker.subject(place, Subject::Node(json)));
        self.verdicts.insert(question(), verdict);
        self.faults += usize::from(!verdict);
    }

    pub(super) fn subject(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, 'j>) {
        self.resolve(place, place.shape, &Rules::new(place.rules, None), subject);
    }

    /// Follows aliases and optional types to the kind that the value is checked against.
    fn resolve(&mut self, place: &CheckPlace<'_>, shape: &Shape, outer: &Rules<'_>, subject: Subject<'_, 'j>) {
        if !self.may_go_on() {
            return self.give_up(place, subject);
        }
        let own = [&shape.rules];
        let rules = Rules::new(&own, Some(outer));
        let (inner, is_nullable) = match &shape.kind {
            Kind::Alias(inner) => (inner, false),
            Kind::Nullable(inner) => (inner, true),
            _ => return self.decide(place, shape, &rules, subject),
        };
        if is_nullable && subject.is_null() {
            return self.custom(place, &rules, subject);
        }
        match place.hop() {
            Some(place) => self.resolve(&place, &inner.shape(), &rules, subject),
            None => self.give_up(place, subject),
        }
    }

    /// Checks the value against a kind that is neither an alias nor optional, then against all rules.
    fn decide(&mut self, place: &CheckPlace<'_>, shape: &Shape, rules: &Rules<'_>, subject: Subject<'_, 'j>) {
        let before = self.faults;
        let fits = match (&shape.kind, subject) {
            // If the payload of a variant is `()`, its object is empty once the tag is removed.
            (Kind::Any | Kind::Foreign(_), _)
            | (Kind::Null, Subject::View([]) | Subject::Node(Json { node: Node::Null, .. }))
            | (Kind::Boolean, Subject::Node(Json { node: Node::Bool(_), .. }))
            | (Kind::String, Subject::Node(Json { node: Node::String(_), .. })) => true,
            (Kind::Integer, Subject::Node(Json { node: Node::Number(text), .. })) => {
                let text = NumberText(text);
                text.is_plain_integer() || rules.take_any_spelling() && text.is_integral()
            }
            (Kind::Number(precision), Subject::Node(Json { node: Node::Number(text), .. })) => {
                self.finite(place, *precision, text, subject);
                true
            }
            (Kind::Array(shape), Subject::Node(Json { node: Node::Array(items), .. })) => {
                self.items(place, shape, items, rules);
                true
            }
            (Kind::Tuple(shapes), Subject::Node(json @ Json { node: Node::Array(_), .. })) => {
                self.tuple(place, shapes, json);
                true
            }
            (Kind::Map { keys, values }, _) => {
                subject.entries().map(|entries| self.map(place, (keys, values), entries, rules)).is_some()
            }
            (Kind::Object(object), _) => subject.entries().map(|entries| self.object(place, object, entries)).is_some(),
            (Kind::Union(union), _) => self.union(place, union, subject),
            _ => false,
        };
        if !fits {
            // The place has the shape at the start of the chain, which also tells whether `null` is accepted.
            self.fault(place, Some(subject), |_| {
                Constraint::Type(AcceptedTypes::from_shape(place.shape).iter().collect())
            });
        } else if !self.is_decided() {
            self.rules(place, rules, subject);
            if self.faults == before {
                self.custom(place, rules, subject);
            }
        }
    }

    /// Reports numbers that no float can represent.
    fn finite(&mut self, place: &CheckPlace<'_>, precision: Precision, text: &str, subject: Subject<'_, '_>) {
        // Without an exponent, 38 digits fit either precision.
        if text.len() <= 38 && !text.contains(['e', 'E']) {
            return;
        }
        let value = NumberText(text).to_f64();
        #[allow(clippy::cast_possible_truncation)] // The cast detects an overflow.
        let (is_finite, largest) = match precision {
            Precision::Single => ((value as f32).is_finite(), f64::from(f32::MAX)),
            Precision::Double => (value.is_finite(), f64::MAX),
        };
        if is_finite {
            return;
        }
        self.fault(place, Some(subject), |_| {
            if value.is_sign_negative() {
                Constraint::Minimum(Number::Float(-largest))
            } else {
                Constraint::Maximum(Number::Float(largest))
            }
        });
    }

    fn items(&mut self, place: &CheckPlace<'_>, edge: &Ref, items: &[Json<'j>], rules: &Rules<'_>) {
        let (shape, mut room) = (edge.shape(), InnerRules::EMPTY);
        let inner = rules.inner(&mut room);
        for (index, item) in items.iter().enumerate() {
            self.walk(&place.index(index, edge, &shape, inner), item);
            if self.is_decided() {
                return;
            }
        }
    }

    fn tuple(&mut self, place: &CheckPlace<'_>, edges: &[Ref], json: &Json<'j>) {
        let (length, expected) = (json.items().len(), edges.len());
        if length < expected {
            self.fault(place, Some(Subject::Node(json)), |_| Constraint::MinItems(expected as u64));
        } else if length > expected {
            self.fault(place, Some(Subject::Node(json)), |_| Constraint::MaxItems(expected as u64));
        }
        for (index, (edge, item)) in edges.iter().zip(json.items()).enumerate() {
            self.walk(&place.index(index, edge, &edge.shape(), &[]), item);
            if self.is_decided() {
                return;
            }
        }
    }
}
