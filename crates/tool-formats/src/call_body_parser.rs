//! Reads the text between the marks of a call.
//!
//! Invariant: a call whose arguments are cut off is not read. Arguments in JSON are returned as the model wrote them, because the session
//! repairs them as it repairs the arguments of any other call.

use std::ops::Range;

use tool_schema::json::{Json, Node};
use tool_schema::repair::{RepairRule, RepairedText, repair_text};
use tool_schema::shape::Ref;

use crate::format::Body;
use crate::parameter_values::{Parameter, arguments};
use crate::private::json::Writer;
use crate::private::tool_names::{Named, find_tool};
use crate::value_end::{LONGEST_NAME, QUOTE_TOKEN, split, values};

/// Keys for the name of the tool.
const NAMES: [&str; 5] = ["name", "tool", "function", "tool_name", "function_name"];
/// Keys for the arguments.
const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "input", "args", "params", "tool_input"];

/// One call in the text between two marks.
pub(crate) struct BodyCall {
    pub(crate) name: String,
    /// The arguments as JSON, or as the model's attempt at JSON.
    pub(crate) arguments: String,
    /// The part of the text that only this call has; `None` for the whole text with its marks.
    pub(crate) own: Option<Range<usize>>,
}

/// The calls in a body, and whether the body contains anything else.
#[derive(Default)]
pub(crate) struct BodyCalls {
    pub(crate) calls: Vec<BodyCall>,
    pub(crate) has_others: bool,
}

/// The tools that can be called: returns the input of the tool with exactly this name.
pub(crate) type Tools<'t> = dyn Fn(&str) -> Option<Ref> + Send + Sync + 't;

/// Returns the first characters of a body that fit: `Some(true)` if they do, `None` if more text is necessary.
pub(crate) fn begins(body: Body, text: &str) -> Option<bool> {
    let is_name = |char: char| char.is_alphanumeric() || "_-.:/".contains(char);
    let text = text.trim_start();
    let first = text.chars().next()?;
    match body {
        Body::Object => Some(matches!(first, '{' | '[')),
        Body::Python => Some(first == '[' || is_name(first)),
        Body::NameJson(_) | Body::Elements(..) | Body::QuoteTokens => Some(is_name(first)),
        Body::Pairs => {
            let rest = text.trim_start_matches(is_name);
            let length = text.len() - rest.len();
            let next = rest.trim_start_matches([' ', '\r']).chars().next();
            if length == 0 || length > LONGEST_NAME { Some(false) } else { next.map(|next| matches!(next, '\n' | '<')) }
        }
    }
}

/// Reads the calls of known tools in a body. `None` if the body cannot be read. Without marks, an object needs arguments to be a call.
pub(crate) fn read_body(body: Body, text: &str, has_marks: bool, tools: &Tools<'_>) -> Option<BodyCalls> {
    match body {
        Body::Object => objects(text, has_marks, tools),
        Body::NameJson(mark) => name_json(text, mark, tools),
        Body::Elements(open, close) => elements(text, open, close, tools),
        Body::Pairs => pairs(text, tools),
        Body::Python => python(text, tools),
        Body::QuoteTokens => quote_tokens(text, tools),
    }
}

/// Returns the tool that a name means, with its input.
fn resolve(name: &str, tools: &Tools<'_>) -> Option<(String, Ref)> {
    let exact = |name: &str| tools(name).map(|_| name.to_owned());
    let named = find_tool(name.trim(), exact, |name| exact(name).map(|name| (name, ())).into_iter().collect());
    let name = match named {
        Named::Exact(name) | Named::BeforeToken(name) => name,
        Named::Spelled(found) => found.into_iter().next().map(|(name, ())| name)?,
    };
    let input = tools(&name)?;
    Some((name, input))
}

/// Returns a body with one call.
fn one(name: &str, tools: &Tools<'_>, arguments: impl FnOnce(&Ref) -> Option<String>) -> Option<BodyCalls> {
    let (name, input) = resolve(name, tools)?;
    let arguments = arguments(&input)?;
    Some(BodyCalls { calls: vec![BodyCall { name, arguments, own: None }], has_others: false })
}

/// Returns the arguments of a call as the model wrote them, unless they are cut off.
fn raw(json: &str) -> Option<String> {
    let json = json.trim();
    if json.is_empty() {
        return Some("{}".to_owned());
    }
    (!matches!(repair_text(json), RepairedText::Incomplete { .. })).then(|| json.to_owned())
}

fn objects(text: &str, has_marks: bool, tools: &Tools<'_>) -> Option<BodyCalls> {
    let mut found = BodyCalls::default();
    // Text that is broken JSON can still be one value; otherwise, there are several.
    let parts = if alone(&repair_text(text)).is_some() { vec![text] } else { values(text)? };
    for part in parts {
        let reading = repair_text(part);
        let value = alone(&reading)?;
        let at = part.as_ptr().addr() - text.as_ptr().addr();
        let items = if let Node::Array(items) = &value.node { items.as_slice() } else { std::slice::from_ref(value) };
        for item in items {
            match object(item, part, has_marks, tools) {
                Some((name, arguments)) => {
                    let own = at + item.span.start as usize..at + item.span.end as usize;
                    found.calls.push(BodyCall { name, arguments, own: Some(own) });
                }
                None => found.has_others = true,
            }
        }
    }
    Some(found)
}

/// Returns the value of a text that contains nothing else.
fn alone<'r, 'a>(reading: &'r RepairedText<'a>) -> Option<&'r Json<'a>> {
    let is_other = |rule| matches!(rule, RepairRule::SurroundingText | RepairRule::Comment);
    reading.value().filter(|_| !reading.repairs().iter().any(|repair| is_other(repair.rule)))
}

/// Reads `{"name": …, "arguments": …}`. Between marks, an object with nothing except a name and an id is a call, too.
fn object(value: &Json<'_>, text: &str, has_marks: bool, tools: &Tools<'_>) -> Option<(String, String)> {
    let inner: Vec<_> = value.members().iter().filter(|member| member.key == "function").collect();
    let value = match inner[..] {
        [member] if matches!(member.value.node, Node::Object(_)) => &member.value,
        [] | [_] => value,
        // With two of them, the meaning is unclear.
        _ => return None,
    };
    let with = |keys: &[&str]| value.members().iter().filter(|member| keys.contains(&&*member.key)).collect::<Vec<_>>();
    let [name] = with(&NAMES)[..] else { return None };
    let (name, _) = resolve(name.value.as_str()?, tools)?;
    // The definition of a tool has these keys, too.
    if value.get("description").is_some() || value.get("type").is_some_and(|kind| kind.as_str() == Some("object")) {
        return None;
    }
    let arguments = match with(&ARGUMENTS)[..] {
        [arguments] => match &arguments.value.node {
            Node::String(text) => text.clone().into_owned(),
            Node::Object(members) if is_schema(&arguments.value) && !members.is_empty() => return None,
            _ => {
                let span = arguments.value.span;
                text.get(span.start as usize..span.end as usize)?.to_owned()
            }
        },
        [] if has_marks && with(&["id", "tool_call_id", "type"]).len() + 1 == value.members().len() => "{}".to_owned(),
        _ => return None,
    };
    Some((name, raw(&arguments)?))
}

/// Returns `true` for the schema of an object.
fn is_schema(value: &Json<'_>) -> bool {
    let is_object = value.get("type").is_some_and(|kind| kind.as_str() == Some("object"));
    is_object && value.get("properties").is_some_and(|properties| matches!(properties.node, Node::Object(_)))
}

fn name_json(text: &str, mark: &str, tools: &Tools<'_>) -> Option<BodyCalls> {
    let (head, json) = match text.split_once(mark) {
        Some(parts) => parts,
        None => text.split_at(text.find('{')?),
    };
    let name = head.trim_start().split(|char: char| char.is_whitespace() || "<[{".contains(char)).next()?;
    let json = json.trim();
    let json = json.strip_suffix("```").unwrap_or(json);
    one(name, tools, |_| raw(json))
}

fn elements(text: &str, open: &str, close: &str, tools: &Tools<'_>) -> Option<BodyCalls> {
    let is_quoted = open.ends_with('"');
    let (name, _, rest) = head(text, is_quoted)?;
    if rest.trim_start().starts_with('{') {
        return one(name, tools, |_| raw(rest));
    }
    let mut parameters = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        let (key, attributes, after) = head(rest.strip_prefix(open)?, is_quoted)?;
        let end = end_of_value(after, open, close)?;
        let (value, next) = (after.get(..end)?, after.get(end + close.len()..)?);
        // It may belong to a call in an unfinished parameter.
        if value.contains(open) {
            return None;
        }
        // `<parameter=…>` has its value on lines of its own.
        let lines = value.strip_prefix('\n').and_then(|value| value.strip_suffix('\n')).filter(|_| !is_quoted);
        let is_string = match attributes.trim() {
            "string=\"true\"" => Some(true),
            "string=\"false\"" => Some(false),
            _ => None,
        };
        parameters.push(Parameter { key: key.trim(), text: lines.unwrap_or(value), is_string });
        rest = next.trim_start();
    }
    one(name, tools, |input| Some(arguments(&input.shape(), &parameters)))
}

/// Splits the beginning of an element into its name, its attributes and the text after the tag.
fn head(text: &str, is_quoted: bool) -> Option<(&str, &str, &str)> {
    let (tag, rest) = text.split_once('>')?;
    if !is_quoted {
        return Some((tag, "", rest));
    }
    let (name, attributes) = tag.split_once('"')?;
    Some((name, attributes, rest))
}

/// Returns the end of the value of a parameter: the mark that is followed by another parameter or by nothing. A value can contain the mark.
fn end_of_value(text: &str, open: &str, close: &str) -> Option<usize> {
    text.match_indices(close).map(|(at, _)| at).find(|at| {
        let after = text.get(at + close.len()..).unwrap_or_default().trim_start();
        after.is_empty() || after.starts_with(open)
    })
}

fn pairs(text: &str, tools: &Tools<'_>) -> Option<BodyCalls> {
    const MARKS: [&str; 4] = ["<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"];
    let (name, mut rest) = text.split_at(text.find(MARKS[0]).unwrap_or(text.len()));
    let mut parameters = Vec::new();
    while !rest.trim_start().is_empty() {
        let (key, after) = rest.trim_start().strip_prefix(MARKS[0])?.split_once(MARKS[1])?;
        let after = after.trim_start().strip_prefix(MARKS[2])?;
        let end = end_of_value(after, MARKS[0], MARKS[3])?;
        let value = after.get(..end).filter(|value| !value.contains(MARKS[0]))?;
        parameters.push(Parameter { key: key.trim(), text: value, is_string: None });
        rest = after.get(end + MARKS[3].len()..)?;
    }
    one(name, tools, |input| Some(arguments(&input.shape(), &parameters)))
}

fn python(text: &str, tools: &Tools<'_>) -> Option<BodyCalls> {
    let list = match text.trim().strip_prefix('[') {
        Some(list) => list.strip_suffix(']')?,
        None => text.trim(),
    };
    let mut found = BodyCalls::default();
    for call in split(list, b",;")? {
        let (name, values) = call.strip_suffix(')')?.split_once('(')?;
        let mut json = String::new();
        let mut is_read = true;
        Writer::new(&mut json).object(|members| {
            for value in split(values, b",").unwrap_or_default() {
                let (key, value) = value.split_once('=').unwrap_or_default();
                // Only in a list are `True` and `None` values.
                let list = format!("[{}]", value.trim());
                match alone(&repair_text(&list)).map(Json::items) {
                    Some([value]) if is_identifier(key.trim()) => members.json(key.trim(), value),
                    _ => is_read = false,
                }
            }
        });
        if !is_read || split(values, b",").is_none() {
            return None;
        }
        let Some((name, _)) = resolve(name, tools) else {
            found.has_others = true;
            continue;
        };
        let at = call.as_ptr().addr() - text.as_ptr().addr();
        // A call without arguments is often mentioned.
        let own = (json != "{}").then(|| at..at + call.len());
        found.calls.push(BodyCall { name, arguments: json, own });
    }
    Some(found)
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|char: char| char.is_ascii_digit())
        && text.chars().all(|char| char.is_alphanumeric() || char == '_')
}

fn quote_tokens(text: &str, tools: &Tools<'_>) -> Option<BodyCalls> {
    let (name, values) = text.split_at(text.find(['{', '('])?);
    let values = values.trim();
    let mut json = "{".to_owned();
    // Every second part is a string.
    for (index, part) in values.get(1..values.len() - 1)?.split(QUOTE_TOKEN).enumerate() {
        if index % 2 == 0 { json.push_str(part) } else { Writer::new(&mut json).string(part) }
    }
    json.push('}');
    let reading = repair_text(&json);
    let value = alone(&reading)?;
    matches!(value.node, Node::Object(_)).then_some(())?;
    one(name, tools, |_| Some(value.to_text()))
}
