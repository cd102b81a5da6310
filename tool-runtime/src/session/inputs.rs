//! What every tool takes, visible or not: for whoever shows the arguments of calls that were made.

use std::collections::HashMap;

use super::Session;
use crate::shape::Ref;
use crate::toolbox::{CALL_TOOL, Entry};

impl Session {
    /// The shape of the arguments of a tool that was advertised in a provider's form, as a model sends them.
    pub(crate) fn shown_input(&self, name: &str) -> Option<Ref> {
        let advertisement = self.rewritten(self.catalog().find_tool(name)?)?;
        Some(advertisement.shown_input().clone())
    }

    /// The shapes of the arguments as the model sends them, by the advertised names of the tools.
    pub(crate) fn inputs(&self) -> HashMap<String, Ref> {
        let input = |entry: &Entry| match self.rewritten(entry) {
            Some(advertisement) => advertisement.shown_input().clone(),
            None => entry.tool.spec().input.clone(),
        };
        let tools = self.catalog().tools.iter().map(|entry| (entry.name.to_string(), input(entry)));
        tools.chain([(CALL_TOOL.name.to_string(), CALL_TOOL.input.clone())]).collect()
    }
}
