//! Finds the tool or container that a called name means.
//!
//! In: any text. Out: an item of the catalog, with the repair of its name if one was needed, or the rejection. Invariants: an exact name
//! always means the item with that name. An alias means its item, unless the alias is the name of another item. A different spelling, a
//! name with a known namespace or a number after it, or a name that includes the container's name, is accepted only if it matches a single
//! item. A name that is merely similar is never accepted.

use super::session_with_toolbox::SessionView;
use super::suggestions;
use crate::failure::Failure;
use crate::repair::{Repair, strip_control_tokens_from_name};
use crate::tool_names::{Named, find_tool, readings};
use crate::toolbox::Item;

/// The item that a name refers to.
pub(super) struct Found {
    pub(super) item: Item,
    pub(super) repair: Option<Repair>,
    /// The container, if the called name consists of its name and the name of the member.
    pub(super) through: Option<usize>,
}

/// Finds the tool or container that a called name means, or the failure that answers the call.
pub(super) fn find(view: &SessionView, name: &str) -> Result<Found, Failure> {
    let catalog = view.catalog();
    let exact = |name: &str| view.visible.find(catalog, name);
    if let (None, Some(item)) = (exact(name), catalog.find_alias(name)) {
        let repair = Some(Repair::for_tool_alias(name, catalog.name(item).clone()));
        return Ok(Found { item, repair, through: None });
    }
    let named = find_tool(name, exact, |name| {
        if let Some(item) = catalog.find(name).or_else(|| catalog.find_alias(name)) {
            return vec![(item, None)];
        }
        match catalog.find_folded(name) {
            [] => catalog.find_qualified(name).into_iter().map(|(item, through)| (item, Some(through))).collect(),
            spelled => spelled.iter().map(|&item| (item, None)).collect(),
        }
    });
    match named {
        Named::Exact(item) => Ok(Found { item, repair: None, through: None }),
        Named::BeforeToken(item) => {
            Ok(Found { item, repair: strip_control_tokens_from_name(name).map(|(_, repair)| repair), through: None })
        }
        Named::Spelled(found) => match found[..] {
            [] => {
                let meant = readings(name).next().unwrap_or(name);
                let gone = readings(name).find(|reading| view.numbers.removed(reading).is_some());
                Err(match gone {
                    Some(gone) => removed(view, gone, suggestions::similar_names(view, meant)),
                    None => Failure::unknown_tool(name, suggestions::similar_names(view, meant), view.available()),
                })
            }
            [(item, through)] => {
                let tool = catalog.name(item).clone();
                Ok(Found { item, repair: Some(Repair::for_tool_name(name, tool)), through })
            }
            ref several => {
                let candidates = several.iter().map(|&(item, _)| catalog.name(item).as_str());
                Err(Failure::ambiguous_tool(name, candidates))
            }
        },
    }
}

/// Returns the answer to a call of a tool that an earlier toolbox of the session had.
pub(super) fn removed<'n>(view: &'n SessionView, name: &str, near: impl IntoIterator<Item = &'n str>) -> Failure {
    Failure::tool_removed(name, near, view.available())
}
