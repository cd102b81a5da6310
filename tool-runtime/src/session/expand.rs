//! Answers the call of a container.
//!
//! In: the container and its arguments. Out: the list of its members, which become visible, or the rejection of the
//! arguments. Invariants: if the container is already expanded, the answer is the same, and nothing changes. If a member has a sensitive
//! parameter, a rejection does not repeat any value.

use std::borrow::Cow;

use tool_schema::dialect::{Definition, Definitions};

use super::definitions::define_members;
use super::outcome::Loaded;
use super::session_with_toolbox::SessionView;
use super::suggestions::near_members;
use crate::event::EventKind;
use crate::failure::Failure;
use crate::feedback::expansion;
use crate::input::Arguments;
use crate::issue::REDACTED;
use crate::json::{Json, Node};
use crate::shape::Text;
use crate::tool::{JsonText, Payload};
use crate::toolbox::{CALL_TOOL, Item};

/// Expands a container and reports it. `is_answer` is `true` if the call ends with the list of the members.
pub(super) fn expand(view: &SessionView, call_id: &str, index: usize, is_answer: bool) {
    view.visible.look_into(view.catalog(), &view.scope, index);
    let collapsed = show_members(view, index);
    let container = &view.catalog().containers[index].spec.name;
    view.observe(call_id, || EventKind::Expanded { container, is_answer });
    view.report_collapsed(call_id, &collapsed);
}

/// Expands a container. If another toolbox has replaced this one meanwhile, the container is expanded there too.
fn show_members(view: &SessionView, index: usize) -> Vec<usize> {
    let in_latest = |latest: &SessionView| {
        let index = latest.catalog().find_container(&view.catalog().containers[index].spec.name)?;
        latest.visible.look_into(latest.catalog(), &latest.scope, index);
        Some(index)
    };
    show_in_latest(view, index, in_latest, |view, index| view.visible.expand(view.catalog(), *index))
}

/// Shows items, also in the latest toolbox. `in_latest` finds them there, and runs code of the host's state, so it is called without a lock.
pub(super) fn show_in_latest<T>(
    view: &SessionView,
    items: T,
    in_latest: impl Fn(&SessionView) -> Option<T>,
    show: impl Fn(&SessionView, &T) -> Vec<usize>,
) -> Vec<usize> {
    loop {
        let latest = view.shared.hold().latest();
        let newer = latest.as_deref().filter(|latest| !std::ptr::eq(*latest, view));
        let newer = newer.and_then(|latest| Some((latest, in_latest(latest)?)));
        let held = view.shared.hold();
        if !held.is(latest.as_ref()) {
            continue;
        }
        if let Some((latest, items)) = newer {
            show(latest, &items);
        }
        return show(view, &items);
    }
}

/// Returns the answer that lists the members of an expanded container, and the members `near` that the call may have meant.
pub(super) fn answer(view: &SessionView, index: usize, near: &[Text]) -> Payload {
    let catalog = view.catalog();
    let container = &catalog.containers[index].spec;
    let instructions = instructions(view, index);
    let seen = view.visible.seen();
    let definitions = view.visible.is_shown_in_answers().then(|| {
        let members = catalog.containers[index].members.iter().filter(|&&member| seen.is_available(catalog, member));
        define_members(catalog, members.copied(), &seen).to_string()
    });
    let through = definitions.as_deref().map(|definitions| (CALL_TOOL.name.as_str(), definitions));
    let near = near.iter().map(Text::as_str);
    let members = seen.members(catalog, index).into_iter().map(Text::as_str);
    let text = expansion(&container.name, members, near, instructions.as_deref(), through);
    Payload::Json(JsonText::written(text))
}

/// Returns the members that the provider has to load with the answer to an expansion; none if it loads nothing.
pub(super) fn loaded(view: &SessionView, index: usize) -> Loaded {
    if !view.visible.is_native() {
        return Loaded::default();
    }
    let (catalog, seen) = (view.catalog(), view.visible.seen());
    let members = catalog.containers[index].members.iter().copied();
    let hidden = members.filter(|&member| !catalog.is_always_visible(member) && seen.is_available(catalog, member));
    let hidden: Vec<Item> = hidden.collect();
    load(view, hidden.iter().map(|&member| catalog.name(member).clone()).collect(), [(index, hidden)], false)
}

/// Returns the tools that the provider has to load with an answer; none if it loads nothing. If their definitions are not in the list, they are
/// rendered in groups, each with the container that is its namespace. After a search, they are marked as deferred.
pub(super) fn load(
    view: &SessionView,
    tools: Vec<Text>,
    groups: impl IntoIterator<Item = (usize, Vec<Item>)>,
    is_search: bool,
) -> Loaded {
    if !view.visible.is_native() || tools.is_empty() {
        return Loaded::default();
    }
    let providers = &view.toolbox.parts().providers;
    let dialect = providers.chosen().filter(|dialect| dialect.has_tool_search());
    let definitions = dialect.map(|dialect| {
        let (catalog, provider) = (view.catalog(), providers.get(dialect));
        let namespaces = groups.into_iter().map(|(container, items)| {
            let functions = view.visible.load(catalog, &provider, &items, is_search);
            let spec = &catalog.containers[container].spec;
            Definition::new_namespace(&spec.name, &spec.description, functions.all())
        });
        Definitions::new(dialect, namespaces).to_string().into()
    });
    Loaded { tools, definitions }
}

/// Returns the instructions of a container for the answer to an expansion. If the list of tools is fixed, the system prompt is fixed, too, so the
/// container's part of it follows the instructions.
pub(super) fn instructions(view: &SessionView, index: usize) -> Option<Cow<'_, str>> {
    let group = &view.catalog().containers[index];
    let spec = &group.spec;
    let text = view.text_from_state(spec.instructions_from.as_ref(), spec.instructions.as_ref());
    if !view.visible.is_fixed() || group.open {
        return text;
    }
    match (text, view.text_from_state(spec.system_prompt_from.as_ref(), spec.system_prompt.as_ref())) {
        (Some(text), Some(prompt)) => Some(format!("{text}\n{prompt}").into()),
        (text, prompt) => text.or(prompt),
    }
}

/// Returns the rejection of arguments for a container.
pub(super) fn reject_arguments(view: &SessionView, index: usize, arguments: &Arguments<'_>) -> Failure {
    let catalog = view.catalog();
    let members = view.visible.seen().members(catalog, index).into_iter().map(Text::as_str);
    let mut attempted = attempted(arguments);
    if catalog.functions_take_secrets(index) {
        // Arguments for a member may contain its secrets, in keys as well as in values.
        attempted = Json::from_node(redacted());
    }
    let failure = Failure::container_called_with_arguments(&catalog.containers[index].spec.name, &attempted, members);
    let near = near_members(view, index, arguments);
    failure.with_near(near.iter().map(Text::as_str))
}

/// Returns the arguments of a container as a tree. A text that is not valid JSON becomes a string.
fn attempted<'a>(arguments: &'a Arguments<'_>) -> Json<'a> {
    arguments.to_json().unwrap_or_else(|_| {
        Json::from_node(Node::String(match arguments {
            Arguments::Text(text) => Cow::Borrowed(text),
            Arguments::Bytes(bytes) => String::from_utf8_lossy(bytes),
            Arguments::Value(_) | Arguments::Map(_) => Cow::Borrowed("nested too deeply to be shown"),
        }))
    })
}

fn redacted() -> Node<'static> {
    Node::String(Cow::Borrowed(REDACTED))
}
