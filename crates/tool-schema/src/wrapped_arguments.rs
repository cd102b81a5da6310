//! Wrappers that models put around the arguments of a call: [`WrappedArguments`].
//!
//! A wrapper is an object such as `{"arguments": {…}}`, the whole call (`{"name": "get_weather", "arguments": {…}}`), or the schema of the
//! arguments with values in place of schemas. Invariant: a key that the tool lists never counts as a wrapper.

use crate::json::{Json, Member, Node};
use crate::tool_names::is_spelling_of_tool;

/// Keys under which providers, frameworks and templates put arguments: `OpenAI` and MCP (`arguments`), older `OpenAI` (`function`), Llama
/// (`parameters`), Anthropic (`input`), Gemini (`args`), `LangChain` (`tool_input`, `kwargs`). Claude sometimes writes `$PARAMETER_NAME`, and
/// an echo of a JSON Schema has `properties`.
const CONTENTS: [&str; 10] = [
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

/// The number of keys at the beginning of `CONTENTS` that can take the place of each other.
const CALLS: usize = 5;

/// Keys beside the arguments that contain the name of the tool.
const NAMES: [&str; 6] = ["name", "tool", "tool_name", "function", "function_name", "recipient_name"];

/// Values of `type` in a call.
const TYPES: [&str; 4] = ["function", "function_call", "tool_call", "tool_use"];

/// The maximum number of members of an object that may be a wrapper.
const MOST_MEMBERS: usize = 8;

/// An object with a member that holds arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrappedArguments<'j, 'a> {
    /// The member that holds the arguments.
    pub(crate) content: &'j Member<'a>,
    object: &'j [Member<'a>],
}

impl<'j, 'a> WrappedArguments<'j, 'a> {
    /// Finds the wrapper in a value. `lists` returns `true` for the keys that the tool lists.
    pub(crate) fn find(tool: &str, value: &'j Json<'a>, lists: &impl Fn(&str) -> bool) -> Option<Self> {
        let object = value.members();
        if object.len() > MOST_MEMBERS {
            return None;
        }
        let is_content = |member: &&Member<'_>| {
            (CONTENTS.contains(&&*member.key) || is_spelling_of_tool(&member.key, tool))
                && may_hold_arguments(&member.value)
                && !lists(&member.key)
                && !(member.key == "properties" && are_schemas(&member.value))
        };
        let mut contents = object.iter().filter(is_content);
        let content = contents.next().filter(|_| contents.next().is_none())?;
        Some(Self { content, object })
    }

    /// Returns the members beside the arguments.
    pub(crate) fn others(&self) -> impl Iterator<Item = &'j Member<'a>> {
        let content = self.content;
        self.object.iter().filter(move |member| !std::ptr::eq(*member, content))
    }

    /// Returns `true` if the object is certainly a wrapper around arguments for this tool.
    ///
    /// Every other member must be a part of a call or of a schema with values, and every name must be the name of the tool. If the tool
    /// lists one of these keys, the object must name the tool, and contain nothing but the name, a type and the arguments.
    pub(crate) fn is_certain(&self, tool: &str, lists: &impl Fn(&str) -> bool) -> bool {
        let has_name = self.others().any(|member| names_tool(tool, member));
        let (is_call, is_schema) = (has_name || self.has_call_type(), self.is_schema());
        self.others().all(|member| {
            names_tool(tool, member)
                || is_call_type(member)
                || is_schema && is_of_schema(member) && !lists(&member.key)
                || is_call && is_of_call(member) && !lists(&member.key)
        }) && (!self.others().any(|member| lists(&member.key))
            || has_name && self.others().all(|member| names_tool(tool, member) || is_call_type(member)))
    }

    /// Returns `true` if a `type` beside the arguments says that the object is a call.
    pub(crate) fn has_call_type(&self) -> bool {
        self.others().any(is_call_type)
    }

    /// Returns `true` for `{"type": "object", "properties": {…}}`, or with `required` in place of the type.
    fn is_schema(&self) -> bool {
        let shows = |member: &Member<'_>| match (&*member.key, &member.value.node) {
            ("type", Node::String(kind)) => kind == "object",
            (key, value) => key == "required" && matches!(value, Node::Array(_)),
        };
        self.content.key == "properties" && self.others().any(shows)
    }
}

/// Returns the text of a member whose key is one that calls use for the name of the tool.
pub(crate) fn tool_name<'j>(member: &'j Member<'_>) -> Option<&'j str> {
    member.value.as_str().filter(|_| NAMES.contains(&&*member.key))
}

/// Returns `true` if the value is an object, or a text that begins like an object or like another layer of quotes.
pub(crate) fn may_hold_arguments(value: &Json<'_>) -> bool {
    match &value.node {
        Node::Object(_) => true,
        Node::String(text) => text.trim_start().starts_with(['{', '"']),
        _ => false,
    }
}

/// Returns `true` if the members of an object are schemas, not values: `{"city": {"type": "string"}}`.
pub(crate) fn are_schemas(properties: &Json<'_>) -> bool {
    let is_schema = |member: &Member<'_>| {
        let kind = member.value.get("type").or_else(|| member.value.get("$ref")).or_else(|| member.value.get("anyOf"));
        kind.is_some()
    };
    !properties.members().is_empty() && properties.members().iter().all(is_schema)
}

/// Returns `true` if two keys are both usual for the arguments of a call.
pub(crate) fn are_contents(key: &str, other: &str) -> bool {
    let usual = &CONTENTS[..CALLS];
    usual.contains(&key) && usual.contains(&other)
}

fn names_tool(tool: &str, member: &Member<'_>) -> bool {
    tool_name(member).is_some_and(|name| is_spelling_of_tool(name, tool))
}

/// Returns `true` for the type of a call.
pub(crate) fn is_call_type(member: &Member<'_>) -> bool {
    member.key == "type" && member.value.as_str().is_some_and(|name| TYPES.contains(&name))
}

/// Returns `true` for a part of a call that says nothing about the arguments.
pub(crate) fn is_of_call(member: &Member<'_>) -> bool {
    match &member.value.node {
        Node::String(_) => ["id", "call_id", "tool_call_id", "description"].contains(&&*member.key),
        Node::Number(_) => member.key == "index",
        Node::Bool(_) => member.key == "strict",
        _ => false,
    }
}

/// Returns `true` for a part of a JSON Schema that says nothing about the values.
fn is_of_schema(member: &Member<'_>) -> bool {
    match &member.value.node {
        Node::String(text) if member.key == "type" => text == "object",
        Node::String(_) => ["title", "description", "$schema"].contains(&&*member.key),
        Node::Array(_) => member.key == "required",
        Node::Object(_) => ["$defs", "definitions"].contains(&&*member.key),
        Node::Bool(_) => member.key == "additionalProperties",
        _ => false,
    }
}
