//! Which guard holds for which tool: [`Guards`].

use std::collections::HashMap;

use super::Guard;

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

    pub(crate) fn of(&self, tool: &str) -> &Guard {
        self.some.get(tool).unwrap_or(&self.all)
    }
}
