//! [`ToolboxBuilder`], which collects tools, containers, state and settings.
//!
//! `build()` checks everything at once. No method before it checks anything.

mod build;
mod expansion;
mod provider;
mod settings;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::rendered_definitions::ToolPreferences;
use super::time_limit_and_retries::RunLimits;
use super::{NeedsSessionState, RegistrationError, Settings};
use crate::container::{Container, DefinitionLoading, IntoContainer, SharedTool};
use crate::context::States;
use crate::result_guard::{GuardPerTool, OutputSchemaCompiler};
use crate::search::FindTools;
use crate::throttle::SessionLimits;
use crate::tool::{RequiredState, Tool};

/// A toolbox under construction, created by [`Toolbox::builder`](crate::Toolbox::builder).
///
/// ```
/// use tool_runtime::{Toolbox, tool};
///
/// struct Db(&'static str);
///
/// /// Lists the tables.
/// #[tool]
/// fn tables(#[tool(state)] db: &Db) -> String {
///     db.0.to_owned()
/// }
///
/// let session = Toolbox::builder().tool(TablesTool).state(Db("users")).build()?.session();
/// assert_eq!(pollster::block_on(session.call("call_1", "tables", "{}")).to_text(), "users");
///
/// let error = Toolbox::builder().tool(TablesTool).build().unwrap_err();
/// assert!(error.to_string().contains("Db"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[must_use = "nothing is registered before `build()`"]
pub struct ToolboxBuilder<S = ()> {
    registered: Vec<Registered>,
    shared: States,
    pub(super) settings: Settings,
    responses: GuardPerTool,
    output_check: Option<Arc<dyn OutputSchemaCompiler>>,
    find_tools: Option<FindTools>,
    deferral: DefinitionLoading,
    limits: Option<SessionLimits>,
    run_limits: RunLimits,
    preferences: ToolPreferences,
    errors: Vec<RegistrationError>,
    sessions: PhantomData<fn() -> S>,
}

pub(super) enum Registered {
    Tool(SharedTool),
    Container(Box<Container>),
}

impl Default for ToolboxBuilder {
    fn default() -> Self {
        Self {
            registered: Vec::new(),
            shared: States::new(),
            settings: Settings::default(),
            responses: GuardPerTool::default(),
            output_check: None,
            find_tools: None,
            deferral: DefinitionLoading::default(),
            limits: Some(SessionLimits::default()),
            run_limits: RunLimits::default(),
            preferences: ToolPreferences::default(),
            errors: Vec::new(),
            sessions: PhantomData,
        }
    }
}

impl<S> ToolboxBuilder<S> {
    /// Adds a tool that the model sees from the beginning.
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.registered.push(Registered::Tool(SharedTool::new(tool)));
        self
    }

    /// Adds a container: a value whose type has `#[plugin_container]`, an `Arc` of such a value, or a [`Container`].
    pub fn container(mut self, container: impl IntoContainer) -> Self {
        self.registered.push(Registered::Container(Box::new(container.into_container())));
        self
    }

    /// Adds the members of a container as tools that the model sees from the beginning. The container itself is not a tool.
    ///
    /// It is the way for tools that are methods and share a value. The names, the description and the texts of the container are the same as
    /// with [`always_expanded`](Container::always_expanded).
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// use tool_runtime::{Toolbox, plugin_container, tool};
    ///
    /// #[derive(Default)]
    /// struct Counter(AtomicU32);
    ///
    /// #[plugin_container(undocumented)]
    /// impl Counter {
    ///     /// Counts one more.
    ///     #[tool]
    ///     fn count(&self) -> u32 {
    ///         self.0.fetch_add(1, Ordering::Relaxed) + 1
    ///     }
    /// }
    ///
    /// let session = Toolbox::builder().tools(Counter::default()).build()?.session();
    /// assert_eq!(session.tools()[0].name(), "count");
    /// assert_eq!(pollster::block_on(session.call("call_1", "count", "{}")).to_text(), "1");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tools(self, container: impl IntoContainer) -> Self {
        self.container(container.into_container().always_expanded())
    }

    /// Shares a value with every call, for parameters such as `#[tool(state)] db: &Db`. Each type can be shared once.
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        if !self.shared.insert(state) {
            self.errors.push(RegistrationError::DuplicateState { state: std::any::type_name::<T>() });
        }
        self
    }

    /// Declares a state that every session provides with [`Toolbox::session_with`](crate::Toolbox::session_with). The toolbox then has no
    /// [`session`](crate::Toolbox::session).
    pub fn require_session_state<T: Send + Sync + 'static>(mut self) -> ToolboxBuilder<NeedsSessionState> {
        self.settings.session_states.push(RequiredState::of::<T>());
        let Self { registered, shared, settings, responses, output_check, find_tools, .. } = self;
        let Self { deferral, limits, run_limits, preferences, errors, .. } = self;
        ToolboxBuilder {
            registered,
            shared,
            settings,
            responses,
            output_check,
            find_tools,
            deferral,
            limits,
            run_limits,
            preferences,
            errors,
            sessions: PhantomData,
        }
    }
}

impl<S> fmt::Debug for ToolboxBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolboxBuilder").field("registered", &self.registered.len()).finish_non_exhaustive()
    }
}
