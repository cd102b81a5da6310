//! The lifetime of an expansion ([`ExpansionScope`]), and the reaction to calls that skip the expansion ([`UnexpandedCallPolicy`]), as parts of
//! [`ExpansionSettings`].

/// The lifetime of an expansion.
///
/// ```
/// use tool_runtime::container::{ExpansionSettings, ExpansionScope};
/// use tool_runtime::{Container, Toolbox};
///
/// let files = Container::new("Files", "Reading of files.");
/// let session = Toolbox::builder().container(files).expansion(ExpansionSettings::new().scope(ExpansionScope::Turn)).build()?.session();
/// pollster::block_on(session.call("call_1", "Files", ""));
/// assert!(session.is_expanded("Files"));
/// session.end_turn();
/// assert!(!session.is_expanded("Files"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpansionScope {
    /// The expansion lasts until the end of the session, or until the host releases the container.
    #[default]
    Session,
    /// The expansion lasts until the end of the turn: [`Session::end_turn`](crate::Session::end_turn).
    Turn,
    /// At most this number of containers (not 0) are expanded at a time. If another one is expanded, the least recently used container
    /// collapses.
    AtMost(usize),
}

/// The reaction to a call before which the model should have expanded a container.
///
/// ```
/// use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
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
/// let policy = UnexpandedCallPolicy::ExpandAndRun;
/// let session = Toolbox::builder().container(clock()).expansion(ExpansionSettings::new().unexpanded_call_policy(policy)).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "hour", "{}"));
/// assert_eq!(outcome.to_text(), "12");
/// assert_eq!(outcome.repairs()[0].to_string(), r#"Expanded Clock for "hour"."#);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnexpandedCallPolicy {
    /// Rejects the call and asks the model to expand the container first.
    #[default]
    Reject,
    /// Expands the container without running the member. The model gets the same answer as if it had expanded the container itself.
    Expand,
    /// Expands the container and runs the member, if it is certain which member was meant. This saves two requests to the model. If the
    /// member does not accept the arguments, the answer is the member's own rejection.
    ExpandAndRun,
}

/// The settings for the expansion of containers: how long an expansion lasts, when containers are collapsed at all, and the reaction to calls
/// that skip the expansion.
///
/// ```
/// use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy, ExpansionScope};
/// use tool_runtime::{Container, Toolbox};
///
/// let expansion = ExpansionSettings::new().scope(ExpansionScope::AtMost(1)).container_arguments_policy(UnexpandedCallPolicy::Expand);
/// let (files, mail) = (Container::new("Files", "Reads files."), Container::new("Mail", "Sends mail."));
/// let session = Toolbox::builder().expansion(expansion).container(files).container(mail).build()?.session();
/// # pollster::block_on(async {
/// session.call("call_1", "Files", r#"{"path": "a"}"#).await;
/// assert!(session.is_expanded("Files"));
/// session.call("call_2", "Mail", "{}").await;
/// # });
/// assert!(session.is_expanded("Mail") && !session.is_expanded("Files"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ExpansionSettings {
    pub(crate) scope: ExpansionScope,
    pub(crate) collapse_above: Option<usize>,
    pub(crate) container_arguments: UnexpandedCallPolicy,
    pub(crate) hidden_member: UnexpandedCallPolicy,
    pub(crate) qualified_name: UnexpandedCallPolicy,
    pub(crate) fixed_definitions: bool,
}

impl ExpansionSettings {
    /// Creates the default settings: an expansion lasts for the session, and a call that skips it is rejected.
    pub const fn new() -> Self {
        Self {
            scope: ExpansionScope::Session,
            collapse_above: None,
            container_arguments: UnexpandedCallPolicy::Reject,
            hidden_member: UnexpandedCallPolicy::Reject,
            qualified_name: UnexpandedCallPolicy::Reject,
            fixed_definitions: false,
        }
    }

    /// Sets how long an expansion lasts. By default, it lasts until the end of the session.
    pub const fn scope(mut self, scope: ExpansionScope) -> Self {
        self.scope = scope;
        self
    }

    /// Collapses containers only if the toolbox has more tools than this number, including the members of all containers. Otherwise, the
    /// members of every container are shown in its place.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, container::ExpansionSettings, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
    /// let builder = Toolbox::builder().container(clock).expansion(ExpansionSettings::new().collapse_above(20));
    /// assert_eq!(builder.build()?.session().tools()[0].name(), "hour");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub const fn collapse_above(mut self, tools: usize) -> Self {
        self.collapse_above = Some(tools);
        self
    }

    /// Sets the policy for every way in which a model can skip the expansion of a container. This is a shorthand for
    /// [`container_arguments_policy`](Self::container_arguments_policy), [`hidden_member_policy`](Self::hidden_member_policy) and
    /// [`qualified_name_policy`](Self::qualified_name_policy).
    pub const fn unexpanded_call_policy(self, policy: UnexpandedCallPolicy) -> Self {
        self.container_arguments_policy(policy).hidden_member_policy(policy).qualified_name_policy(policy)
    }

    /// Sets the policy for calls of a container with arguments, such as `{"function": "add", "a": 5}`.
    pub const fn container_arguments_policy(mut self, policy: UnexpandedCallPolicy) -> Self {
        self.container_arguments = policy;
        self
    }

    /// Sets the policy for calls of a member by its name before its container is expanded.
    pub const fn hidden_member_policy(mut self, policy: UnexpandedCallPolicy) -> Self {
        self.hidden_member = policy;
        self
    }

    /// Sets the policy for calls of a member by a name that includes its container, before the container is expanded: `Math.add`,
    /// `math:add`, `MATH__ADD`, `add-math`. Once the container is expanded, such names always refer to the member.
    pub const fn qualified_name_policy(mut self, policy: UnexpandedCallPolicy) -> Self {
        self.qualified_name = policy;
        self
    }

    /// Keeps the definitions fixed, for hosts whose list of tools cannot change during a conversation. The answer to an expansion contains
    /// the definitions of the members, and the model calls them through an additional tool, `call_tool(tool, arguments)`.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, container::ExpansionSettings, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
    /// let session = Toolbox::builder().container(clock).expansion(ExpansionSettings::new().fixed_definitions()).build()?.session();
    /// let before = session.definitions();
    ///
    /// let expansion = pollster::block_on(session.call("call_1", "Clock", ""));
    /// assert!(expansion.to_text().contains(r#""definitions":[{"name":"hour""#));
    /// assert_eq!(session.definitions(), before);
    /// let outcome = pollster::block_on(session.call("call_2", "call_tool", r#"{"tool": "hour", "arguments": {}}"#));
    /// assert_eq!((outcome.tool_name(), &*outcome.to_text()), ("hour", "12"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub const fn fixed_definitions(mut self) -> Self {
        self.fixed_definitions = true;
        self
    }
}

/// The way in which a model gets the definitions of members, for [`ToolboxBuilder::definition_loading`](crate::toolbox::ToolboxBuilder::definition_loading).
///
/// ```
/// use tool_runtime::container::DefinitionLoading;
/// use tool_runtime::toolbox::FindTools;
/// use tool_runtime::{Container, Dialect, Toolbox, tool};
///
/// /// Tells the hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
///
/// let clock = Container::new("Clock", "Tells the time.").tool(HourTool);
/// let builder = Toolbox::builder().container(clock).for_provider(Dialect::ANTHROPIC).definition_loading(DefinitionLoading::Native);
/// let session = builder.find_tools(FindTools::new()).build()?.session();
/// let before = session.definitions().to_string();
/// assert!(before.contains(r#"{"name":"hour","#) && before.contains(r#""defer_loading":true"#));
///
/// let outcome = pollster::block_on(session.call("call_1", "find_tools", r#"{"query": "hour"}"#));
/// assert_eq!(outcome.loaded_tools(), ["hour"]);
/// assert_eq!(session.definitions().to_string(), before);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionLoading {
    /// The list of tools grows, or the answer contains the definitions if they are [fixed](ExpansionSettings::fixed_definitions).
    #[default]
    Expanded,
    /// The model sees the definitions of members after an answer has [loaded](crate::Outcome::loaded_tools) them, and the list never changes. Anthropic
    /// gets all definitions with every request; for `OpenAI`'s Responses API, the answer [contains](crate::Outcome::loaded_definitions) them.
    /// `build()` fails unless the provider of the toolbox [can load definitions](tool_schema::dialect::Dialect::defers_tools).
    Native,
    /// `Native` if the provider of the toolbox can load definitions, and otherwise `Expanded`.
    Auto,
}
