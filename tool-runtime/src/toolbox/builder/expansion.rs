//! Settings for the expansion of containers.
//!
//! By default, containers are collapsed until they are called, and then stay expanded for the session. Calls of members that the model
//! cannot see are not run.

use super::ToolboxBuilder;
use crate::container::{DeferLoading, ExpansionPolicy, ExpansionScope};
use crate::search::FindTools;

impl ToolboxBuilder {
    /// Sets how long an expansion lasts. By default, it lasts until the end of the session.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, container::ExpansionScope};
    /// let builder = Toolbox::builder().expansion_scope(ExpansionScope::AtMost(1));
    /// let (files, mail) = (Container::new("Files", "Reads files."), Container::new("Mail", "Sends mail."));
    /// let session = builder.container(files).container(mail).build()?.session();
    /// # pollster::block_on(async {
    /// session.call("call_1", "Files", "{}").await;
    /// session.call("call_2", "Mail", "{}").await;
    /// # });
    /// assert!(session.is_expanded("Mail") && !session.is_expanded("Files"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn expansion_scope(mut self, scope: ExpansionScope) -> Self {
        self.settings.expansion_scope = scope;
        self
    }

    /// Collapses containers only if the toolbox has more tools than this number, including the members of all containers. Otherwise, the
    /// members of every container are shown in its place.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
    /// let session = Toolbox::builder().container(clock).collapse_above(20).build()?.session();
    /// assert_eq!(session.tools()[0].name(), "hour");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn collapse_above(mut self, tools: usize) -> Self {
        self.collapse_above = Some(tools);
        self
    }

    /// Sets the policy for every way in which a model can skip the expansion of a container. This is a shorthand for
    /// [`on_container_arguments`](Self::on_container_arguments), [`on_hidden_member`](Self::on_hidden_member) and
    /// [`on_qualified_name`](Self::on_qualified_name).
    pub fn expansion_policy(self, policy: ExpansionPolicy) -> Self {
        self.on_container_arguments(policy).on_hidden_member(policy).on_qualified_name(policy)
    }

    /// Sets the policy for calls of a container with arguments, such as `{"function": "add", "a": 5}`.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, container::ExpansionPolicy};
    /// let files = Container::new("Files", "Reading of files.");
    /// let builder = Toolbox::builder().container(files).on_container_arguments(ExpansionPolicy::Expand);
    /// let session = builder.build()?.session();
    /// pollster::block_on(session.call("call_1", "Files", r#"{"path": "a"}"#));
    /// assert!(session.is_expanded("Files"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn on_container_arguments(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.container_arguments = policy;
        self
    }

    /// Sets the policy for calls of a member by its name before its container is expanded.
    pub fn on_hidden_member(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.hidden_member = policy;
        self
    }

    /// Sets the policy for calls of a member by a name that includes its container, before the container is expanded: `Math.add`,
    /// `math:add`, `MATH__ADD`, `add-math`. Once the container is expanded, such names always refer to the member.
    pub fn on_qualified_name(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.qualified_name = policy;
        self
    }

    /// Adds a tool with which the model searches the members of containers. The found tools become visible. If no container hides its
    /// members, the tool is left out. [`FindTools`] has an example.
    pub fn find_tools(mut self, find: FindTools) -> Self {
        self.find_tools = Some(find);
        self
    }

    /// Sets the way in which the model gets the definitions of members. [`DeferLoading`] has an example. If the provider loads definitions itself,
    /// [`fixed_definitions`](Self::fixed_definitions) has no effect, because the list never changes anyway.
    pub fn defer_loading(mut self, deferral: DeferLoading) -> Self {
        self.deferral = deferral;
        self
    }

    /// Keeps the definitions fixed, for hosts whose list of tools cannot change during a conversation. The answer to an expansion contains
    /// the definitions of the members, and the model calls them through an additional tool, `call_tool(tool, arguments)`.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
    /// let session = Toolbox::builder().container(clock).fixed_definitions().build()?.session();
    /// let before = session.definitions();
    ///
    /// let expansion = pollster::block_on(session.call("call_1", "Clock", ""));
    /// assert!(expansion.to_text().contains(r#""definitions":[{"name":"hour""#));
    /// assert_eq!(session.definitions(), before);
    /// let outcome = pollster::block_on(session.call("call_2", "call_tool", r#"{"tool": "hour", "arguments": {}}"#));
    /// assert_eq!((outcome.tool(), &*outcome.to_text()), ("hour", "12"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn fixed_definitions(mut self) -> Self {
        self.settings.fixed_definitions = true;
        self
    }
}
