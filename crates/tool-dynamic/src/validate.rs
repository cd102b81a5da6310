//! The check of arguments. If they are rejected, it collects all issues.
//!
//! `jsonschema` decides whether a call is accepted. If it is rejected, the checker reports every issue that the shape can express, in the
//! same words as for typed tools. Issues that only `jsonschema` finds are added.
//!
//! Invariants: if `jsonschema` lists its errors, an issue that it does not confirm is not reported. Every rejection has at least one issue.

use std::borrow::Cow;

use crate::private::decode::{self, Rejected};
use crate::private::input::tree;
use crate::private::issue::{
    Constraint, Expected, Got, Issues, MAX_ISSUES, Path, error_about, expected_words, got, got_nothing, new_issue,
};
use crate::private::json::{DEPTH_LIMIT, Json, JsonType, Node, Number, NumberText, well_formed};
use crate::private::shape::{AcceptedTypes, Kind, Ref, Shape, Text};
use jsonschema::ValidationError;
use serde_json::{Map, Value};
use tool_runtime::Arguments;
use tool_runtime::Issue;
use tool_runtime::tool_schema::check::check;

use super::compiled::Inner;
use super::jsonschema_error::{Finding, Words};
use super::merge_jsonschema_issues::combine;
use super::step_limit::{errors, first_error, is_valid};

/// The size in bytes above which a text is parsed by our own parser. `serde_json` doubles the capacity of a list when it grows, and could
/// need more memory than a rejected call may use.
const LARGE: usize = 16 * 1024;

/// The code of the issue of arguments whose check would take too many steps.
pub(super) const NOT_CHECKED: &str = "NOT_CHECKED";

/// Returns `true` if the schema accepts any object.
pub(super) fn accepts_objects(root: &Ref) -> bool {
    AcceptedTypes::from_shape(&root.shape()).contains(JsonType::Object)
}

/// The accepted numbers.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Numbers {
    /// Numbers in the range of `f64`, because the tool gets the value.
    InRange,
    /// All numbers that the schema accepts, because the tool gets the text. A larger number is checked as if it were the largest one.
    All,
}

/// Decodes arguments. Halves of surrogate pairs become U+FFFD.
pub(super) fn decode<'a>(
    schema: &Inner,
    arguments: Arguments<'a>,
    numbers: Numbers,
) -> Result<Map<String, Value>, Box<Rejected<'a>>> {
    let reject_value = |value| {
        let arguments = Arguments::Value(Cow::Owned(value));
        Box::new(Rejected::new(reject(schema, &arguments, numbers).into_error()))
    };
    match arguments {
        Arguments::Value(Cow::Owned(value)) if value.is_object() && is_shallow(&value, DEPTH_LIMIT) => {
            accept(schema, value).map_err(reject_value)
        }
        Arguments::Map(Cow::Owned(map)) if map.values().all(|value| is_shallow(value, DEPTH_LIMIT - 1)) => {
            accept(schema, Value::Object(map)).map_err(reject_value)
        }
        arguments => {
            let accepted = value(&arguments, numbers).and_then(|value| accept(schema, value).ok());
            match accepted.ok_or_else(|| replaced(&arguments)) {
                Ok(accepted) => Ok(accepted),
                Err(Some(text)) => decode(schema, Arguments::Text(Cow::Owned(text)), numbers),
                Err(None) => Err(Box::new(reject(schema, &arguments, numbers))),
            }
        }
    }
}

/// Returns the text of arguments with halves of surrogate pairs replaced; `None` if there are none.
fn replaced(arguments: &Arguments<'_>) -> Option<String> {
    let text = match arguments {
        Arguments::Text(text) => text,
        Arguments::Bytes(bytes) => std::str::from_utf8(bytes).ok()?,
        _ => return None,
    };
    match well_formed(text) {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    }
}

/// Returns the object if the schema accepts it.
fn accept(schema: &Inner, value: Value) -> Result<Map<String, Value>, Value> {
    let is_accepted = value.is_object() && is_valid(&schema.validator, schema.bound, &value) == Some(true);
    match value {
        Value::Object(map) if is_accepted => Ok(map),
        rejected => Err(rejected),
    }
}

/// Parses the arguments. Returns `None` if they are invalid or nested too deeply.
fn value(arguments: &Arguments<'_>, numbers: Numbers) -> Option<Value> {
    match arguments {
        _ if arguments.is_empty() => Some(Value::Object(Map::new())),
        Arguments::Text(text) if text.len() > LARGE => exact(&Json::parse(text).ok()?, numbers),
        Arguments::Text(text) => serde_json::from_str(text).ok().or_else(|| match numbers {
            Numbers::InRange => None,
            Numbers::All => exact(&Json::parse(text).ok()?, numbers),
        }),
        Arguments::Bytes(bytes) => serde_json::from_slice(bytes).ok(),
        Arguments::Value(value) => is_shallow(value, DEPTH_LIMIT).then(|| Value::clone(value)),
        Arguments::Map(map) => {
            let is_shallow = map.values().all(|value| is_shallow(value, DEPTH_LIMIT - 1));
            is_shallow.then(|| Value::Object(Map::clone(map)))
        }
    }
}

/// Converts a tree to a `serde_json` value, without spare capacity in lists. Returns `None` if a number is outside the accepted range. The
/// recursion is bounded, because the depth of a tree is.
fn exact(json: &Json<'_>, numbers: Numbers) -> Option<Value> {
    Some(match &json.node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Number(text) => match (text.parse(), numbers) {
            (Ok(number), _) => Value::Number(number),
            (Err(_), Numbers::InRange) => return None,
            (Err(_), Numbers::All) => Value::from(if text.starts_with('-') { f64::MIN } else { f64::MAX }),
        },
        Node::String(text) => Value::String(text.to_string()),
        Node::Array(items) => {
            let mut values = Vec::with_capacity(items.len());
            for item in items {
                values.push(exact(item, numbers)?);
            }
            Value::Array(values)
        }
        Node::Object(members) => {
            let mut map = Map::with_capacity(members.len());
            for member in members {
                map.insert(member.key.to_string(), exact(&member.value, numbers)?);
            }
            Value::Object(map)
        }
    })
}

fn is_shallow(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_shallow(item, levels - 1)),
        Value::Object(map) => levels > 0 && map.values().all(|value| is_shallow(value, levels - 1)),
        _ => true,
    }
}

/// Collects every issue of rejected arguments.
#[cold]
fn reject<'a>(schema: &Inner, arguments: &Arguments<'a>, numbers: Numbers) -> Rejected<'a> {
    let mut json = match tree(arguments) {
        Ok(json) => json,
        Err(error) => return decode::invalid_json(error),
    };
    let root = schema.read.root.shape();
    if !matches!(json.node, Node::Object(_)) {
        let expected = Expected::from_shape(schema.read.root.clone());
        let issue = issue(Path::root(), Constraint::Type(vec![JsonType::Object]), expected, got(&json));
        return Rejected::new(issue.into());
    }
    // If a key is repeated, the last value counts, as in the rest of this crate.
    let is_as_sent = !decode::keep_last(&mut json);
    let value = exact(&json, numbers);
    let seen = check(&root, &json);
    let is_undecided = |value| is_valid(&schema.validator, schema.bound, value).is_none();
    if seen.is_empty() && value.as_ref().is_some_and(is_undecided) {
        let words = Text::from_static("have too many possible meanings to be checked");
        let constraint = Constraint::Keyword { keyword: "anyOf", code: NOT_CHECKED, text: words };
        let expected = expected_words(Text::from_static("a value that is nested less deeply"));
        return Rejected::new(issue(Path::root(), constraint, expected, got_nothing()).into());
    }
    let is_rejected = !seen.is_empty();
    let combined = |seen, findings| combine(schema, &json, seen, findings, &mut Words::new(schema));
    let issues = match value {
        None => unreadable(&json, seen),
        Some(value) => {
            let (validator, bound) = (&schema.validator, schema.bound);
            let finding = |error: ValidationError<'_>| Finding::of(&error, &value, schema);
            let is_full = seen.len() > MAX_ISSUES;
            match if is_full { None } else { errors(validator, bound, &value, finding) } {
                Some(findings) => {
                    drop(value);
                    combined(seen, findings)
                }
                // Each of these issues is a real issue, even without a confirmation, because the shape accepts everything that the schema
                // accepts.
                None if !seen.is_empty() => seen,
                None => combined(seen, first_error(validator, bound, &value, finding).unwrap_or_default()),
            }
        }
    };
    let error = error_about(&root, &json, issues).unwrap_or_else(|| {
        let constraint = Constraint::Custom("were not accepted".into());
        issue(Path::root(), constraint, Expected::from_shape(schema.read.root.clone()), got(&json)).into()
    });
    match (is_as_sent, is_rejected) {
        (true, true) => decode::rejected(error, json),
        (true, false) => decode::accepted(error, json),
        // The tree is not passed on for repairs, because a repair must start from the text that was sent.
        (false, _) => Rejected::new(error),
    }
}

/// Adds an issue for each number outside the range of `f64`, which only our own parser can parse.
fn unreadable(json: &Json<'_>, mut seen: Issues) -> Issues {
    let mut found = Vec::new();
    endless(json, &mut Vec::new(), &mut found);
    for (path, text) in found {
        let path: Path = path.into_iter().collect();
        if seen.len() > MAX_ISSUES || seen.iter().any(|issue| issue.path == path) {
            continue;
        }
        let constraint = if text.starts_with('-') {
            Constraint::Minimum(Number::Float(f64::MIN))
        } else {
            Constraint::Maximum(Number::Float(f64::MAX))
        };
        let number = Json::from_node(Node::Number(text.into()));
        seen.push(issue(path, constraint, Expected::from_shape(Ref::Static(&NUMBER)), got(&number)));
    }
    seen
}

static NUMBER: Shape = Shape::new(Kind::Number(tool_runtime::tool_schema::shape::Precision::Double));

type Endless = Vec<(Vec<tool_runtime::tool_schema::issue::Segment>, String)>;

/// The maximum number of such numbers that are reported.
const MOST_ENDLESS: usize = 64;

fn endless(json: &Json<'_>, path: &mut Vec<tool_runtime::tool_schema::issue::Segment>, found: &mut Endless) {
    use crate::private::issue::Segment;
    if found.len() == MOST_ENDLESS {
        return;
    }
    match &json.node {
        Node::Number(text) if !NumberText(text).to_f64().is_finite() => found.push((path.clone(), text.to_string())),
        Node::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Segment::Index(index));
                endless(item, path, found);
                path.pop();
            }
        }
        Node::Object(members) => {
            for member in members {
                path.push(Segment::Key(member.key.clone().into_owned().into()));
                endless(&member.value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

pub(super) fn issue(path: Path, constraint: Constraint, expected: Expected, got: Got) -> Issue {
    new_issue(path, constraint, expected, got)
}
