//! The inputs of all tools (visible, hidden and removed ones), for code that shows the arguments of earlier calls.

use std::collections::HashMap;

use super::Session;
use crate::shape::Ref;
use crate::toolbox::{CALL_TOOL, Entry};

impl Session {
    /// Returns the shape of a tool's arguments as the model sends them, if the tool was advertised in a provider's
    /// form.
    pub(crate) fn shown_input(&self, name: &str) -> Option<Ref> {
        let current = self.current();
        let advertisement = current.rewritten(current.catalog().find_tool(name)?)?;
        Some(advertisement.shown_input().clone())
    }

    /// Returns the shapes of the arguments as the model sends them, keyed by the advertised names of the tools.
    pub(crate) fn inputs(&self) -> HashMap<String, Ref> {
        let current = self.current();
        let input = |entry: &Entry| match current.rewritten(entry) {
            Some(advertisement) => advertisement.shown_input().clone(),
            None => entry.tool.spec().input.clone(),
        };
        let tools = current.catalog().tools.iter().map(|entry| (entry.name.to_string(), input(entry)));
        let gone = current.numbers.all_gone().iter().map(|gone| (gone.name.to_string(), gone.input.clone()));
        gone.chain(tools).chain([(CALL_TOOL.name.to_string(), CALL_TOOL.input.clone())]).collect()
    }
}
