//! Which calls of a batch run alone.
//!
//! In: a call before it starts. Out: whether the tool that it reaches is `sequential`. What always holds: nothing is decided and nobody is
//! told; where a call goes through several containers it runs alone rather than not.

use super::Session;
use super::member_call::{member_call, proxied_call};
use crate::input::Arguments;
use crate::toolbox::Item;

impl Session {
    pub(super) fn runs_alone(&self, name: &str, arguments: &Arguments<'_>) -> bool {
        let catalog = self.catalog();
        if !catalog.has_sequential {
            return false;
        }
        let is_sequential = |item| match item {
            Item::Tool(tool) => catalog.tools[tool].tool.spec().sequential,
            Item::Container(_) | Item::CallTool => true,
        };
        let Ok(found) = self.resolve(name) else { return false };
        match found.item {
            Item::Tool(_) => is_sequential(found.item),
            // Expanding runs nothing; a member that is called through its container may.
            Item::Container(container) => {
                member_call(catalog, container, arguments).is_some_and(|call| is_sequential(call.item))
            }
            Item::CallTool => {
                let called = proxied_call(arguments, false).ok();
                called.and_then(|(tool, _)| self.resolve(&tool).ok()).is_some_and(|found| is_sequential(found.item))
            }
        }
    }
}
