//! Shows the tools that a search has found.
//!
//! In: the answer of the search. Out: the text for the model. Invariants: only members of containers that the state makes available are
//! shown. The text is bounded. If the tools are visible already, the text is the same, and nothing changes. The tools are shown for the
//! text that the model reads, whichever session has run the search.

use super::definitions::define;
use super::expand::{instructions, load, show_in_latest};
use super::outcome::Loaded;
use super::session_with_toolbox::SessionView;
use crate::event::EventKind;
use crate::feedback::found_text;
use crate::private::dialect::AS_WRITTEN;
use crate::search::found_names;
use crate::shape::Text;
use crate::tool::{JsonText, Payload};
use crate::toolbox::{CALL_TOOL, Item};

/// The maximum number of bytes of the definitions of the tools that one search shows, apart from the first tool.
const DEFINITIONS: usize = 32 * 1_024;

/// Shows the tools that a search has found. Returns the text for the model, and the tools that the provider has to load. An answer of the host that names no tools stays as it is.
pub(super) fn show_found(view: &SessionView, call_id: &str, payload: Payload) -> (Payload, Loaded) {
    let Some(names) = found_names(&payload) else { return (payload, Loaded::default()) };
    let catalog = view.catalog();
    let members = names.iter().filter_map(|name| match catalog.find(name) {
        Some(Item::Tool(tool)) if !catalog.tools[tool].always => Some(tool),
        _ => None,
    });
    let mut tools: Vec<usize> = Vec::new();
    for tool in members {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    look_at(view, &tools);
    let seen = view.visible.seen();
    tools.retain(|&tool| seen.is_available(catalog, Item::Tool(tool)));
    let (mut definitions, mut bytes) = (Vec::new(), 0);
    for &tool in &tools {
        let definition = define(catalog, Item::Tool(tool), &seen, AS_WRITTEN).to_string();
        bytes += definition.len();
        if bytes > DEFINITIONS && !definitions.is_empty() {
            break;
        }
        definitions.push(definition);
    }
    let omitted = tools.len() - definitions.len();
    tools.truncate(definitions.len());

    let collapsed = show(view, &tools);
    let found: Vec<&Text> = tools.iter().map(|&tool| &catalog.tools[tool].name).collect();
    view.observe(call_id, || EventKind::Found { tools: &found });
    view.report_collapsed(call_id, &collapsed);

    let mut owners: Vec<usize> = Vec::new();
    for owner in tools.iter().filter_map(|&tool| catalog.tools[tool].owners.first().copied()) {
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let groups = owners.iter().map(|owner| {
        let members = tools.iter().filter(|&&tool| catalog.tools[tool].owners.first() == Some(owner));
        (*owner, members.map(|&tool| Item::Tool(tool)).collect())
    });
    let loaded = load(view, found.iter().map(|name| (*name).clone()).collect(), groups, true);
    let texts: Vec<_> = owners
        .into_iter()
        .filter_map(|owner| Some((catalog.containers[owner].spec.name.as_str(), instructions(view, owner)?)))
        .collect();
    let through =
        view.visible.is_shown_in_answers().then(|| (CALL_TOOL.name.as_str(), format!("[{}]", definitions.join(","))));
    let through = through.as_ref().map(|(tool, definitions)| (*tool, definitions.as_str()));
    (Payload::Json(JsonText::written(found_text(&found, omitted, &texts, through))), loaded)
}

/// Asks the state about tools that the model has not seen yet.
fn look_at(view: &SessionView, tools: &[usize]) {
    let catalog = view.catalog();
    let is_unseen = |tool: usize| {
        tools.contains(&tool) && (view.visible.is_fixed() || !view.visible.is_visible(catalog, Item::Tool(tool)))
    };
    if tools.iter().any(|&tool| catalog.tools[tool].conditional.is_some() && is_unseen(tool)) {
        view.visible.look_at(catalog, &view.scope, is_unseen);
    }
}

/// Shows tools. If another toolbox has replaced this one meanwhile, they are shown there too.
fn show(view: &SessionView, tools: &[usize]) -> Vec<usize> {
    let in_latest = |latest: &SessionView| {
        let names = tools.iter().map(|&tool| &view.catalog().tools[tool].name);
        let known = names.filter_map(|name| match latest.catalog().find(name) {
            Some(Item::Tool(tool)) => Some(tool),
            _ => None,
        });
        let known: Vec<usize> = known.collect();
        look_at(latest, &known);
        Some(known)
    };
    show_in_latest(view, tools.to_vec(), in_latest, |view, tools| view.visible.show_found(view.catalog(), tools))
}
