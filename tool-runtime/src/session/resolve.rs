//! From the name that a model called to what it meant.
//!
//! In: any text. Out: an item of the catalog, perhaps with the repair of its name, or the refusal. What always holds: a name that is
//! exactly somebody's is theirs; another spelling is read only where a single item answers to it; nothing is guessed by nearness.

use super::Session;
use crate::failure::Failure;
use crate::repair::Repair;
use crate::suggest::ranked;
use crate::toolbox::Item;

/// At most this many names are offered for one that nobody has.
const SUGGESTIONS: usize = 3;

impl Session {
    pub(super) fn resolve(&self, name: &str) -> Result<(Item, Option<Repair>), Failure> {
        let catalog = self.catalog();
        if let Some(item) = catalog.find(name) {
            return Ok((item, None));
        }
        match *catalog.find_folded(name) {
            [] => Err(self.unknown(name)),
            [item] => Ok((item, Some(Repair::tool_name(name, catalog.name(item).clone())))),
            ref several => {
                let candidates = several.iter().map(|&item| catalog.name(item).as_str());
                Err(Failure::ambiguous_tool(name, candidates))
            }
        }
    }

    fn unknown(&self, name: &str) -> Failure {
        let catalog = self.catalog();
        let available: Vec<_> =
            self.0.visible.items(catalog).into_iter().map(|item| catalog.name(item).as_str()).collect();
        let did_you_mean = ranked(name, available.iter().copied(), SUGGESTIONS);
        Failure::unknown_tool(name, did_you_mean, available)
    }
}
