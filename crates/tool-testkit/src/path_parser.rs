//! A parser for paths as people write them: `customer.items[2].quantity`, `["odd key"].x`, or a JSON Pointer (RFC 6901), which begins with
//! `/`.
//!
//! Invariant: every path that a report prints can be parsed here.

use tool_runtime::tool_schema::issue::{Path, Segment};
use tool_runtime::tool_schema::json::{Json, Node};

use super::SetupError;
use crate::private::json::build::member;

/// Parses a path.
pub(super) fn read(text: &str) -> Result<Path, SetupError> {
    let read = if text.starts_with('/') { Ok(pointer(text)) } else { dotted(text) };
    read.map_err(|problem| SetupError::Path { path: text.to_owned(), reason: problem })
}

/// Parses a JSON Pointer. Each step becomes a key, and [`look`] uses a key of digits as the index if the value is an array.
fn pointer(text: &str) -> Path {
    let steps = text.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.fold(Path::root(), Path::key)
}

fn dotted(text: &str) -> Result<Path, &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    let (mut path, mut rest, mut is_first) = (Path::root(), text, true);
    while !rest.is_empty() {
        (path, rest) = match rest.strip_prefix('[') {
            Some(inside) => bracket(path, inside)?,
            None => key(path, if is_first { rest } else { rest.strip_prefix('.').ok_or("a dot is missing")? })?,
        };
        is_first = false;
    }
    Ok(path)
}

fn key(path: Path, text: &str) -> Result<(Path, &str), &'static str> {
    let (key, rest) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
    if key.is_empty() { Err("a name is missing") } else { Ok((path.key(key), rest)) }
}

fn bracket(path: Path, inside: &str) -> Result<(Path, &str), &'static str> {
    if inside.starts_with('"') {
        // The quoted key is a JSON string, so it may contain any character. It ends at the first quote at which it is valid JSON.
        let mut ends = inside.match_indices("\"]").map(|(at, _)| at + 1);
        let read = |end| Some((end, Json::parse(&inside[..end]).ok()?.as_str()?.to_owned()));
        let (end, key) = ends.find_map(read).ok_or("a quoted name does not end")?;
        return Ok((path.key(key), &inside[end + 1..]));
    }
    let (index, rest) = inside.split_once(']').ok_or("a bracket is not closed")?;
    Ok((path.index(index.parse().map_err(|_| "an index is not a number")?), rest))
}

/// Returns the value at a path.
pub(super) fn look<'j, 'a>(json: &'j Json<'a>, path: &Path) -> Option<&'j Json<'a>> {
    path.segments().iter().try_fold(json, |json, segment| match segment {
        Segment::Key(key) => json.get(key).or_else(|| json.items().get(key.parse::<usize>().ok()?)),
        Segment::Index(index) => json.items().get(*index),
    })
}

/// Returns the tree with a value inserted at a path, or `None` if the path leads nowhere. The recursion is as deep as the path.
pub(super) fn put(json: &Json<'_>, path: &[Segment], value: &Json<'_>) -> Option<Json<'static>> {
    let Some((first, rest)) = path.split_first() else { return Some(value.clone().into_owned()) };
    let mut whole = json.clone().into_owned();
    match (&mut whole.node, first) {
        (Node::Object(members), Segment::Key(key)) => match members.iter_mut().find(|member| *member.key == **key) {
            Some(member) => member.value = put(&member.value, rest, value)?,
            None if rest.is_empty() => {
                members.push(member(key.to_string(), value.clone().into_owned()));
            }
            None => return None,
        },
        (Node::Array(items), Segment::Index(index)) => {
            let item = items.get_mut(*index)?;
            *item = put(item, rest, value)?;
        }
        _ => return None,
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(text: &str) -> &'static str {
        match read(text) {
            Err(SetupError::Path { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn printed_paths_can_be_parsed() {
        assert_eq!(
            read("customer.items[2].quantity"),
            Ok(Path::root().key("customer").key("items").index(2).key("quantity"))
        );
        assert_eq!(read("[0]"), Ok(Path::root().index(0)));
        assert_eq!(read("/a~1b/0/~0"), Ok(Path::root().key("a/b").key("0").key("~")));
        assert_eq!(read(r#"["a \"] b"].c"#), Ok(Path::root().key("a \"] b").key("c")));
    }

    #[test]
    fn the_error_for_an_invalid_path_names_the_mistake() {
        assert_eq!(problem(""), "it is empty");
        assert_eq!(problem("a..b"), "a name is missing");
        assert_eq!(problem(".a"), "a name is missing");
        assert_eq!(problem("a["), "a bracket is not closed");
        assert_eq!(problem("a[x]"), "an index is not a number");
        assert_eq!(problem("a[0]b"), "a dot is missing");
        assert_eq!(problem("[\"a]"), "a quoted name does not end");
    }

    #[test]
    fn digits_in_a_pointer_are_indices_of_arrays() -> Result<(), Box<dyn std::error::Error>> {
        let json = Json::parse(r#"{"a": [{"b": 1}], "0": 2}"#)?;
        assert_eq!(look(&json, &read("/a/0/b")?).map(Json::to_text).as_deref(), Some("1"));
        assert_eq!(look(&json, &read("/0")?).map(Json::to_text).as_deref(), Some("2"));
        assert_eq!(look(&json, &read("a[1]")?), None);
        Ok(())
    }

    #[test]
    fn a_value_is_put_at_a_path() -> Result<(), Box<dyn std::error::Error>> {
        let json = Json::parse(r#"{"a": [{"b": 1}, 2], "c": {}}"#)?;
        let value = Json::parse("true")?;
        let put = |path: &str| read(path).map(|path| put(&json, path.segments(), &value).map(|json| json.to_text()));
        assert_eq!(put("a[0].b")?.as_deref(), Some(r#"{"a":[{"b":true},2],"c":{}}"#));
        assert_eq!(put("a[1]")?.as_deref(), Some(r#"{"a":[{"b":1},true],"c":{}}"#));
        assert_eq!(put("c.new")?.as_deref(), Some(r#"{"a":[{"b":1},2],"c":{"new":true}}"#));
        assert_eq!(put("a[2]")?, None);
        assert_eq!(put("d.new")?, None);
        assert_eq!(put("a[1].b")?, None);
        Ok(())
    }

    proptest! {
        #[test]
        fn every_printed_path_can_be_parsed(keys in proptest::collection::vec((".{1,6}", any::<Option<usize>>()), 1..4)) {
            let segment = |(key, index): (String, Option<usize>)| index.map_or(Segment::Key(key.into()), Segment::Index);
            let path: Path = keys.into_iter().map(segment).collect();
            prop_assert_eq!(read(&path.to_string()), Ok(path));
        }
    }
}
