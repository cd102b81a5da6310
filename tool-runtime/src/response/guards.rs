//! Which guard holds for which tool: [`Guards`].

use std::collections::HashMap;

use super::{Guard, paths};
use crate::shape::Shape;

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

    /// What holds for a tool. Where no argument of its can name a path, none is looked for.
    pub(crate) fn of(&self, tool: &str, input: &Shape) -> Guard {
        let guard = self.some.get(tool).unwrap_or(&self.all).clone();
        let looks_for_paths = guard.duplicate_segments && paths::may_be_named(input);
        guard.duplicate_segments(looks_for_paths)
    }
}
