//! Faults planted into valid arguments, each at a place of its own.
//!
//! In: a shape, arguments that it accepts, how many faults. Out: the arguments with that many faults, and where. What always holds: after
//! each one the checker finds exactly one issue more, and it is at the place that was changed.

use std::borrow::Cow;

use super::value::Maker;
use crate::check::check;
use crate::issue::Path;
use crate::json::{Json, Member, Node, Span};
use crate::shape::{Kind, Shape};

/// Plants faults; `None` where there is no place for so many.
pub(super) fn plant(
    shape: &Shape,
    json: Json<'static>,
    faults: usize,
    maker: &mut Maker,
) -> Option<(Json<'static>, Vec<Path>)> {
    let (mut json, mut paths) = (json, Vec::new());
    let mut places = places(shape, &json);
    while paths.len() < faults {
        if places.is_empty() {
            return None;
        }
        let place = places.swap_remove(maker.below(places.len()));
        let path = Path::root().key(place.clone());
        let changed = changes(&json, &place).into_iter().find(|changed| {
            let issues = check(shape, changed);
            issues.len() == paths.len() + 1 && issues.iter().any(|issue| issue.path == path)
        });
        if let Some(changed) = changed {
            json = changed;
            paths.push(path);
        }
    }
    Some((json, paths))
}

/// The parameters that are declared or were made up.
fn places(shape: &Shape, json: &Json<'_>) -> Vec<String> {
    let mut names: Vec<String> = json.members().iter().map(|member| member.key.to_string()).collect();
    if let Kind::Object(object) = &shape.kind {
        let declared = object.fields.iter().filter(|field| !field.flatten).map(|field| field.name.to_string());
        names.extend(declared.filter(|name| json.get(name).is_none()).collect::<Vec<_>>());
    }
    names
}

/// The same without the member, and with each of several values in its place.
fn changes(json: &Json<'static>, key: &str) -> Vec<Json<'static>> {
    let others = || json.members().iter().filter(|member| member.key != key).cloned();
    let with = |node: Node<'static>| {
        let value = Json::new(node);
        let member = Member { key: Cow::Owned(key.to_owned()), key_span: Span::default(), value };
        Json::new(Node::Object(others().chain([member]).collect()))
    };
    let wrong = [
        Node::Array(Vec::new()),
        Node::Bool(true),
        Node::String(Cow::Borrowed("?")),
        Node::Number(Cow::Borrowed("-0.5")),
    ];
    [Json::new(Node::Object(others().collect()))].into_iter().chain(wrong.map(with)).collect()
}
