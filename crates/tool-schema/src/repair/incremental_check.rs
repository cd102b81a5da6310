//! Checks a text against a shape while it arrives.
//!
//! An issue is reported as soon as no continuation of the text can be accepted. The watch keeps a shape for each open array and object; the
//! checker decides the rest (unions, flattened fields, rules) on the complete value. Invariant: if the part of the value that has arrived
//! is closed and checked, the checker finds each reported issue at the same location.

use super::lenient::{Event, Input, Machine};
use crate::check::check;
use crate::issue::{Constraint, Issues};
use crate::json::{JsonType, Node};
use crate::shape::{AcceptedTypes, Kind, Ref, Shape, UnknownKeys};

/// The maximum number of checks without a result; after that, the value is only checked at the end of the text. A repeated key causes such
/// checks, because the checker only looks at its first value.
const MOST_IN_VAIN: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct IncrementalCheck {
    /// The shape of the whole value.
    whole: Ref,
    /// The shape of each open array or object; `None` if the expectation is not known until the value is complete.
    inside: Vec<Option<Ref>>,
    /// The number of checks without a result. Each costs time proportional to the part of the value that has arrived.
    asked_in_vain: usize,
}

impl IncrementalCheck {
    pub(super) const fn new(whole: Ref) -> Self {
        Self { whole, inside: Vec::new(), asked_in_vain: 0 }
    }

    /// Returns `true` if a value of the shape may contain a secret.
    pub(super) fn has_secrets(&self) -> bool {
        self.whole.shape().has_secrets()
    }

    /// Returns the issues that no continuation can resolve, if there are any.
    pub(super) fn look(
        &mut self,
        machine: &Machine<'static>,
        input: &Input<'_, 'static>,
        event: Event,
    ) -> Option<Issues> {
        let (json_type, depth, is_complete) = match event {
            Event::None => return None,
            Event::Key => {
                let depth = machine.depth();
                self.inside.truncate(depth);
                let key = depth.checked_sub(1).and_then(|innermost| machine.key_at(innermost));
                let is_unknown = key.is_some_and(|key| !self.knows(key));
                return if is_unknown { self.judge(machine, input, depth, false, Some(Node::Null)) } else { None };
            }
            Event::Opened(json_type) => (json_type, machine.depth().saturating_sub(1), false),
            Event::StringBegun => (JsonType::String, machine.depth(), false),
            Event::Scalar(json_type) => (json_type, machine.depth(), true),
        };
        self.inside.truncate(depth);
        let place = self.place(machine, depth, is_complete);
        // Only a complete object shows which variant it is: `{"Unit": null}` is accepted for the variant `"Unit"`.
        let is_union = || with(place.as_ref(), |shape| matches!(shape.kind, Kind::Union(_))).unwrap_or(true);
        let fits = match &place {
            None => true,
            _ if matches!(event, Event::Opened(_)) && is_union() => true,
            Some(edge) => AcceptedTypes::from_shape(&edge.shape()).contains(json_type),
        };
        if matches!(event, Event::Opened(_)) {
            self.inside.push(place);
        }
        if fits { None } else { self.judge(machine, input, depth, is_complete, None) }
    }

    /// Returns the expectation for the current value at this depth.
    fn place(&self, machine: &Machine<'static>, depth: usize, is_complete: bool) -> Option<Ref> {
        let Some(outer) = depth.checked_sub(1) else { return Some(self.whole.clone()) };
        with(self.inside.get(outer)?.as_ref(), |shape| match &shape.kind {
            Kind::Array(items) => Some(items.clone()),
            Kind::Tuple(items) => items.get(machine.index_at(outer, is_complete)).cloned(),
            Kind::Map { values, .. } => Some(values.clone()),
            Kind::Object(object) => {
                let key = machine.key_at(outer)?;
                object.fields.iter().find(|field| field.has_key(key)).map(|field| field.shape.clone())
            }
            _ => None,
        })?
    }

    /// Returns `true` if the innermost object may have a key.
    fn knows(&self, key: &str) -> bool {
        let known = self.inside.last().and_then(|place| {
            with(place.as_ref(), |shape| {
                let Kind::Object(object) = &shape.kind else { return true };
                object.unknown == UnknownKeys::Ignored
                    || object.fields.iter().any(|field| field.flatten || field.has_key(key))
            })
        });
        known.unwrap_or(true)
    }

    /// Returns the checker's issues at the current location only.
    fn judge(
        &mut self,
        machine: &Machine<'static>,
        input: &Input<'_, 'static>,
        depth: usize,
        is_complete: bool,
        filling: Option<Node<'static>>,
    ) -> Option<Issues> {
        if self.asked_in_vain == MOST_IN_VAIN {
            return None;
        }
        let value = machine.clone().close_all(input, filling)?;
        let path = machine.path(depth, is_complete);
        let mut issues = check(&self.whole.shape(), &value);
        issues.retain(|issue| {
            issue.path == path && matches!(issue.constraint, Constraint::Type(_) | Constraint::UnknownField { .. })
        });
        self.asked_in_vain += usize::from(issues.is_empty());
        (!issues.is_empty()).then_some(issues)
    }
}

/// Applies a function to the shape of a location, after following aliases.
fn with<T>(place: Option<&Ref>, ask: impl FnOnce(&Shape) -> T) -> Option<T> {
    place?.unaliased().map(|edge| ask(&edge.shape()))
}
