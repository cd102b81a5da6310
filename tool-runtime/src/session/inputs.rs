//! What every tool takes, visible or not, or no longer there: for whoever shows the arguments of calls that were made.

use std::collections::HashMap;

use super::Session;
use crate::shape::Ref;
use crate::toolbox::CALL_TOOL;

impl Session {
    /// The shapes of the arguments, by the advertised names of the tools.
    pub(crate) fn inputs(&self) -> HashMap<String, Ref> {
        let current = self.current();
        let tools =
            current.catalog().tools.iter().map(|entry| (entry.name.to_string(), entry.tool.spec().input.clone()));
        let gone = current.numbers.all_gone().iter().map(|gone| (gone.name.to_string(), gone.input.clone()));
        gone.chain(tools).chain([(CALL_TOOL.name.to_string(), CALL_TOOL.input.clone())]).collect()
    }
}
