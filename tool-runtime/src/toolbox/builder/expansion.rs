//! Settings for the expansion of containers.
//!
//! By default, containers are collapsed until they are called, and then stay expanded for the session. Calls of members that the model
//! cannot see are not run.

use super::ToolboxBuilder;
use crate::container::{DefinitionLoading, ExpansionSettings};
use crate::search::FindTools;

impl<S> ToolboxBuilder<S> {
    /// Sets how containers expand and collapse, in place of the value that was set before. [`ExpansionSettings`] has examples.
    pub fn expansion(mut self, expansion: ExpansionSettings) -> Self {
        self.settings.expansion = expansion;
        self
    }

    /// Adds a tool with which the model searches the members of containers. The found tools become visible. If no container hides its
    /// members, the tool is left out. [`FindTools`] has an example.
    pub fn find_tools(mut self, find: FindTools) -> Self {
        self.find_tools = Some(find);
        self
    }

    /// Sets the way in which the model gets the definitions of members. [`DefinitionLoading`] has an example. If the provider loads definitions itself,
    /// [fixed definitions](ExpansionSettings::fixed_definitions) have no effect, because the list never changes anyway.
    pub fn definition_loading(mut self, deferral: DefinitionLoading) -> Self {
        self.deferral = deferral;
        self
    }
}
