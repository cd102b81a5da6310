//! Extracts calls from the arguments of other calls: calls of a container's member, and calls through `call_tool`.
//!
//! In: `{"function": "add", "a": 5, "b": 10}`, `{"function": "add", "arguments": {…}}`, `{"tool": "add", "arguments":
//! {…}}`. Out: the called tool, and its own arguments. Invariant: ambiguous arguments are not interpreted.

use crate::check::check;
use crate::input::Arguments;
use crate::issue::{ValidationError, error_about, syntax_issue};
use crate::json::{Json, Member, Node};
use crate::shape::Kind;
use crate::suggest::fold;
use crate::toolbox::{CALL_TOOL, Catalog, GUARDED_INPUT, Item};

/// The call of a member inside the arguments of a container.
pub(super) struct MemberCall<'a> {
    pub(super) item: Item,
    pub(super) arguments: Arguments<'a>,
}

/// Returns the member that `function` names in the arguments of a container. The remaining keys become the arguments of this member.
pub(super) fn member_call<'a>(
    catalog: &Catalog,
    container: usize,
    arguments: &Arguments<'_>,
) -> Option<MemberCall<'a>> {
    let json = arguments.to_json().ok()?;
    let Node::Object(members) = json.node else { return None };
    let (named, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.key == "function");
    let [function] = &named[..] else { return None };
    let item = find_member(catalog, container, function.value.as_str()?)?;
    let arguments = match <[Member<'_>; 1]>::try_from(rest) {
        Ok([only]) if only.key == "arguments" && !has_arguments(catalog, item) => text_of(only.value)?,
        Ok([only]) => as_object(vec![only]),
        Err(rest) => as_object(rest),
    };
    Some(MemberCall { item, arguments })
}

/// Returns the member that a name means, if it can mean only one member. The name can be the member's own name or its advertised name, in
/// any spelling, with or without the container's name.
pub(super) fn find_member(catalog: &Catalog, container: usize, name: &str) -> Option<Item> {
    let members = &catalog.containers[container].members;
    let one_of = |is: &dyn Fn(&str) -> bool| -> Vec<Item> {
        members.iter().copied().filter(|&item| catalog.names_of(item).any(|name| is(name))).collect()
    };
    let folded = fold(name);
    let qualified = || {
        let found = catalog.find_qualified(name).into_iter().map(|(item, _)| item);
        found.filter(|item| members.contains(item)).collect::<Vec<_>>()
    };
    [one_of(&|own| own == name), one_of(&|own| fold(own) == folded), qualified()]
        .into_iter()
        .find(|found| !found.is_empty())
        .and_then(|found| if let [item] = found[..] { Some(item) } else { None })
}

/// Returns `true` if the member itself has a parameter with the name `arguments`.
fn has_arguments(catalog: &Catalog, item: Item) -> bool {
    let Item::Tool(tool) = item else { return false };
    let input = &catalog.tools[tool].tool.spec().input;
    match &input.shape().kind {
        Kind::Object(object) => object.fields.iter().any(|field| field.name == "arguments"),
        _ => false,
    }
}

fn as_object<'a>(members: Vec<Member<'_>>) -> Arguments<'a> {
    Json::from_node(Node::Object(members)).to_text().into()
}

/// Returns arguments from an object, the text of an object, or `null`.
fn text_of<'a>(value: Json<'_>) -> Option<Arguments<'a>> {
    match value.node {
        Node::String(text) => Some(text.into_owned().into()),
        Node::Object(_) | Node::Null => Some(value.to_text().into()),
        _ => None,
    }
}

/// Returns the tool that `call_tool` was asked to call, and its arguments.
pub(super) fn proxied_call<'a>(
    arguments: &Arguments<'_>,
    takes_secrets: bool,
) -> Result<(String, Arguments<'a>), ValidationError> {
    let plain = CALL_TOOL.input.shape();
    let shape = if takes_secrets { &GUARDED_INPUT } else { &*plain };
    let mut json = match arguments.to_json() {
        Ok(json) => json,
        Err(error) => return Err(syntax_issue(&error).into()),
    };
    let mut inner: Option<Arguments<'a>> = None;
    if let Node::Object(members) = &mut json.node {
        for member in members.iter_mut().filter(|member| member.key == "arguments") {
            // Many models write the inner arguments as JSON text. The tool parses this text, and reports what is wrong with it.
            inner = text_of(member.value.clone());
            if inner.is_some() {
                member.value.node = Node::Object(Vec::new());
            }
        }
    }
    if let Some(error) = error_about(shape, &json, check(shape, &json)) {
        return Err(error);
    }
    let tool = json.get("tool").and_then(Json::as_str).unwrap_or_default().to_owned();
    Ok((tool, inner.unwrap_or_else(|| "".into())))
}
