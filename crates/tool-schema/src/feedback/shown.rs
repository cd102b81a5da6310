//! Arguments for the eyes of people: [`without_secrets`].
//!
//! In come a shape and arguments; out goes a copy without the values and keys that must not be shown, or the verdict about one location.
//! Invariant: the verdict is that of the marked-up arguments, so a value is hidden in all of them or in none. It depends on the position of a
//! value, never on its text.

use std::borrow::Cow;

use super::view::View;
use crate::issue::REDACTED;
use crate::issue::Segment;
use crate::json::{Json, Member, Node};
use crate::shape::Shape;

/// The arguments with `"<redacted>"` for each value that must not be shown.
pub fn without_secrets(shape: &Shape, json: &Json<'_>) -> Json<'static> {
    let view = View::root(shape);
    if view.is_guarded() { shown(&view, json) } else { json.clone().into_owned() }
}

/// Whether what should stand at a path of the arguments must not be shown: a secret is expected there or inside.
pub fn hides(shape: &Shape, arguments: &Json<'_>, path: &[Segment]) -> bool {
    let absent = Json::new(Node::String(Cow::Borrowed("")));
    let (mut view, mut json) = (View::root(shape), arguments);
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

/// The depth of a tree is bounded.
fn shown(view: &View, json: &Json<'_>) -> Json<'static> {
    if view.hides(json) {
        return Json::new(Node::String(Cow::Borrowed(REDACTED)));
    }
    Json::new(match &json.node {
        Node::Array(items) => {
            Node::Array(items.iter().enumerate().map(|(index, item)| shown(&view.item(json, index), item)).collect())
        }
        Node::Object(members) => Node::Object(members.iter().map(|member| shown_member(view, json, member)).collect()),
        _ => return json.clone().into_owned(),
    })
}

fn shown_member(view: &View, object: &Json<'_>, member: &Member<'_>) -> Member<'static> {
    let value = shown(&view.member(object, &member.key), &member.value);
    Member { key: Cow::Owned(view.key(object, &member.key).to_owned()), key_span: member.key_span, value }
}
