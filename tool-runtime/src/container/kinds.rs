//! Where a container's members come from ([`Source`]), and how long an expansion lasts ([`ExpansionScope`]).

use std::fmt;

/// Where the members of a container come from.
///
/// It changes nothing about a call; a host reads it to show, to count or to permit.
///
/// ```
/// use tool_runtime::Container;
/// use tool_runtime::container::Source;
///
/// let server = Container::new("Github", "What the server offers.").source(Source::Mcp);
/// assert_eq!(server.spec().source.as_str(), "mcp");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The program itself: `#[plugin_container]`, or functions that a host put together.
    #[default]
    Plugin,
    /// A server of the Model Context Protocol.
    Mcp,
    /// A front end, whose tools run elsewhere.
    Client,
    /// The description of an HTTP interface.
    OpenApi,
    /// Instructions that refer to tools of others.
    Skill,
}

impl Source {
    /// The source in `snake_case`, for logs and programs.
    ///
    /// ```
    /// assert_eq!(tool_runtime::container::Source::OpenApi.as_str(), "open_api");
    /// ```
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

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How long the members of a container stay visible once it is expanded.
///
/// ```
/// use tool_runtime::container::ExpansionScope;
/// use tool_runtime::{Container, Toolbox};
///
/// let files = Container::new("Files", "Reading of files.");
/// let session = Toolbox::builder().container(files).expansion_scope(ExpansionScope::Turn).build()?.session();
/// pollster::block_on(session.call("call_1", "Files", ""));
/// assert!(session.is_expanded("Files"));
/// session.end_turn();
/// assert!(!session.is_expanded("Files"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpansionScope {
    /// To the end of the session, or until the host releases it.
    #[default]
    Session,
    /// To the end of the turn: [`Session::end_turn`](crate::Session::end_turn).
    Turn,
    /// At most so many containers are expanded at a time: the one whose members were not called for longest collapses. Not 0.
    AtMost(usize),
}
