//! Whether a value of the wrong type holds a secret that belongs elsewhere.
//!
//! In comes what was sent at a place where no secret is expected, in a call that has some; out goes whether it may be told. An array or
//! object may not where a secret of the call has not found its own place, because then it may be anywhere, nor where a key resembles the
//! name of a sensitive field; and nothing may that contains what was sent in one. What always holds: what takes too long to be decided is not told.

use super::Checker;
use super::place::Subject;
use super::secrets::Secrets;
use crate::json::{Json, JsonType, Member, Node};
use crate::shape::{Field, Kind, Object, Shape, Text, Types};
use crate::suggest::nearest;

/// How many bytes are compared with secrets and with names of sensitive fields, in all of a call.
const MOST_COMPARED: usize = 1 << 22;
/// How many edges are followed without going deeper into the JSON.
const MOST_HOPS: usize = 48;

/// What is known of where the secrets of a call are.
pub(super) enum Whereabouts {
    /// Nobody has asked yet.
    Unasked,
    /// One of them has not found its place.
    Unknown,
    Placed(Box<Placed>),
}

/// The secrets of a call in which all of them have found their places.
pub(super) struct Placed {
    secrets: Secrets,
    /// The names of sensitive fields, wherever they are.
    names: Vec<Text>,
    left: usize,
}

impl Checker<'_, '_> {
    /// Whether what was sent may be, or have in it, a secret that belongs elsewhere.
    pub(super) fn may_be_misplaced(&mut self, subject: Subject<'_, '_>) -> bool {
        // A text or a number under a known key is taken for that key's own, unless it is a secret that was sent elsewhere too.
        let is_compound = matches!(subject.json_type(), JsonType::Array | JsonType::Object);
        if let Whereabouts::Unasked = self.whereabouts {
            self.whereabouts = self.place_secrets().map_or(Whereabouts::Unknown, Whereabouts::Placed);
        }
        let Whereabouts::Placed(placed) = &mut self.whereabouts else { return is_compound };
        match subject {
            Subject::Node(json) => placed.shows_in(json),
            Subject::View(members) => members.iter().any(|member| placed.shows_in_member(member)),
        }
    }

    /// `None` where a secret has not found its place.
    fn place_secrets(&mut self) -> Option<Box<Placed>> {
        let (shape, root) = (self.shape, self.root);
        if !self.has_its_secrets(shape, root, 0) {
            return None;
        }
        let mut names = Vec::new();
        let mut add = |shape: &Shape| {
            let Kind::Object(object) = &shape.kind else { return };
            for field in object.fields.iter().filter(|field| field.sensitive) {
                names.extend(std::iter::once(&field.name).chain(&field.aliases).cloned());
            }
        };
        add(shape);
        let is_whole = shape.walk(|_, shape| {
            add(shape);
            true
        });
        is_whole.then(|| Box::new(Placed { secrets: Secrets::of(shape, root), names, left: MOST_COMPARED }))
    }

    /// Whether everything sensitive in a value is there, with a type that fits. Of a union nobody can say.
    fn has_its_secrets(&mut self, shape: &Shape, json: &Json<'_>, hops: usize) -> bool {
        if !self.has_secrets(shape) {
            return true;
        }
        match &shape.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) if hops < MOST_HOPS => {
                self.has_its_secrets(&inner.shape(), json, hops + 1)
            }
            Kind::Array(items) => {
                let shape = items.shape();
                !json.items().is_empty() && json.items().iter().all(|item| self.has_its_secrets(&shape, item, 0))
            }
            Kind::Tuple(positions) => {
                json.items().len() == positions.len()
                    && positions
                        .iter()
                        .zip(json.items())
                        .all(|(edge, item)| self.has_its_secrets(&edge.shape(), item, 0))
            }
            Kind::Map { values, .. } => {
                let shape = values.shape();
                let members = json.members();
                !members.is_empty() && members.iter().all(|member| self.has_its_secrets(&shape, &member.value, 0))
            }
            Kind::Object(object) if hops < MOST_HOPS => self.has_its_fields(object, json, hops),
            _ => false,
        }
    }

    fn has_its_fields(&mut self, object: &Object, json: &Json<'_>, hops: usize) -> bool {
        object.fields.iter().all(|field| {
            let shape = field.shape.shape();
            if field.flatten {
                return !field.sensitive && self.has_its_secrets(&shape, json, hops + 1);
            }
            if !field.sensitive && !self.has_secrets(&shape) {
                return true;
            }
            let Some(member) = json.members().iter().find(|member| is_of(field, member)) else { return false };
            if field.sensitive {
                !member.value.is_null() && Types::of(&shape).contains(member.value.json_type())
            } else {
                self.has_its_secrets(&shape, &member.value, 0)
            }
        })
    }
}

fn is_of(field: &Field, member: &Member<'_>) -> bool {
    field.name == *member.key || field.aliases.iter().any(|alias| *alias == *member.key)
}

impl Placed {
    fn shows_in(&mut self, json: &Json<'_>) -> bool {
        match &json.node {
            Node::String(text) | Node::Number(text) => {
                !self.spend(text.len(), self.secrets.count()) || self.secrets.are_in(text)
            }
            Node::Array(items) => items.iter().any(|item| self.shows_in(item)),
            Node::Object(members) => members.iter().any(|member| self.shows_in_member(member)),
            Node::Null | Node::Bool(_) => false,
        }
    }

    fn shows_in_member(&mut self, member: &Member<'_>) -> bool {
        let key = &member.key;
        !self.spend(key.len(), self.secrets.count() + self.names.len())
            || self.secrets.are_in(key)
            || nearest(key, self.names.iter().map(Text::as_str)).is_some()
            || self.shows_in(&member.value)
    }

    /// Whether a text may still be compared with so many others.
    fn spend(&mut self, length: usize, others: usize) -> bool {
        let cost = (length + 64).saturating_mul(others);
        self.left = self.left.saturating_sub(cost);
        self.left > 0
    }
}
