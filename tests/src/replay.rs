//! Applies the repairs of a ledger to what was sent, to check that the ledger says all that was done. Nothing of the repairs is used, apart from
//! the lenient reader for texts inside of texts.

use tool_runtime::Arguments;
use tool_runtime::tool_schema::issue::{Path, Segment};
use tool_runtime::tool_schema::json::{Json, Member, Node};
use tool_runtime::tool_schema::repair::{Repair, RepairRule, repair_text};

/// Applies the repairs to the text; the result is the repaired value as strict JSON.
///
/// Only the repairs of a text and of wrappers apply to it. Repairs of coerced values and of tool names are skipped. Returns `None` if a
/// repair does not match the text.
pub fn replay(text: &str, repairs: &[Repair]) -> Option<String> {
    let out = replay_edits(text, repairs)?;
    let whole = repairs.iter().rev().find(|repair| {
        repair.span.is_none()
            && matches!(repair.rule, RepairRule::Wrapper | RepairRule::Stringified | RepairRule::Bracket)
    });
    Some(whole.map_or(out, |repair| repair.after.to_string()))
}

/// Applies the ledger of a call to the text of the call's arguments, and returns the repaired arguments.
///
/// Repairs of the tool's name are skipped. Returns `None` if a repair does not match, or if it needs a text that was redacted: the original
/// spelling of a key or number in the arguments of a tool with secrets, the key of a map, or the name of an enum value.
pub fn replay_arguments(text: &str, repairs: &[Repair]) -> Option<Json<'static>> {
    let strict = replay_edits(text, repairs)?;
    let is_edited = repairs.iter().any(|repair| repair.span.is_some());
    // Empty arguments stand for `{}`, but an edited text must be strict JSON.
    let sent = Arguments::from(text);
    let value = if is_edited { Json::parse(&strict) } else { sent.to_json() };
    let mut value = value.ok()?.into_owned();
    for repair in repairs.iter().filter(|repair| repair.span.is_none()) {
        match (repair.rule, &value.node) {
            (RepairRule::Wrapper, Node::Object(members)) => value = inside(members)?.clone(),
            // `[]` was read as `{}`.
            (RepairRule::Bracket, Node::Array(items)) if items.is_empty() => value.node = Node::Object(Vec::new()),
            (RepairRule::Stringified, Node::String(layer)) if repair.path.is_root() => {
                value = repair_text(layer).value()?.clone().into_owned();
            }
            _ => replay_one(&mut value, repair)?,
        }
    }
    Some(value)
}

/// Applies the repairs of a coercion, in their order, to the value that was sent.
///
/// Repairs of tool names and of ranges of a text are skipped. Returns `None` if a repair does not match the value.
pub fn replay_values<'a>(mut value: Json<'a>, repairs: &[Repair]) -> Option<Json<'a>> {
    for repair in repairs {
        replay_one(&mut value, repair)?;
    }
    Some(value)
}

/// Applies the repairs that replace ranges of the text.
fn replay_edits(text: &str, repairs: &[Repair]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for repair in repairs {
        let Some(span) = repair.span else { continue };
        let (start, end) = (span.start as usize, span.end as usize);
        out.push_str(text.get(at..start)?);
        text.get(start..end)?;
        out.push_str(&repair.after);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// Returns the arguments inside of a wrapper: its only member, or the one with a usual name.
fn inside<'v, 'a>(members: &'v [Member<'a>]) -> Option<&'v Json<'a>> {
    const USUAL: [&str; 10] = [
        "arguments",
        "parameters",
        "input",
        "args",
        "params",
        "tool_input",
        "kwargs",
        "function",
        "$PARAMETER_NAME",
        "properties",
    ];
    if let [only] = members {
        return Some(&only.value);
    }
    let holds = |member: &&Member<'_>| {
        let may_hold = matches!(&member.value.node, Node::Object(_))
            || matches!(&member.value.node, Node::String(text) if text.trim_start().starts_with('{'));
        USUAL.contains(&&*member.key) && may_hold
    };
    let mut found = members.iter().filter(holds);
    found.next().filter(|_| found.next().is_none()).map(|member| &member.value)
}

fn replay_one(value: &mut Json<'_>, repair: &Repair) -> Option<()> {
    match repair.rule {
        RepairRule::Stringified | RepairRule::Text if repair.span.is_none() => {
            let json = find(value, &repair.path)?;
            let Node::String(text) = &json.node else { return None };
            *json = value_in(text)?;
        }
        RepairRule::WholeNumber => {
            let json = find(value, &repair.path)?;
            let Node::Number(text) = &json.node else { return None };
            json.node = Node::Number(whole(text)?.into());
        }
        RepairRule::AsText => {
            let json = find(value, &repair.path)?;
            json.node = Node::String(json.to_text().into());
        }
        RepairRule::AsBoolean => {
            let json = find(value, &repair.path)?;
            json.node = Node::Bool(boolean(&json.node)?);
        }
        RepairRule::SingleItem => {
            let json = find(value, &repair.path)?;
            let item = std::mem::replace(json, Json::from_node(Node::Null));
            json.node = Node::Array(vec![item]);
        }
        RepairRule::EnumSpelling => {
            let name = Json::parse(&repair.after).ok()?.into_owned();
            find(value, &repair.path)?.node = name.node;
        }
        RepairRule::Absent => {
            let (members, index) = find_member(value, &repair.path)?;
            members.remove(index);
        }
        RepairRule::Rename => {
            let (members, index) = find_member(value, &repair.path)?;
            members[index].key = repair.after.to_string().into();
        }
        _ => {}
    }
    Some(())
}

/// Returns the value that a text contains.
fn value_in(text: &str) -> Option<Json<'static>> {
    match text.trim() {
        "True" | "TRUE" => Some(Json::from_node(Node::Bool(true))),
        "False" | "FALSE" => Some(Json::from_node(Node::Bool(false))),
        "null" | "None" | "none" | "NULL" | "Null" | "undefined" | "nil" => Some(Json::from_node(Node::Null)),
        text => Json::parse(text)
            .ok()
            .map(Json::into_owned)
            .or_else(|| repair_text(text).value().cloned().map(Json::into_owned)),
    }
}

/// Returns the digits of a number whose fraction is zero.
fn whole(text: &str) -> Option<String> {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |text| ("-", text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let end = i64::try_from(before.len()).ok()?.checked_add(exponent.parse().ok()?)?;
    let end = usize::try_from(end).ok().filter(|end| *end < 1_000).unwrap_or_default();
    let digits: String = before.chars().chain(after.chars()).chain(std::iter::repeat('0')).take(end).collect();
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

fn boolean(node: &Node<'_>) -> Option<bool> {
    let text = match node {
        Node::Bool(value) => return Some(*value),
        Node::Number(text) => text.to_string(),
        Node::String(text) => text.trim().to_lowercase(),
        _ => return None,
    };
    match &*text {
        "true" | "1" | "1.0" | "yes" | "on" | "y" => Some(true),
        "false" | "0" | "0.0" | "no" | "off" | "n" => Some(false),
        _ => None,
    }
}

fn find<'v, 'a>(value: &'v mut Json<'a>, path: &Path) -> Option<&'v mut Json<'a>> {
    walk(value, path.segments())
}

fn find_member<'v, 'a>(value: &'v mut Json<'a>, path: &Path) -> Option<(&'v mut Vec<Member<'a>>, usize)> {
    let (Segment::Key(key), parent) = path.segments().split_last()? else { return None };
    let Node::Object(members) = &mut walk(value, parent)?.node else { return None };
    let index = members.iter().position(|member| member.key == **key)?;
    Some((members, index))
}

fn walk<'v, 'a>(mut value: &'v mut Json<'a>, segments: &[Segment]) -> Option<&'v mut Json<'a>> {
    for segment in segments {
        value = match (segment, &mut value.node) {
            (Segment::Key(key), Node::Object(members)) => {
                &mut members.iter_mut().find(|member| member.key == **key)?.value
            }
            (Segment::Index(index), Node::Array(items)) => items.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}
