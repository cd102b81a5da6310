//! Copies arguments for display to people: [`redact_arguments`].
//!
//! Invariant: the same values are hidden as in the marked-up arguments. The location and the type of a value decide whether it is hidden,
//! never its text.

use std::borrow::Cow;

use super::applicable_shapes::ApplicableShapes;
use crate::issue::REDACTED;
use crate::issue::Segment;
use crate::json::{Json, Member, Node};
use crate::shape::Shape;

/// Returns the arguments with `"<redacted>"` for each value that must not be shown.
pub fn redact_arguments(shape: &Shape, json: &Json<'_>) -> Json<'static> {
    let view = ApplicableShapes::root(shape);
    if view.is_guarded() { redact(&view, json) } else { json.clone().into_owned() }
}

/// Returns `true` if the value at a path of the arguments must not be shown, because it is a secret or may contain one.
pub fn hides(shape: &Shape, arguments: &Json<'_>, path: &[Segment]) -> bool {
    let absent = Json::from_node(Node::String(Cow::Borrowed("")));
    let (mut view, mut json) = (ApplicableShapes::root(shape), arguments);
    for segment in path {
        if view.hides(json) {
            return true;
        }
        (view, json) = match segment {
            Segment::Key(key) => (view.member(json, key), json.get(key).unwrap_or(&absent)),
            Segment::Index(index) => (view.item(json, *index), json.items().get(*index).unwrap_or(&absent)),
        };
    }
    view.hides(&absent)
}

/// Copies a value. The recursion is bounded by the depth of the tree.
fn redact(view: &ApplicableShapes, json: &Json<'_>) -> Json<'static> {
    if view.hides(json) {
        return Json::from_node(Node::String(Cow::Borrowed(REDACTED)));
    }
    Json::from_node(match &json.node {
        Node::Array(items) => {
            Node::Array(items.iter().enumerate().map(|(index, item)| redact(&view.item(json, index), item)).collect())
        }
        Node::Object(members) => Node::Object(members.iter().map(|member| shown_member(view, json, member)).collect()),
        _ => return json.clone().into_owned(),
    })
}

fn shown_member(view: &ApplicableShapes, object: &Json<'_>, member: &Member<'_>) -> Member<'static> {
    let value = redact(&view.member(object, &member.key), &member.value);
    Member { key: Cow::Owned(view.key(object, &member.key).to_owned()), key_span: member.key_span, value }
}
