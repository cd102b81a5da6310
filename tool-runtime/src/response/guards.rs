//! Which guard holds for which tool: [`Guards`].

use std::collections::HashMap;
use std::sync::Arc;

use super::spilling::Spill;
use super::{Guard, paths};
use crate::shape::Shape;
use crate::spill::{READ_RESULT, ResultStore};

/// One for all tools, and others for some.
#[derive(Default)]
pub(crate) struct Guards {
    all: Guard,
    some: HashMap<String, Guard>,
}

impl Guards {
    pub(crate) fn set(&mut self, guard: Guard) {
        self.all = guard;
    }

    pub(crate) fn set_for(&mut self, tool: String, guard: Guard) {
        self.some.insert(tool, guard);
    }

    /// The tools that something is said about.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.some.keys().map(String::as_str)
    }

    fn guards(&self) -> impl Iterator<Item = &Guard> {
        std::iter::once(&self.all).chain(self.some.values())
    }

    /// Whether any result is kept, so that the tool which reads them is needed.
    pub(crate) fn spills(&self) -> bool {
        self.guards().any(|guard| guard.spill.is_some())
    }

    /// The stores of all guards, each once.
    pub(crate) fn stores(&self) -> Arc<[Arc<dyn ResultStore>]> {
        let mut stores: Vec<&Spill> = Vec::new();
        for spill in self.guards().filter_map(|guard| guard.spill.as_ref()) {
            if !stores.contains(&spill) {
                stores.push(spill);
            }
        }
        stores.into_iter().map(|Spill(store)| Arc::clone(store)).collect()
    }

    /// What holds for a tool. Where no argument of its can name a path, none is looked for.
    pub(crate) fn of(&self, tool: &str, input: &Shape) -> Guard {
        let mut guard = self.some.get(tool).unwrap_or(&self.all).clone();
        if tool == READ_RESULT && self.spills() {
            // Its answers are bounded by themselves; to cut or keep them would hide where the next part begins.
            let marks = self.guards().any(|guard| guard.spill.is_some() && guard.mark_as_data);
            guard = Guard { cut_to: None, spill: None, mark_as_data: marks || guard.mark_as_data, ..guard };
        }
        let looks_for_paths = guard.duplicate_segments && paths::may_be_named(input);
        guard.duplicate_segments(looks_for_paths)
    }
}
