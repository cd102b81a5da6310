//! Containers, which show a group of the server's tools as one tool until the model expands it: [`Grouping`].
//!
//! Invariant: a tool that cannot be checked, and a tool that the client may not call, is not a member.

use tool_runtime::Container;
use tool_runtime::container::Source;

use super::access::fits;

/// A container as the host describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) name: String,
    pub(super) description: String,
    /// The patterns of its members, by the server's names.
    pub(super) tools: Vec<String>,
}

impl Grouping {
    /// Returns `true` if a tool of the server is a member.
    pub(super) fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|pattern| fits(pattern, tool))
    }

    /// Returns the container without members.
    pub(super) fn container(&self) -> Container {
        Container::new(self.name.clone(), self.description.clone()).source(Source::Mcp)
    }
}
