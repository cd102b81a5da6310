//! Issues that are planted into valid arguments, each at a different path, at any depth.
//!
//! Invariant: the checker finds exactly the planted issues, at the paths that were changed.

use std::borrow::Cow;

use tool_runtime::tool_schema::check::check;
use tool_runtime::tool_schema::issue::{Path, Segment};
use tool_runtime::tool_schema::json::{Json, Member, Node};
use tool_runtime::tool_schema::shape::{Kind, Shape};

use super::value::Maker;
use crate::private::issue::value_at;
use crate::private::json::build::{list, member, object};

/// Plants this number of issues. Returns `None` if there are not enough paths.
pub(super) fn inject(
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
        paths.push(place);
        let place = paths[paths.len() - 1].segments();
        match changes(&json, place, maker).into_iter().find(|changed| has_faults(shape, changed, &paths)) {
            Some(changed) => json = changed,
            None => drop(paths.pop()),
        }
    }
    Some((json, paths))
}

/// Returns `true` if the checker reports exactly one issue at each of these paths, and no others.
fn has_faults(shape: &Shape, json: &Json<'static>, paths: &[Path]) -> bool {
    let issues = check(shape, json);
    issues.len() == paths.len() && paths.iter().all(|path| issues.iter().any(|issue| issue.path == *path))
}

/// Returns the paths of all values, and of the declared parameters that are absent.
fn places(shape: &Shape, json: &Json<'_>) -> Vec<Path> {
    let mut found = Vec::new();
    if let Kind::Object(object) = &shape.kind {
        let declared = object.fields.iter().filter(|field| !field.flatten && json.get(&field.name).is_none());
        found.extend(declared.map(|field| Path::root().key(field.name.to_string())));
    }
    let mut open = vec![(Path::root(), json)];
    while let Some((path, json)) = open.pop() {
        let members = json.members().iter().map(|member| (path.clone().key(member.key.to_string()), &member.value));
        let items = json.items().iter().enumerate().map(|(index, item)| (path.clone().index(index), item));
        let inside: Vec<_> = members.chain(items).collect();
        found.extend(inside.iter().map(|(path, _)| path.clone()));
        open.extend(inside);
    }
    found
}

/// Returns variants of the tree: one without the value at the path, and others with a different value there. A random choice decides which
/// variant comes first.
fn changes(json: &Json<'static>, place: &[Segment], maker: &mut Maker) -> Vec<Json<'static>> {
    let now = value_at(json, place);
    // The most frequent mistake of models: the right value in quotes.
    let quoted = now.filter(|now| matches!(now.node, Node::Number(_) | Node::Bool(_))).map(Json::to_text);
    let wrong = [
        None,
        Some(Node::String(quoted.map_or(Cow::Borrowed("?"), Cow::Owned))),
        Some(Node::Array(Vec::new())),
        Some(Node::Bool(true)),
        Some(Node::Number(Cow::Borrowed("-0.5"))),
    ];
    let mut changed: Vec<Json<'static>> = wrong.iter().map(|node| with(json, place, node.as_ref())).collect();
    changed.rotate_left(maker.below(wrong.len()));
    changed
}

/// Returns the tree with the value at the path replaced by `node`, or removed if `node` is `None`. The recursion is as deep as the path,
/// which is bounded by the depth of the generated value.
fn with(json: &Json<'static>, place: &[Segment], node: Option<&Node<'static>>) -> Json<'static> {
    let Some((first, rest)) = place.split_first() else {
        return node.map_or_else(|| json.clone(), |node| Json::from_node(node.clone()));
    };
    let is_gone = rest.is_empty() && node.is_none();
    match (&json.node, first) {
        (Node::Object(members), Segment::Key(key)) => {
            let (mut others, mut is_there) = (Vec::new(), false);
            for member in members {
                if *member.key != **key {
                    others.push(member.clone());
                    continue;
                }
                is_there = true;
                if !is_gone {
                    others.push(Member { value: with(&member.value, rest, node), ..member.clone() });
                }
            }
            if let (Some(node), false, true) = (node, is_there, rest.is_empty()) {
                others.push(member(key.to_string(), Json::from_node(node.clone())));
            }
            object(others)
        }
        (Node::Array(items), Segment::Index(index)) => {
            let kept = items.iter().enumerate().filter(|(position, _)| !(is_gone && position == index));
            let change = |(position, item): (usize, &Json<'static>)| {
                if position == *index { with(item, rest, node) } else { item.clone() }
            };
            list(kept.map(change))
        }
        _ => json.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tool_dynamic::InputSchema;

    #[test]
    fn a_fault_can_be_planted_at_an_absent_parameter() -> Result<(), Box<dyn std::error::Error>> {
        let input = InputSchema::parse(
            r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}"#,
        )?;
        let shape = input.shape();
        let found = |text: &str| Json::parse(text).map(|json| places(&shape.shape(), &json));
        let (a, b) = (|| Path::root().key("a"), || Path::root().key("b"));
        assert_eq!(found("{}")?, [a(), b()]);
        assert_eq!(found(r#"{"a": [1]}"#)?, [b(), a(), a().index(0)]);
        Ok(())
    }

    #[test]
    fn a_value_is_replaced_or_removed_or_added() -> Result<(), Box<dyn std::error::Error>> {
        let json = Json::parse(r#"{"a": [1, 2], "b": {"c": 3}}"#)?.into_owned();
        let wrong = Node::Bool(true);
        let (item, member, absent) =
            (Path::root().key("a").index(0), Path::root().key("b").key("c"), Path::root().key("d"));
        let changed = |path: &Path, node| with(&json, path.segments(), node).to_text();
        assert_eq!(changed(&item, None), r#"{"a":[2],"b":{"c":3}}"#);
        assert_eq!(changed(&item, Some(&wrong)), r#"{"a":[true,2],"b":{"c":3}}"#);
        assert_eq!(changed(&member, None), r#"{"a":[1,2],"b":{}}"#);
        assert_eq!(changed(&member, Some(&wrong)), r#"{"a":[1,2],"b":{"c":true}}"#);
        assert_eq!(changed(&absent, None), r#"{"a":[1,2],"b":{"c":3}}"#);
        assert_eq!(changed(&absent, Some(&wrong)), r#"{"a":[1,2],"b":{"c":3},"d":true}"#);
        Ok(())
    }
}
