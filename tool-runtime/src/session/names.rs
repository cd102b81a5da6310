//! Finds the tool or container that a called name means.
//!
//! In: any text. Out: an item of the catalog, with the repair of its name if one was needed, or the refusal. Invariants: an exact name
//! always means the item with that name. An alias means its item, unless the alias is the name of another item. A different spelling, or a
//! name that includes the container's name, is accepted only if it matches a single item. A name that is merely similar is never accepted.

use super::generation::Generation;
use crate::failure::Failure;
use crate::repair::{Repair, tool_name};
use crate::toolbox::Item;

/// The item that a name refers to.
pub(super) struct Found {
    pub(super) item: Item,
    pub(super) repair: Option<Repair>,
    /// The container, if the called name consists of its name and the name of the member.
    pub(super) through: Option<usize>,
}

impl Generation {
    pub(super) fn find(&self, name: &str) -> Result<Found, Failure> {
        let catalog = self.catalog();
        if let Some(item) = self.visible.find(catalog, name) {
            return Ok(Found { item, repair: None, through: None });
        }
        if let Some(item) = catalog.find_alias(name) {
            let repair = Some(Repair::tool_alias(name, catalog.name(item).clone()));
            return Ok(Found { item, repair, through: None });
        }
        let without_token = tool_name(name);
        let meant = without_token.as_ref().map_or(name, |(meant, _)| meant);
        if let (Some(item), Some((_, repair))) = (self.visible.find(catalog, meant), without_token) {
            return Ok(Found { item, repair: Some(repair), through: None });
        }
        let called = without_parentheses(meant);
        let spelt = match catalog.find(called).or_else(|| catalog.find_alias(called)) {
            Some(item) => vec![item],
            None => catalog.find_folded(called).to_vec(),
        };
        let qualified = if spelt.is_empty() { catalog.find_qualified(called) } else { Vec::new() };
        let found = spelt.into_iter().map(|item| (item, None));
        let found: Vec<_> = found.chain(qualified.into_iter().map(|(item, through)| (item, Some(through)))).collect();
        match found[..] {
            [] if self.numbers.gone(meant).is_some() => Err(self.removed(meant, self.suggestions(called))),
            [] => Err(Failure::unknown_tool(name, self.suggestions(called), self.available())),
            [(item, through)] => {
                let repair = Some(Repair::tool_name(name, catalog.name(item).clone()));
                Ok(Found { item, repair, through })
            }
            ref several => {
                let candidates = several.iter().map(|&(item, _)| catalog.name(item).as_str());
                Err(Failure::ambiguous_tool(name, candidates))
            }
        }
    }

    /// Returns the answer to a call of a tool that an earlier toolbox of the session had.
    pub(super) fn removed<'n>(&'n self, name: &str, near: impl IntoIterator<Item = &'n str>) -> Failure {
        Failure::tool_removed(name, near, self.available())
    }

    /// Returns the names that the model sees.
    pub(super) fn available(&self) -> Vec<&str> {
        let catalog = self.catalog();
        self.visible.items(catalog).into_iter().map(|item| catalog.name(item).as_str()).collect()
    }
}

/// Removes empty parentheses from a name such as `get_weather()`. Parentheses with content are kept, because they may
/// contain arguments.
fn without_parentheses(name: &str) -> &str {
    name.trim_end().strip_suffix("()").map_or(name, str::trim_end)
}
