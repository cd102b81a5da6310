//! From the name that a model called to what it meant.
//!
//! In: any text. Out: an item of the catalog, perhaps with the repair of its name, or the refusal. What always holds: a name that is
//! exactly somebody's is theirs; another spelling, or one with the container's name beside it, is read only where a single item answers to
//! it; nothing is guessed by nearness.

use std::collections::{HashMap, HashSet};

use super::Session;
use crate::failure::Failure;
use crate::repair::{Repair, tool_name};
use crate::suggest::ranked;
use crate::toolbox::Item;

/// At most this many names are offered for one that nobody has.
const SUGGESTIONS: usize = 3;
/// Near names of members stand for their containers, and several for the same one.
const RANKED: usize = 24;

/// The item that a name means.
pub(super) struct Found {
    pub(super) item: Item,
    pub(super) repair: Option<Repair>,
    /// The container whose name stood beside the member's.
    pub(super) through: Option<usize>,
}

impl Session {
    pub(super) fn find(&self, name: &str) -> Result<Found, Failure> {
        let catalog = self.catalog();
        if let Some(item) = catalog.find(name) {
            return Ok(Found { item, repair: None, through: None });
        }
        if let Some((meant, repair)) = tool_name(name)
            && let Some(item) = catalog.find(meant)
        {
            return Ok(Found { item, repair: Some(repair), through: None });
        }
        let spelt = catalog.find_folded(name);
        let qualified: Vec<(Item, usize)> = if spelt.is_empty() { catalog.find_qualified(name) } else { Vec::new() };
        let found = spelt.iter().map(|&item| (item, None));
        let found: Vec<_> = found.chain(qualified.iter().map(|&(item, through)| (item, Some(through)))).collect();
        match found[..] {
            [] => Err(self.unknown(name)),
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

    fn unknown(&self, name: &str) -> Failure {
        Failure::unknown_tool(name, self.nearest(name), self.available())
    }

    /// The names that the model sees.
    pub(super) fn available(&self) -> Vec<&str> {
        let catalog = self.catalog();
        self.0.visible.items(catalog).into_iter().map(|item| catalog.name(item).as_str()).collect()
    }

    /// The nearest names; of what is not visible, the container that leads there.
    fn nearest(&self, name: &str) -> Vec<&str> {
        let catalog = self.catalog();
        let mut leads: HashMap<&str, Vec<Item>> = HashMap::new();
        // Visible names first: of two that are equally near, the earlier one wins.
        let visible = self.0.visible.items(catalog);
        let tools = (0..catalog.tools.len()).map(Item::Tool);
        let seen = self.0.visible.seen();
        let tools = tools.filter(|&tool| seen.is_available(catalog, tool));
        let all = visible.into_iter().chain(tools).chain((0..catalog.containers.len()).map(Item::Container));
        let mut candidates = Vec::new();
        for item in all {
            let own = match item {
                Item::Tool(tool) => catalog.tools[tool].tool.spec().name.as_str(),
                Item::Container(_) | Item::CallTool => catalog.name(item),
            };
            for name in [catalog.name(item).as_str(), own] {
                let items = leads.entry(name).or_insert_with(|| {
                    candidates.push(name);
                    Vec::new()
                });
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        let mut seen = HashSet::new();
        let near = ranked(name, candidates, RANKED).into_iter();
        let items = near.filter_map(|near| leads.get(near)).flatten().filter_map(|&item| self.visible_way_to(item));
        items.filter(|name| seen.insert(*name)).take(SUGGESTIONS).collect()
    }

    /// The item itself where it is visible, else the nearest container around it that is.
    fn visible_way_to(&self, item: Item) -> Option<&str> {
        let catalog = self.catalog();
        let (mut around, mut next) = (vec![item], 0);
        while let Some(&item) = around.get(next) {
            if self.0.visible.is_visible(catalog, item) {
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
}
