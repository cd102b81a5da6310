//! [`Toolbox`], the registered tools, containers and state. It is built once and shared by all sessions.
//!
//! Invariants: a toolbox never changes, each tool has one advertised name of its own, and all required state is present. A session may
//! be given another toolbox.

mod builder;
mod call_tool_spec;
mod catalog;
mod check_argument_types;
mod error;
mod item;
mod qualified_names;
mod read_result;
mod register;
mod rendered_definitions;
mod throttle_numbering;
mod time_limit_and_retries;

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use crate::context::States;
pub use crate::feedback::FeedbackForm;
pub use crate::result_guard::{Guard, OutputSchemaCompiler, OutputValidator};
pub use crate::search::{FindTools, RankingRequest, ToolCandidate};
pub use crate::spill::{InMemoryResultStore, ResultKey, ResultStore};
pub use builder::ToolboxBuilder;
pub(crate) use call_tool_spec::{CALL_TOOL, GUARDED_INPUT};
pub(crate) use catalog::{Catalog, Entry};
pub use error::{BuildError, MissingSessionState, RegistrationError};
pub(crate) use item::Item;
pub(crate) use rendered_definitions::{Advertisement, RenderedDialects, RenderedTools};
pub(crate) use time_limit_and_retries::TimeLimitAndRetries;
pub use tool_schema::dialect::Strictness;

use crate::clock::{Clock, CoarseClock, SystemClock};
use crate::container::ExpansionSettings;
use crate::event::Observer;
use crate::hook::BeforeCall;
use crate::shape::RepairPolicy;
use crate::throttle;
use crate::tool::{RequiredState, Tool};

/// Work for another thread, passed to a [spawner](ToolboxBuilder::blocking_spawner).
pub type BlockingWork = Box<dyn FnOnce() + Send>;

/// A function of the host that replaces texts of the throttle.
pub(crate) type ThrottleTexts = dyn Fn(&throttle::ReplaceableThrottleText<'_>) -> Option<String> + Send + Sync;

/// The registered tools, containers and state. It is immutable and cheap to clone.
///
/// ```
/// use tool_runtime::{Container, Toolbox};
///
/// let toolbox = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?;
/// let (first, second) = (toolbox.session(), toolbox.session());
/// pollster::block_on(first.call("call_1", "Files", "{}"));
/// assert!(first.is_expanded("Files") && !second.is_expanded("Files"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
///
/// `S` is `()` if its sessions need no state of their own, and [`NeedsSessionState`] if they do.
pub struct Toolbox<S = ()>(Arc<Parts>, PhantomData<fn() -> S>);

/// Marks a [`Toolbox`] whose sessions need states of their own, which [`require_session_state`](ToolboxBuilder::require_session_state) declares. It has no
/// [`session`](Toolbox::session), so a forgotten state is an error of the compiler. Every other toolbox can be [converted](From) to one.
///
/// ```
/// use tool_runtime::toolbox::{BuildError, NeedsSessionState, Toolbox};
///
/// struct User(&'static str);
///
/// fn toolbox() -> Result<Toolbox<NeedsSessionState>, BuildError> {
///     Toolbox::builder().require_session_state::<User>().build()
/// }
///
/// let session = toolbox()?.session_with(User("Ada"))?;
/// assert!(toolbox()?.session_with(7).unwrap_err().to_string().contains("User"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum NeedsSessionState {}

pub(crate) struct Parts {
    pub(crate) catalog: Catalog,
    pub(crate) shared: Arc<States>,
    pub(crate) settings: Settings,
    /// The forms in which the tools are advertised.
    pub(crate) providers: RenderedDialects,
    /// The limits for unproductive calls; `None` if the throttle is disabled.
    pub(crate) throttle: Option<Arc<throttle::ThrottlePolicy>>,
}

/// The settings of the host that sessions use.
pub(crate) struct Settings {
    pub(crate) session_states: Vec<RequiredState>,
    pub(crate) show_errors: bool,
    pub(crate) policy: RepairPolicy,
    pub(crate) feedback: FeedbackForm,
    pub(crate) hooks: Vec<Box<dyn BeforeCall>>,
    pub(crate) observer: Option<Box<dyn Observer>>,
    pub(crate) clock: Arc<dyn Clock>,
    /// The cheap clock of the throttle, whose rules need no precise time; `None` once the host has set a clock, which the throttle then
    /// uses.
    pub(crate) throttle_clock: Option<Arc<dyn Clock>>,
    /// The function that replaces texts of the throttle.
    pub(crate) throttle_texts: Option<Box<ThrottleTexts>>,
    #[cfg(feature = "tracing")]
    pub(crate) tracing: crate::event::TracingSettings,
    pub(crate) spawner: Option<Box<dyn Fn(BlockingWork) + Send + Sync>>,
    /// The maximum number of calls of a batch that run at the same time; `None` if it is unlimited.
    pub(crate) max_concurrency: Option<usize>,
    pub(crate) expansion: ExpansionSettings,
    /// `true` if the provider loads the definitions of members.
    pub(crate) is_native: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session_states: Vec::new(),
            show_errors: true,
            policy: RepairPolicy::default(),
            feedback: FeedbackForm::default(),
            hooks: Vec::new(),
            observer: None,
            clock: Arc::new(SystemClock::new()),
            throttle_clock: Some(Arc::new(CoarseClock::new())),
            throttle_texts: None,
            #[cfg(feature = "tracing")]
            tracing: crate::event::TracingSettings::new(),
            spawner: None,
            max_concurrency: None,
            expansion: ExpansionSettings::new(),
            is_native: false,
        }
    }
}

impl Toolbox {
    /// Creates a builder.
    pub fn builder() -> ToolboxBuilder {
        ToolboxBuilder::default()
    }
}

impl<S> Toolbox<S> {
    fn from_parts(parts: Arc<Parts>) -> Self {
        Self(parts, PhantomData)
    }

    /// Returns every tool with the name under which it is advertised, visible or not: tools, members of containers, and built-in tools such
    /// as `read_result`.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, plugin_container, tool};
    ///
    /// struct Clock;
    ///
    /// /// Tells the time.
    /// #[plugin_container]
    /// impl Clock {
    ///     /// The hour of the day.
    ///     #[tool(read_only)]
    ///     fn hour(&self) -> u8 {
    ///         12
    ///     }
    /// }
    ///
    /// let toolbox = Toolbox::builder().container(Clock).build()?;
    /// let read_only: Vec<_> = toolbox.tools().filter(|(_, tool)| tool.spec().settings.annotations.read_only == Some(true)).collect();
    /// assert_eq!(read_only[0].0, "hour");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Arc<dyn Tool>)> {
        self.0.catalog.tools.iter().map(|entry| (&*entry.name, &entry.tool))
    }

    /// Returns the tool that is advertised under exactly this name, visible or not.
    pub fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        match self.0.catalog.find(name) {
            Some(Item::Tool(index)) => Some(Arc::clone(&self.0.catalog.tools[index].tool)),
            _ => None,
        }
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }

    /// Returns the same toolbox, without a way to begin a session without states.
    pub(crate) fn erased(&self) -> Toolbox<NeedsSessionState> {
        Toolbox::from_parts(Arc::clone(&self.0))
    }

    /// Returns `true` if both are handles of the same toolbox.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Checks that a session has every state that it must provide.
    pub(crate) fn check_states(&self, states: &States) -> Result<(), MissingSessionState> {
        let lacks = |key: &&RequiredState| !states.contains((key.id)());
        let names: Vec<_> = self.0.settings.session_states.iter().filter(lacks).map(|key| (key.name)()).collect();
        if names.is_empty() { Ok(()) } else { Err(MissingSessionState { names }) }
    }
}

impl<S> Clone for Toolbox<S> {
    fn clone(&self) -> Self {
        Self::from_parts(Arc::clone(&self.0))
    }
}

impl From<Toolbox> for Toolbox<NeedsSessionState> {
    fn from(toolbox: Toolbox) -> Self {
        Self::from_parts(toolbox.0)
    }
}

impl<S> From<&Toolbox<S>> for Toolbox<NeedsSessionState> {
    fn from(toolbox: &Toolbox<S>) -> Self {
        toolbox.erased()
    }
}

impl<S> fmt::Debug for Toolbox<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.catalog.tools.iter().map(|entry| &entry.name).collect();
        f.debug_struct("Toolbox").field("tools", &names).finish_non_exhaustive()
    }
}

/// Returns `true` if sessions provide this state.
fn is_declared(keys: &[RequiredState], id: TypeId) -> bool {
    keys.iter().any(|key| (key.id)() == id)
}
