//! [`Container`]: a group of tools, made by a macro or built by a host.
//!
//! The parts keep the order in which they were added. Nothing is checked here; `build()` checks all containers together.

use std::fmt;

use super::{ContainerSource, ContainerSpec, IntoContainer, SharedTool};
use crate::shape::Text;
use crate::tool::{DisplayMetadata, PropertyFromState, Tool};

/// A named group of tools and containers that the model expands before it sees its members.
///
/// A type with `#[plugin_container]` converts into a container. For other tools, a host builds a container by hand.
///
/// ```
/// use tool_runtime::{Container, Toolbox, tool};
///
/// /// The hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
///
/// let clock = Container::new("Clock", "What a clock can do.").instructions("All times are in UTC.").tool(HourTool);
/// let session = Toolbox::builder().container(clock).build()?.session();
/// # pollster::block_on(async {
/// let expansion = session.call("call_1", "Clock", "{}").await;
/// assert!(expansion.to_text().contains("All times are in UTC."));
/// assert_eq!(session.call("call_2", "hour", "{}").await.to_text(), "12");
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Container {
    spec: ContainerSpec,
    parts: Vec<Part>,
    always_expanded: bool,
}

/// A part of a container.
#[derive(Clone)]
pub(crate) enum Part {
    Tool(SharedTool),
    Container(Box<Container>),
    /// The name of a tool or container that is registered elsewhere.
    Reference(Text),
}

impl Container {
    /// Creates a container without members.
    pub fn new(name: impl Into<Text>, description: impl Into<Text>) -> Self {
        let (name, description) = (name.into(), description.into());
        Self::from_spec(ContainerSpec {
            name,
            description,
            instructions: None,
            instructions_from: None,
            system_prompt: None,
            system_prompt_from: None,
            source: ContainerSource::Plugin,
            display_metadata: DisplayMetadata::NONE,
        })
    }

    /// Creates a skill: instructions, and references to tools that are registered elsewhere. Add these with [`add_by_name`](Self::add_by_name).
    ///
    /// ```
    /// use tool_runtime::container::ContainerSource;
    /// use tool_runtime::{Container, Toolbox, tool};
    ///
    /// /// Searches the web.
    /// #[tool]
    /// fn search() {}
    ///
    /// let web = Container::new("Web", "The web.").tool(SearchTool);
    /// let skill = Container::skill("Research", "How to research.", "Name your sources.").add_by_name("search");
    /// let session = Toolbox::builder().container(web).container(skill).build()?.session();
    ///
    /// pollster::block_on(session.call("call_1", "Research", ""));
    /// let names: Vec<_> = session.tools().iter().map(|tool| tool.name().to_owned()).collect();
    /// assert_eq!(names, ["Web", "Research", "search"]);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn skill(name: impl Into<Text>, description: impl Into<Text>, instructions: impl Into<Text>) -> Self {
        Self::new(name, description).instructions(instructions).source_label(ContainerSource::Skill)
    }

    pub(super) const fn from_spec(spec: ContainerSpec) -> Self {
        Self { spec, parts: Vec::new(), always_expanded: false }
    }

    /// Adds a member after the existing members.
    ///
    /// A tool may be a member of several containers: add the same `Arc` to each of them, or a value of a type without fields, such as the
    /// types that `#[tool]` generates. Such a tool has one name. It is visible while any of the containers is expanded, or always if it is
    /// also registered on its own.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.parts.push(Part::Tool(SharedTool::new(tool)));
        self
    }

    /// Adds an inner container. When this container is expanded, the inner container becomes visible, but stays collapsed.
    ///
    /// ```
    /// use tool_runtime::{Container, Toolbox};
    ///
    /// let writing = Container::new("Writing", "Writing of files.");
    /// let files = Container::new("Files", "All about files.").container(writing);
    /// let session = Toolbox::builder().container(files).build()?.session();
    /// assert_eq!(session.tools().len(), 1);
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert_eq!(session.tools()[1].name(), "Writing");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn container(mut self, container: impl IntoContainer) -> Self {
        self.parts.push(Part::Container(Box::new(container.into_container())));
        self
    }

    /// Adds a tool or container that is registered elsewhere. `name` is its advertised name, or `Container.member`. `build()` rejects a
    /// name that matches nothing or more than one item.
    #[must_use]
    pub fn add_by_name(mut self, name: impl Into<Text>) -> Self {
        self.parts.push(Part::Reference(name.into()));
        self
    }

    /// Sets the title and the icons that people see, and the metadata that programs read.
    #[must_use]
    pub fn display_metadata(mut self, display_metadata: DisplayMetadata) -> Self {
        self.spec.display_metadata = display_metadata;
        self
    }

    /// Sets instructions for using the members. The model sees them in the answer to the expansion.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<Text>) -> Self {
        self.spec.instructions = Some(instructions.into());
        self
    }

    /// Sets a function that computes the instructions from a state when the container is expanded.
    ///
    /// ```
    /// use tool_runtime::{Container, Toolbox};
    ///
    /// struct Root(&'static str);
    ///
    /// let files = Container::new("Files", "Reading of files.").instructions_from(|root: &Root| format!("The root is {}.", root.0));
    /// let session = Toolbox::builder().container(files).state(Root("/srv")).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "Files", ""));
    /// assert!(outcome.to_text().contains("The root is /srv."));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn instructions_from<S: Send + Sync + 'static>(
        mut self,
        instructions: impl Fn(&S) -> String + Send + Sync + 'static,
    ) -> Self {
        self.spec.instructions_from = Some(PropertyFromState::from_fn(instructions));
        self
    }

    /// Sets the text that is added to the system prompt while the container is expanded; see
    /// [`Session::instructions`](crate::Session::instructions).
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<Text>) -> Self {
        self.spec.system_prompt = Some(text.into());
        self
    }

    /// Sets a function that computes the text for the system prompt from a state, whenever the host requests it.
    #[must_use]
    pub fn system_prompt_from<S: Send + Sync + 'static>(
        mut self,
        text: impl Fn(&S) -> String + Send + Sync + 'static,
    ) -> Self {
        self.spec.system_prompt_from = Some(PropertyFromState::from_fn(text));
        self
    }

    /// Sets the label that says where the members come from.
    #[must_use]
    pub fn source_label(mut self, source: ContainerSource) -> Self {
        self.spec.source = source;
        self
    }

    /// Always shows the members in place of the container.
    ///
    /// If this container is inside another one, its members are shown with the members of the outer container.
    #[must_use]
    pub fn always_expanded(mut self) -> Self {
        self.always_expanded = true;
        self
    }

    /// Returns the description of the container.
    pub fn spec(&self) -> &ContainerSpec {
        &self.spec
    }

    pub(crate) const fn is_always_expanded(&self) -> bool {
        self.always_expanded
    }

    pub(crate) fn into_parts(self) -> (ContainerSpec, Vec<Part>) {
        (self.spec, self.parts)
    }
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |part: &Part| match part {
            Part::Tool(shared) => shared.tool.spec().name.clone(),
            Part::Container(container) => container.spec.name.clone(),
            Part::Reference(name) => name.clone(),
        };
        let members: Vec<_> = self.parts.iter().map(name).collect();
        f.debug_struct("Container").field("name", &self.spec.name).field("members", &members).finish_non_exhaustive()
    }
}
