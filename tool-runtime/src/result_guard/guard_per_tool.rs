//! The guard of each tool: [`GuardPerTool`].

use std::collections::HashMap;
use std::sync::Arc;

use super::spill_settings::Spill;
use super::{Guard, repeated_path_parts};
use crate::shape::Shape;
use crate::spill::{READ_RESULT, ResultStore};

/// A guard for all tools, with overrides for single tools.
#[derive(Default)]
pub(crate) struct GuardPerTool {
    all: Guard,
    some: HashMap<String, Guard>,
}

impl GuardPerTool {
    pub(crate) fn set(&mut self, guard: Guard) {
        self.all = guard;
    }

    pub(crate) fn set_for(&mut self, tool: String, guard: Guard) {
        self.some.insert(tool, guard);
    }

    /// Returns the tools that have an override.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.some.keys().map(String::as_str)
    }

    fn guards(&self) -> impl Iterator<Item = &Guard> {
        std::iter::once(&self.all).chain(self.some.values())
    }

    /// Returns `true` if any guard keeps long results, so that the tool that reads them is needed.
    pub(crate) fn spills(&self) -> bool {
        self.guards().any(|guard| guard.spill.is_some())
    }

    /// Returns the stores of all guards, each once.
    pub(crate) fn stores(&self) -> Arc<[Arc<dyn ResultStore>]> {
        let mut stores: Vec<&Spill> = Vec::new();
        for spill in self.guards().filter_map(|guard| guard.spill.as_ref()) {
            if !stores.contains(&spill) {
                stores.push(spill);
            }
        }
        stores.into_iter().map(|Spill(store)| Arc::clone(store)).collect()
    }

    /// Returns the guard of a tool. It searches for paths only if an argument of the tool can be a path.
    pub(crate) fn guard_for(&self, tool: &str, input: &Shape) -> Guard {
        let mut guard = self.some.get(tool).unwrap_or(&self.all).clone();
        if tool == READ_RESULT && self.spills() {
            // The answers of this tool already have a bounded length. Cutting or keeping them would hide where the next part begins.
            let marks = self.guards().any(|guard| guard.spill.is_some() && guard.mark_as_data);
            guard = Guard { cut_to: None, spill: None, mark_as_data: marks || guard.mark_as_data, ..guard };
        }
        let looks_for_paths = guard.warn_duplicate_segments && repeated_path_parts::may_be_named(input);
        guard.warn_duplicate_segments(looks_for_paths)
    }
}
