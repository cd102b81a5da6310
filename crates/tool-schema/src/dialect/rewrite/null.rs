//! Adds `null` to the values of a schema.

use super::draft::{list, member, object, word};
use crate::json::{Json, Member, Node};

/// Returns a schema that also accepts `null`.
pub(super) fn or_null(schema: Json<'static>) -> Json<'static> {
    let Node::Object(mut members) = schema.node else { return schema };
    if members.iter().any(|member| matches!(&*member.key, "$ref" | "const" | "enum")) {
        return beside_null(members);
    }
    let null = || object([member("type", word("null"))]);
    if let Some(branches) = members.iter_mut().find(|member| member.key == "anyOf") {
        if let Node::Array(branches) = &mut branches.value.node {
            branches.push(null());
        }
        return object(members);
    }
    if let Some(named) = members.iter_mut().find(|member| member.key == "type") {
        let names = match std::mem::replace(&mut named.value.node, Node::Null) {
            Node::Array(names) => names,
            only => vec![Json::new(only)],
        };
        named.value = list(names.into_iter().chain([word("null")]));
    }
    object(members)
}

/// Returns a union of the schema and `null`. The description of the schema moves to the union.
fn beside_null(members: Vec<Member<'static>>) -> Json<'static> {
    let (description, own): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.key == "description");
    let null = object([member("type", word("null"))]);
    object([member("anyOf", list([object(own), null]))].into_iter().chain(description))
}
