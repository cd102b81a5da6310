//! Extracts calls that a model wrote into its text, and checks the arguments of calls that are still being written.
//!
//! In: the text of a message, or the name in a call whose arguments arrive in pieces. Out: the calls in the text, or a [`Stream`] that
//! checks the pieces against the tool's shape. Invariants: only tools that the model can currently call are found. No tool runs. No repair
//! quotes a sensitive value.

use std::collections::HashSet;

use super::definitions::NOTHING;
use super::names::{self, Found};
use super::view::SessionView;
use crate::failure::Failure;
use crate::repair::{Stream, TextCall, calls_in_text, redact_call};
use crate::shape::{Ref, has_secrets};
use crate::toolbox::{CALL_TOOL, Item};

/// Finds the calls of available tools in the text of a model.
pub(super) fn find(view: &SessionView, text: &str) -> Vec<TextCall> {
    let catalog = view.catalog();
    let items: HashSet<Item> = view.visible.items(catalog).into_iter().collect();
    let mut calls = calls_in_text(text, |name| catalog.find(name).is_some_and(|item| items.contains(&item)));
    for call in &mut calls {
        let input = catalog.find(&call.name).map(|item| input_of(view, item));
        if input.is_some_and(|input| has_secrets(&input.shape())) {
            redact_call(call);
        }
    }
    calls
}

/// Returns a stream for the arguments of a call of this name.
pub(super) fn stream(view: &SessionView, name: &str) -> Result<Stream<'static>, Box<Failure>> {
    let found = names::find(view, name).and_then(|Found { item, .. }| callable(view, item));
    found.map(|item| Stream::for_input(&input_of(view, item))).map_err(Box::new)
}

/// Returns the item if the model can call it now, and otherwise the failure with which a call of the item would be answered.
fn callable(view: &SessionView, item: Item) -> Result<Item, Failure> {
    let (catalog, visible) = (view.catalog(), &view.visible);
    let name = catalog.name(item);
    if let Item::Tool(index) = item
        && !visible.is_available(&catalog.tools[index])
    {
        return Err(Failure::unavailable(name, None));
    }
    if visible.is_visible(catalog, item) {
        return Ok(item);
    }
    Err(match catalog.owners(item) {
        [owner, ..] => Failure::container_not_expanded(name, &catalog.containers[*owner].spec.name),
        [] => Failure::unknown_tool(name, [], view.available()),
    })
}

/// Returns the shape of the arguments of an item, as the model sends them.
fn input_of(view: &SessionView, item: Item) -> Ref {
    match item {
        Item::Tool(index) => {
            let entry = &view.catalog().tools[index];
            view.rewritten(entry).map_or_else(|| view.input(entry), |shown| shown.shown_input().clone())
        }
        Item::Container(_) => Ref::Static(&NOTHING),
        Item::CallTool => CALL_TOOL.input.clone(),
    }
}
