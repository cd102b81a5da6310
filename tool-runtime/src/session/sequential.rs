//! Decides which calls of a batch run alone.
//!
//! In: a call before it starts. Out: `true` if it reaches a `sequential` tool. Invariants: nothing is counted or reported. A call through
//! several containers runs alone, because it may reach such a tool.

use super::view::SessionView;
use crate::input::Arguments;
use crate::toolbox::Item;

impl SessionView {
    pub(super) fn runs_alone(&self, name: &str, arguments: &Arguments<'_>) -> bool {
        let catalog = self.catalog();
        if !catalog.has_sequential {
            return false;
        }
        let is_sequential = |item| match item {
            Item::Tool(tool) => catalog.tools[tool].tool.spec().settings.sequential,
            Item::Container(_) | Item::CallTool => true,
        };
        // Expanding a container runs no tool, but a member that is called through the container may be sequential.
        self.reached(name, arguments).is_some_and(|(item, _)| is_sequential(item))
    }
}
