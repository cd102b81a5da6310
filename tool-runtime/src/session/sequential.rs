//! Which calls of a batch run alone.
//!
//! In: a call before it starts. Out: whether the tool that it reaches is `sequential`. What always holds: nothing is decided and nobody is
//! told; where a call goes through several containers it runs alone rather than not.

use super::generation::Generation;
use crate::input::Arguments;
use crate::toolbox::Item;

impl Generation {
    pub(super) fn runs_alone(&self, name: &str, arguments: &Arguments<'_>) -> bool {
        let catalog = self.catalog();
        if !catalog.has_sequential {
            return false;
        }
        let is_sequential = |item| match item {
            Item::Tool(tool) => catalog.tools[tool].tool.spec().settings.sequential,
            Item::Container(_) | Item::CallTool => true,
        };
        // Expanding a container runs nothing; a member that is called through it may.
        self.reached(name, arguments).is_some_and(|(item, _)| is_sequential(item))
    }
}
