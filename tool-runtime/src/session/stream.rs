//! Checks the arguments of calls that are still being written.
//!
//! In: the name in a call whose arguments arrive in pieces. Out: a [`Stream`] that checks the pieces against the tool's shape. Invariants:
//! only tools that the model can currently call have a stream. No tool runs.

use super::definitions::NOTHING;
use super::find_name::{self, Found};
use super::session_with_toolbox::SessionView;
use crate::failure::Failure;
use crate::repair::Stream;
use crate::shape::Ref;
use crate::toolbox::{CALL_TOOL, Item};

/// Returns a stream for the arguments of a call of this name.
pub(super) fn open(view: &SessionView, name: &str) -> Result<Stream, Box<Failure>> {
    let found = find_name::find(view, name).and_then(|Found { item, .. }| callable(view, item));
    found.map(|item| Stream::for_shape(input_of(view, item))).map_err(Box::new)
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
