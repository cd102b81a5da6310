//! The label that says where the members of a container come from: [`ContainerSource`].

use std::fmt;

/// The origin of a container's members.
///
/// The origin has no effect on calls. A host can use it to display, count or permit tools.
///
/// ```
/// use tool_runtime::Container;
/// use tool_runtime::container::ContainerSource;
///
/// let server = Container::new("Github", "What the server offers.").source_label(ContainerSource::Mcp);
/// assert_eq!(server.spec().source.as_str(), "mcp");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContainerSource {
    /// The program itself: the members come from `#[plugin_container]`, or from functions that a host put together.
    #[default]
    Plugin,
    /// A server of the Model Context Protocol.
    Mcp,
    /// A front end, which runs the tools itself.
    Client,
    /// A description of an HTTP API.
    OpenApi,
    /// A skill: instructions that refer to tools registered elsewhere.
    Skill,
}

impl ContainerSource {
    /// Returns the source in `snake_case`, for logs and programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plugin => "plugin",
            Self::Mcp => "mcp",
            Self::Client => "client",
            Self::OpenApi => "open_api",
            Self::Skill => "skill",
        }
    }
}

impl fmt::Display for ContainerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
