//! The keywords that contain subschemas, as one table for all traversals.
//!
//! The table lists the keywords of all dialects. A keyword that the current dialect does not have is traversed too, which only costs time.

use std::borrow::Cow;

use tool_runtime::tool_schema::json::{Json, Node};

use crate::private::json::pointer::push_token;

/// The part of a value to which a subschema applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The value itself.
    Same,
    /// A member, an item, or a key of the value.
    Inside,
    /// None: the subschema only applies where a reference leads to it.
    Nothing,
}

/// The form in which a keyword contains subschemas.
#[derive(Clone, Copy)]
enum Holds {
    One,
    List,
    Map,
    /// One subschema or a list of subschemas.
    OneOrList,
}

fn holds(keyword: &str) -> Option<(About, Holds)> {
    Some(match keyword {
        "not" | "if" | "then" | "else" => (About::Same, Holds::One),
        "allOf" | "anyOf" | "oneOf" => (About::Same, Holds::List),
        // The older keyword `dependencies` also contains lists of names, which are not schemas.
        "dependentSchemas" | "dependencies" => (About::Same, Holds::Map),
        "items" => (About::Inside, Holds::OneOrList),
        "prefixItems" => (About::Inside, Holds::List),
        "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "propertyNames"
        | "additionalProperties"
        | "unevaluatedProperties" => (About::Inside, Holds::One),
        "properties" | "patternProperties" => (About::Inside, Holds::Map),
        "$defs" | "definitions" => (About::Nothing, Holds::Map),
        _ => return None,
    })
}

/// A subschema, with its position in the parent schema.
pub(super) struct Sub<'s> {
    pub(super) about: About,
    pub(super) keyword: &'s str,
    /// The name or index under the keyword, if it contains several subschemas.
    pub(super) name: Option<Cow<'s, str>>,
    pub(super) schema: &'s Json<'static>,
    /// The index of the keyword among the members of the parent, and the index under the keyword if it contains several subschemas.
    pub(super) steps: (u32, Option<u32>),
}

impl Sub<'_> {
    /// Returns the pointer of the subschema, given the pointer of the parent.
    pub(super) fn pointer(&self, parent: &str) -> String {
        let mut pointer = join(parent, self.keyword);
        if let Some(name) = &self.name {
            push_token(&mut pointer, name);
        }
        pointer
    }
}

/// Returns all subschemas, in order.
pub(super) fn subschemas<'s>(schema: &'s Json<'static>) -> Vec<Sub<'s>> {
    let mut found = Vec::new();
    for (at, member) in (0_u32..).zip(schema.members()) {
        let Some((about, holds)) = holds(&member.key) else { continue };
        let keyword = &*member.key;
        let mut add = |name: Option<Cow<'s, str>>, inner, schema: &'s Json<'static>| {
            if is_schema(schema) {
                found.push(Sub { about, keyword, name, schema, steps: (at, inner) });
            }
        };
        match (holds, &member.value.node) {
            (Holds::One | Holds::OneOrList, Node::Object(_) | Node::Bool(_)) => add(None, None, &member.value),
            (Holds::List | Holds::OneOrList, Node::Array(items)) => {
                for (index, item) in (0..).zip(items) {
                    add(Some(index.to_string().into()), Some(index), item);
                }
            }
            (Holds::Map, Node::Object(members)) => {
                for (index, inner) in (0..).zip(members) {
                    add(Some(Cow::Borrowed(&*inner.key)), Some(index), &inner.value);
                }
            }
            _ => {}
        }
    }
    found
}

/// Applies a change to each subschema, in place.
pub(super) fn each_subschema_mut(schema: &mut Json<'static>, change: &mut dyn FnMut(About, &str, &mut Json<'static>)) {
    let Node::Object(members) = &mut schema.node else { return };
    for member in members {
        let Some((about, holds)) = holds(&member.key) else { continue };
        let keyword = &*member.key;
        match (holds, &mut member.value.node) {
            (Holds::One | Holds::OneOrList, Node::Object(_) | Node::Bool(_)) => {
                change(about, keyword, &mut member.value);
            }
            (Holds::List | Holds::OneOrList, Node::Array(items)) => {
                items.iter_mut().filter(|item| is_schema(item)).for_each(|item| change(about, keyword, item));
            }
            (Holds::Map, Node::Object(members)) => {
                let schemas = members.iter_mut().map(|member| &mut member.value).filter(|value| is_schema(value));
                schemas.for_each(|schema| change(about, keyword, schema));
            }
            _ => {}
        }
    }
}

fn is_schema(json: &Json<'_>) -> bool {
    matches!(json.node, Node::Object(_) | Node::Bool(_))
}

/// Appends a token to a pointer.
pub(super) fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + token.len() + 1);
    joined.push_str(pointer);
    push_token(&mut joined, token);
    joined
}
