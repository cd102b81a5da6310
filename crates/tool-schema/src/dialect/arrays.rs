//! Prepares arrays for providers that reject some ways to describe their items, before a schema is rewritten.
//!
//! In: the schema of the arguments. Out: the same schema, in which each array is described as the form requires. Values do not change, and
//! the new schema accepts every value that the old one accepts.

use super::keyword_text::sentence;
use super::rewrite::describe;
use super::rules::Arrays;
use crate::json::build::{list, member, object};
use crate::json::{Json, Member, Node};
use crate::schema::keywords::edit_each;

/// Describes every array of a document in the way that a form requires.
pub(super) fn prepare(document: &mut Json<'static>, arrays: Arrays) {
    let mut is_newer = false;
    match arrays {
        Arrays::AsWritten => {}
        Arrays::Positions => edit_each(document, &mut |schema| {
            let Node::Object(members) = &mut schema.node else { return };
            if let Some(positions) = Positions::take(members, false) {
                is_newer = true;
                positions.list(members);
            }
        }),
        Arrays::OneSchema => edit_each(document, &mut |schema| {
            let Node::Object(members) = &mut schema.node else { return };
            if let Some(positions) = Positions::take(members, true) {
                positions.join(members);
            }
            require_items(members);
        }),
    }
    // Versions of JSON Schema with lists in `items` do not know `prefixItems`.
    if let Node::Object(members) = &mut document.node
        && is_newer
    {
        members.retain(|entry| entry.key != "$schema");
    }
}

/// The schemas of an array's items by their position.
struct Positions {
    schemas: Vec<Json<'static>>,
    /// The schema of all further items; `None` if they may be anything.
    rest: Option<Json<'static>>,
    /// The index of the keyword among the members.
    at: usize,
}

impl Positions {
    /// Takes the positions out of a schema: a list in `items`, or with `both` also `prefixItems`.
    fn take(members: &mut Vec<Member<'static>>, both: bool) -> Option<Self> {
        let is_list =
            |keyword: &str, entry: &Member<'static>| entry.key == keyword && matches!(entry.value.node, Node::Array(_));
        let prefix = members.iter().position(|entry| both && is_list("prefixItems", entry));
        let at = prefix.or_else(|| members.iter().position(|entry| is_list("items", entry)))?;
        let Node::Array(schemas) = members.remove(at).value.node else { return None };
        let rest = if prefix.is_some() { "items" } else { "additionalItems" };
        let rest = members.iter().find(|entry| entry.key == rest).map(|entry| entry.value.clone());
        members.retain(|entry| !matches!(&*entry.key, "items" | "additionalItems"));
        Some(Self { schemas, rest, at: at.min(members.len()) })
    }

    /// Writes the positions as `prefixItems`.
    fn list(self, members: &mut Vec<Member<'static>>) {
        if let Some(rest) = self.rest {
            members.insert(self.at, member("items", rest));
        }
        // An empty list is not a valid `prefixItems`.
        if !self.schemas.is_empty() {
            members.insert(self.at, member("prefixItems", list(self.schemas)));
        }
    }

    /// Writes one schema that accepts the items at every position, and repeats the positions in words.
    fn join(self, members: &mut Vec<Member<'static>>) {
        let Self { schemas, mut rest, at } = self;
        if rest.as_ref().and_then(Json::as_bool) == Some(false) {
            bound(members, schemas.len());
            rest = None;
        }
        let is_bounded = most(members).is_some_and(|most| most <= schemas.len());
        let any = object([]);
        let others = (!is_bounded).then(|| rest.unwrap_or_else(|| any.clone()));
        let mut kinds: Vec<Json<'static>> = Vec::new();
        for kind in schemas.iter().cloned().chain(others) {
            let kind = if kind.as_bool() == Some(true) { any.clone() } else { kind };
            if kind.as_bool() != Some(false) && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let differ = kinds.len() > 1;
        let items = match kinds.pop() {
            None => any,
            Some(only) if kinds.is_empty() => only,
            Some(last) if last == any || kinds.contains(&any) => any,
            Some(last) => object([member("anyOf", list(kinds.into_iter().chain([last])))]),
        };
        members.insert(at, member("items", items));
        if let Some(words) = sentence("prefixItems", &list(schemas)).filter(|_| differ) {
            describe(members, words);
        }
    }
}

/// Limits the number of items.
fn bound(members: &mut Vec<Member<'static>>, count: usize) {
    if most(members).is_some_and(|most| most <= count) {
        return;
    }
    members.retain(|entry| entry.key != "maxItems");
    members.push(member("maxItems", Json::from_node(Node::Number(count.to_string().into()))));
}

fn most(members: &[Member<'static>]) -> Option<usize> {
    members.iter().find(|entry| entry.key == "maxItems")?.value.as_number()?.0.parse().ok()
}

/// Adds a schema for the items of an array without one. `true` and `false` are not accepted as schemas of items.
fn require_items(members: &mut Vec<Member<'static>>) {
    let Some(items) = members.iter_mut().find(|entry| entry.key == "items") else {
        if names_array(members) {
            members.push(member("items", object([])));
        }
        return;
    };
    if let Node::Bool(is_any) = items.value.node {
        items.value = object([]);
        if !is_any {
            bound(members, 0);
        }
    }
}

fn names_array(members: &[Member<'static>]) -> bool {
    let is_array = |value: &Json<'static>| value.as_str() == Some("array");
    let stated = members.iter().find(|entry| entry.key == "type");
    stated.is_some_and(|stated| is_array(&stated.value) || stated.value.items().iter().any(is_array))
}
