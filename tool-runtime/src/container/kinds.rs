//! Where a container's members come from ([`Source`]), how long an expansion lasts ([`ExpansionScope`]), and what is done for a model
//! that does something else instead of expanding ([`ExpansionPolicy`]).

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

/// What a session does where a model should have expanded a container first, and did something else.
///
/// ```
/// use tool_runtime::container::ExpansionPolicy;
/// use tool_runtime::{Container, Toolbox, tool};
///
/// /// The hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
/// let clock = || Container::new("Clock", "What a clock can do.").tool(HourTool);
///
/// let strict = Toolbox::builder().container(clock()).build()?.session();
/// assert!(!pollster::block_on(strict.call("call_1", "hour", "{}")).is_ok());
///
/// let policy = ExpansionPolicy::ExpandAndRun;
/// let session = Toolbox::builder().container(clock()).expansion_policy(policy).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "hour", "{}"));
/// assert_eq!(outcome.to_text(), "12");
/// assert_eq!(outcome.repairs()[0].to_string(), r#"Expanded Clock for "hour"."#);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpansionPolicy {
    /// Tells the model to expand the container first.
    #[default]
    Reject,
    /// Expands the container, and answers as if the model had done so.
    Expand,
    /// Expands the container and runs the member that was meant, where that is certain; it saves two turns. Arguments that the member does
    /// not accept are answered with its own issues.
    ExpandAndRun,
}

/// The policy for each thing that a model may do instead.
#[derive(Clone, Copy, Default)]
pub(crate) struct Policies {
    pub(crate) container_arguments: ExpansionPolicy,
    pub(crate) hidden_member: ExpansionPolicy,
    pub(crate) qualified_name: ExpansionPolicy,
}
