//! Registers further names of tools: aliases, and original names that providers reject.
//!
//! Invariant: a further name is never the name of another tool, whichever containers are expanded. If members of several containers have
//! the same name, they may also share further names, which are then as ambiguous as the name itself.

use std::collections::HashMap;

use super::Registration;
use crate::shape::Text;
use crate::toolbox::RegistrationError;
use crate::toolbox::item::Item;

impl Registration<'_> {
    /// Registers the further names of every tool.
    pub(super) fn claim_aliases(&mut self) {
        let mut own: HashMap<Text, usize> = HashMap::new();
        for (position, entry) in self.catalog.tools.iter().enumerate() {
            own.entry(entry.tool.spec().name.clone()).or_insert(position);
        }
        // The first tool with each further name.
        let mut first: HashMap<Text, usize> = HashMap::new();
        for position in 0..self.catalog.tools.len() {
            let spec = self.catalog.tools[position].tool.spec();
            let (name, aliases) = (spec.name.clone(), spec.other_names().cloned().collect::<Vec<_>>());
            let is_shared = self.catalog.tools[position].name != name;
            for alias in aliases.into_iter().filter(|alias| *alias != name) {
                if alias.is_empty() {
                    self.error(RegistrationError::EmptyAlias { tool: self.written_name(position) });
                    continue;
                }
                let visible = self.catalog.find(&alias).filter(|&item| item != Item::Tool(position));
                let hidden = own.get(&alias).copied().map(Item::Tool);
                let before = *first.entry(alias.clone()).or_insert(position);
                let further = (*self.own_name(before) != name).then_some(Item::Tool(before));
                if let Some(other) = visible.or(hidden).or(further) {
                    let (tool, other) = (self.written_name(position), self.name_in_errors(other));
                    self.error(RegistrationError::AliasTaken { tool, alias: alias.to_string(), other });
                } else if !is_shared {
                    self.catalog.aliases.insert(alias, Item::Tool(position));
                }
            }
        }
    }

    fn own_name(&self, tool: usize) -> &Text {
        &self.catalog.tools[tool].tool.spec().name
    }

    /// Returns the name of a tool, as its author or its server wrote it.
    pub(super) fn written_name(&self, tool: usize) -> String {
        self.catalog.tools[tool].tool.spec().written_name().to_string()
    }

    fn name_in_errors(&self, item: Item) -> String {
        match item {
            Item::Tool(tool) => self.written_name(tool),
            item => self.catalog.name(item).to_string(),
        }
    }
}
