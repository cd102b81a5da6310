//! How containers expand, and what becomes of calls that do without.
//!
//! In: a scope, a number, policies. Out: the builder with them. What always holds: without any of them a container is collapsed until it
//! is called, stays expanded for the session, and nothing is run that the model could not see.

use super::ToolboxBuilder;
use crate::container::{ExpansionPolicy, ExpansionScope};

impl ToolboxBuilder {
    /// Says how long an expansion lasts; to the end of the session unless this says otherwise.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionScope};
    /// assert!(Toolbox::builder().expansion_scope(ExpansionScope::AtMost(2)).build().is_ok());
    /// assert!(Toolbox::builder().expansion_scope(ExpansionScope::AtMost(0)).build().is_err());
    /// ```
    pub fn expansion_scope(mut self, scope: ExpansionScope) -> Self {
        self.settings.expansion_scope = scope;
        self
    }

    /// Collapses containers only where there are more tools than this, all members counted; with fewer, every container is shown as
    /// its members.
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

    /// Says what is done where a model does something else instead of expanding a container: all that follows, at once.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionPolicy};
    /// assert!(Toolbox::builder().expansion_policy(ExpansionPolicy::ExpandAndRun).build().is_ok());
    /// ```
    pub fn expansion_policy(self, policy: ExpansionPolicy) -> Self {
        self.on_container_arguments(policy).on_hidden_member(policy).on_qualified_name(policy)
    }

    /// A container was called with arguments: `{"function": "add", "a": 5}`, or any others.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox, container::ExpansionPolicy};
    /// let files = Container::new("Files", "Reading of files.");
    /// let builder = Toolbox::builder().container(files).on_container_arguments(ExpansionPolicy::Expand);
    /// let session = builder.build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "Files", r#"{"path": "a"}"#)).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn on_container_arguments(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.container_arguments = policy;
        self
    }

    /// A member was called by its name before its container was expanded.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionPolicy};
    /// assert!(Toolbox::builder().on_hidden_member(ExpansionPolicy::ExpandAndRun).build().is_ok());
    /// ```
    pub fn on_hidden_member(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.hidden_member = policy;
        self
    }

    /// A member was called together with its container before that was expanded: `Math.add`, `math:add`, `MATH__ADD`, `add-math`. Once
    /// it is expanded, such a name is read as the member's in any case.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionPolicy};
    /// assert!(Toolbox::builder().on_qualified_name(ExpansionPolicy::ExpandAndRun).build().is_ok());
    /// ```
    pub fn on_qualified_name(mut self, policy: ExpansionPolicy) -> Self {
        self.settings.policies.qualified_name = policy;
        self
    }

    /// For hosts whose list of tools cannot change during a conversation: the definitions stay what they are, an expansion carries those of
    /// the members, and one more tool, `call_tool(tool, arguments)`, reaches them.
    ///
    /// ```
    /// # use tool_runtime::{Container, Format, Toolbox, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
    /// let session = Toolbox::builder().container(clock).fixed_definitions().build()?.session();
    /// let before = session.definitions(Format::OpenAi);
    ///
    /// let expansion = pollster::block_on(session.call("call_1", "Clock", ""));
    /// assert!(expansion.to_text().contains(r#""definitions":[{"name":"hour""#));
    /// assert_eq!(session.definitions(Format::OpenAi), before);
    /// let outcome = pollster::block_on(session.call("call_2", "call_tool", r#"{"tool": "hour", "arguments": {}}"#));
    /// assert_eq!((outcome.tool(), &*outcome.to_text()), ("hour", "12"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn fixed_definitions(mut self) -> Self {
        self.settings.fixed_definitions = true;
        self
    }
}
