//! Suggests names for a call with an unknown name.
//!
//! In: a name as a model wrote it. Out: at most three names that the model may have meant, best first. Invariants: a suggested name is only
//! shown, never called. The work is linear in the number of names and in the length of the unknown name.

use std::collections::HashMap;

use super::member_call::find_member;
use super::session_with_toolbox::SessionView;
use crate::input::Arguments;
use crate::json::Node;
use crate::shape::Text;
use crate::tool_names::suggested_tools;
use crate::toolbox::{Catalog, Item};

/// The maximum number of suggested names.
const SUGGESTIONS: usize = 3;
/// The number of similar names to collect. It exceeds the number of suggestions, because several members may lead to
/// the same container.
const RANKED: usize = 24;

/// Returns the names that are most similar to an unknown name. A hidden tool is replaced by the container
/// that leads to it.
pub(super) fn similar_names<'s>(view: &'s SessionView, name: &str) -> Vec<&'s str> {
    let catalog = view.catalog();
    let mut found = Vec::new();
    // If the name contains the name of a container, the members of the container come first.
    for (container, rest) in catalog.qualified_rests(name) {
        add_visible_names(view, &mut found, members(view, container).similar_items(&rest));
    }
    add_visible_names(view, &mut found, candidates(view).similar_items(name));
    found
}

/// Returns the members of a container that are most similar to the `function` in its arguments, if no member has
/// that name.
pub(super) fn near_members(view: &SessionView, container: usize, arguments: &Arguments<'_>) -> Vec<Text> {
    let (catalog, members) = (view.catalog(), members(view, container));
    let similar_items = arguments.to_json().ok().and_then(|json| {
        let Node::Object(sent) = json.node else { return None };
        let mut named = sent.iter().filter(|member| member.key == "function");
        let (Some(function), None) = (named.next(), named.next()) else { return None };
        let name = function.value.as_str().filter(|name| find_member(catalog, container, name).is_none())?;
        Some(members.similar_items(name))
    });
    similar_items.into_iter().flatten().take(SUGGESTIONS).map(|item| catalog.name(item).clone()).collect()
}

/// Returns every candidate name, visible ones first. If two names are equally similar, the earlier one takes precedence.
fn candidates(view: &SessionView) -> Candidates<'_> {
    let catalog = view.catalog();
    let visible = view.visible.items(catalog);
    let seen = view.visible.seen();
    let tools = (0..catalog.tools.len()).map(Item::Tool).filter(|&tool| seen.is_available(catalog, tool));
    let containers = (0..catalog.containers.len()).map(Item::Container);
    Candidates::from_items(catalog, visible.into_iter().chain(tools).chain(containers))
}

/// Returns the names of a container's available members.
fn members(view: &SessionView, container: usize) -> Candidates<'_> {
    let catalog = view.catalog();
    let seen = view.visible.seen();
    let members = catalog.containers[container].members.iter().copied();
    Candidates::from_items(catalog, members.filter(|&member| seen.is_available(catalog, member)))
}

/// Adds, for each item, the name under which it can be reached, up to the maximum number of suggestions.
fn add_visible_names<'s>(view: &'s SessionView, found: &mut Vec<&'s str>, items: Vec<Item>) {
    for item in items {
        if let Some(way) = visible_name_of(view, item)
            && found.len() < SUGGESTIONS
            && !found.contains(&way)
        {
            found.push(way);
        }
    }
}

/// Returns the name of the item if it is visible, or else the name of the innermost visible container that contains it.
fn visible_name_of(view: &SessionView, item: Item) -> Option<&str> {
    let catalog = view.catalog();
    let (mut around, mut next) = (vec![item], 0);
    while let Some(&item) = around.get(next) {
        if view.visible.is_visible(catalog, item) {
            return Some(catalog.name(item));
        }
        for &owner in catalog.owners(item) {
            let owner = Item::Container(owner);
            if !around.contains(&owner) {
                around.push(owner);
            }
        }
        next += 1;
    }
    None
}

/// Names that the model may have meant, in order, each with the items that have this name.
struct Candidates<'c> {
    names: Vec<&'c str>,
    items: HashMap<&'c str, Vec<Item>>,
}

impl<'c> Candidates<'c> {
    fn from_items(catalog: &'c Catalog, all: impl Iterator<Item = Item>) -> Self {
        let mut candidates = Self { names: Vec::new(), items: HashMap::new() };
        for item in all {
            for name in catalog.names_of(item) {
                let items = candidates.items.entry(name).or_insert_with(|| {
                    candidates.names.push(name);
                    Vec::new()
                });
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        candidates
    }

    /// Returns the items with the most similar names.
    fn similar_items(&self, name: &str) -> Vec<Item> {
        let similar_items = suggested_tools(name, &self.names, RANKED);
        similar_items.into_iter().filter_map(|name| self.items.get(name)).flatten().copied().collect()
    }
}
