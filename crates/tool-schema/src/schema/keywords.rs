//! The keywords that contain subschemas, as one table for all traversals.
//!
//! The table lists the keywords of all dialects. A keyword that the current dialect does not have is traversed too, which only costs time.

use std::borrow::Cow;

use crate::json::pointer::push_token;
use crate::json::{Json, Node};

/// The part of a value to which a subschema applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliesTo {
    /// The value itself.
    Same,
    /// A member, an item, or a key of the value.
    Inside,
    /// None: the subschema describes the content of a text, or only applies where a reference leads to it.
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

const CONTENT: &str = "contentSchema";

fn holds(keyword: &str) -> Option<(AppliesTo, Holds)> {
    Some(match keyword {
        "not" | "if" | "then" | "else" => (AppliesTo::Same, Holds::One),
        "allOf" | "anyOf" | "oneOf" => (AppliesTo::Same, Holds::List),
        // The older keyword `dependencies` also contains lists of names, which are not schemas.
        "dependentSchemas" | "dependencies" => (AppliesTo::Same, Holds::Map),
        "items" => (AppliesTo::Inside, Holds::OneOrList),
        "prefixItems" => (AppliesTo::Inside, Holds::List),
        "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "propertyNames"
        | "additionalProperties"
        | "unevaluatedProperties" => (AppliesTo::Inside, Holds::One),
        "properties" | "patternProperties" => (AppliesTo::Inside, Holds::Map),
        "$defs" | "definitions" => (AppliesTo::Nothing, Holds::Map),
        CONTENT => (AppliesTo::Nothing, Holds::One),
        _ => return None,
    })
}

/// A subschema, with its position in the parent schema.
pub struct Sub<'s> {
    /// The part of a value to which the subschema applies.
    pub about: AppliesTo,
    /// The keyword that contains the subschema.
    pub keyword: &'s str,
    /// The name or index under the keyword, if it contains several subschemas.
    pub name: Option<Cow<'s, str>>,
    /// The subschema itself.
    pub schema: &'s Json<'static>,
    /// The index of the keyword among the members of the parent, and the index under the keyword if it contains several subschemas.
    pub steps: (u32, Option<u32>),
}

impl Sub<'_> {
    /// Returns the pointer of the subschema, given the pointer of the parent.
    pub fn pointer(&self, parent: &str) -> String {
        let mut pointer = join(parent, self.keyword);
        if let Some(name) = &self.name {
            push_token(&mut pointer, name);
        }
        pointer
    }
}

/// Returns all subschemas of which a validator resolves the references, in order.
pub fn subschemas<'s>(schema: &'s Json<'static>) -> Vec<Sub<'s>> {
    let mut found = Vec::new();
    for (at, member) in (0_u32..).zip(schema.members()).filter(|(_, member)| member.key != CONTENT) {
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
pub fn each_subschema_mut(schema: &mut Json<'static>, change: &mut dyn FnMut(AppliesTo, &str, &mut Json<'static>)) {
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

/// Edits every schema inside a schema, and then the schema itself. The recursion is bounded, because the nesting of `Json` is.
pub fn edit_each(schema: &mut Json<'static>, edit: &mut dyn FnMut(&mut Json<'static>)) {
    each_subschema_mut(schema, &mut |_, keyword, inner| {
        // `true` and `false` for further members and items are settings, and not schemas.
        let is_further = ["additional", "unevaluated"].iter().any(|start| keyword.starts_with(start));
        if !(is_further && matches!(inner.node, Node::Bool(_))) {
            edit_each(inner, edit);
        }
    });
    edit(schema);
}

fn is_schema(json: &Json<'_>) -> bool {
    matches!(json.node, Node::Object(_) | Node::Bool(_))
}

/// Appends a token to a pointer.
pub fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + token.len() + 1);
    joined.push_str(pointer);
    push_token(&mut joined, token);
    joined
}
