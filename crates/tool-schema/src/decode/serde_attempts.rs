//! Counts in advance the alternatives that serde would try for a value.
//!
//! The value was accepted by the checker. It is rejected if serde would need more attempts than a bound that is linear in the size of the
//! value. The count follows serde, which tries the variants of an untagged union in turn, up to the one that accepts the value. Each pair
//! of shape and node is counted once.

use std::collections::HashMap;

use crate::check::accepts;
use crate::issue::{Constraint, Expected, Got, Issue, Path};
use crate::json::{Json, Member, Node};
use crate::shape::{CustomRuleError, Kind, Object, Ref, Shape, Tagging, Text, Union};

const FREE_ATTEMPTS: u64 = 1 << 16;
const ATTEMPTS_A_NODE: u64 = 64;

/// The maximum number of edges to follow; the JSON itself is at most 127 levels deep.
const MOST_EDGES: usize = 1024;

/// Returns an issue if serde would try a value in too many ways.
pub(super) fn excess(shape: &Shape, json: &Json<'_>) -> Option<Issue> {
    let mut count = Count { known: HashMap::new() };
    let allowed = FREE_ATTEMPTS.saturating_add(ATTEMPTS_A_NODE.saturating_mul(json.nodes()));
    if count.attempts(shape, json, MOST_EDGES) <= allowed {
        return None;
    }
    Some(Issue {
        path: Path::root(),
        constraint: Constraint::Custom(CustomRuleError::new("has too many possible meanings to be read")),
        expected: Expected::from_text(Text::from_static("a value that is nested less deeply")).into(),
        got: Got::absent(),
        suggestion: None,
        description: Text::EMPTY,
        inside: None,
    })
}

struct Count {
    /// The counts, keyed by the addresses of union and node, neither of which moves. A union that the compiler has duplicated is counted
    /// again.
    known: HashMap<(usize, usize), u64>,
}

impl Count {
    fn attempts(&mut self, shape: &Shape, json: &Json<'_>, edges: usize) -> u64 {
        let Some(edges) = edges.checked_sub(1) else { return u64::MAX };
        match (&shape.kind, &json.node) {
            (Kind::Nullable(inner) | Kind::Alias(inner), _) => self.attempts(&inner.shape(), json, edges),
            (Kind::Array(items), Node::Array(nodes)) => {
                let shape = items.shape();
                self.sum(nodes.iter().map(|node| (&*shape, node)), edges)
            }
            (Kind::Tuple(positions), Node::Array(nodes)) => {
                let shapes: Vec<_> = positions.iter().map(Ref::shape).collect();
                self.sum(shapes.iter().map(|shape| &**shape).zip(nodes), edges)
            }
            (Kind::Map { values, .. }, Node::Object(members)) => {
                let shape = values.shape();
                self.sum(members.iter().map(|member| (&*shape, &member.value)), edges)
            }
            (Kind::Object(object), Node::Object(members)) => self.object(object, json, members, edges),
            (Kind::Union(union), _) => {
                let key = (std::ptr::from_ref(union) as usize, std::ptr::from_ref(json) as usize);
                if let Some(&attempts) = self.known.get(&key) {
                    return attempts;
                }
                let attempts = self.union(union, json, edges);
                self.known.insert(key, attempts);
                attempts
            }
            _ => 0,
        }
    }

    fn sum<'s, 'j: 's>(&mut self, pairs: impl Iterator<Item = (&'s Shape, &'s Json<'j>)>, edges: usize) -> u64 {
        pairs.fold(0, |sum, (shape, json)| sum.saturating_add(self.attempts(shape, json, edges)))
    }

    fn object(&mut self, object: &Object, json: &Json<'_>, members: &[Member<'_>], edges: usize) -> u64 {
        object.fields.iter().fold(0, |sum, field| {
            let shape = field.shape.shape();
            let values = members.iter().filter(|member| field.has_key(&member.key)).map(|member| &member.value);
            let inner = if field.flatten {
                self.attempts(&shape, json, edges)
            } else {
                self.sum(values.map(|value| (&*shape, value)), edges)
            };
            sum.saturating_add(inner)
        })
    }

    fn union(&mut self, union: &Union, json: &Json<'_>, edges: usize) -> u64 {
        let tagged = match &union.tagging {
            Tagging::Untagged => None,
            Tagging::External => json.members().first().map(|member| (&*member.key, &member.value)),
            Tagging::Internal { tag } => json.get(tag).and_then(Json::as_str).map(|name| (name, json)),
            Tagging::Adjacent { tag, content } => json.get(tag).and_then(Json::as_str).zip(json.get(content)),
        };
        let mut attempts = 0_u64;
        for variant in &union.variants {
            let in_turn = variant.untagged || union.tagging == Tagging::Untagged;
            let node = match tagged {
                _ if in_turn => json,
                Some((name, payload)) if variant.spellings().any(|known| known == name) => payload,
                _ => continue,
            };
            let Some(payload) = &variant.payload else { continue };
            let payload = payload.shape();
            attempts = attempts.saturating_add(1).saturating_add(self.attempts(&payload, node, edges));
            if in_turn && accepts(&payload, json) {
                break;
            }
        }
        attempts
    }
}
