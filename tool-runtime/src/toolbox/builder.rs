//! From registrations to a [`Toolbox`]: [`ToolboxBuilder`].
//!
//! In: tools, containers, state, spawner, observer, in any order. Out: a toolbox, or every problem of the registration. What always
//! holds: `build()` renders no schema and compiles no pattern but one that a default or an example stands beside, and its cost grows with
//! the number of tools, not faster.

use std::fmt;
use std::sync::Arc;

use super::catalog::{Catalog, Item};
use super::inspect::Inspector;
use super::register::register;
use super::watch::RunLimits;
use super::{BuildError, Parts, Problem, Toolbox, Work, is_declared};
use crate::clock::{Clock, SystemClock};
use crate::container::{
    Container, ContainerSpec, ExpansionPolicy, ExpansionScope, IntoContainer, Policies, SharedTool,
};
use crate::context::States;
use crate::event::Observer;
use crate::feedback::Form;
use crate::hook::BeforeCall;
use crate::response::{Guard, Guards};
use crate::shape::Policy;
use crate::throttle::Limits;
use crate::tool::{FromState, StateKey, Tool, ToolSpec};

/// A toolbox that is being filled; from [`Toolbox::builder`].
///
/// ```
/// use tool_runtime::Toolbox;
///
/// struct Db;
///
/// let builder = Toolbox::builder().state(Db).show_errors(false);
/// assert!(builder.build().is_ok());
/// ```
#[must_use = "nothing is registered before `build()`"]
pub struct ToolboxBuilder {
    registered: Vec<Registered>,
    shared: States,
    session_states: Vec<StateKey>,
    show_errors: bool,
    policy: Policy,
    feedback: Form,
    hooks: Vec<Box<dyn BeforeCall>>,
    observer: Option<Box<dyn Observer>>,
    clock: Arc<dyn Clock>,
    responses: Guards,
    #[cfg(feature = "tracing")]
    tracing: crate::event::Tracing,
    spawner: Option<Box<dyn Fn(Work) + Send + Sync>>,
    expansion_scope: ExpansionScope,
    collapse_above: Option<usize>,
    policies: Policies,
    fixed_definitions: bool,
    limits: Option<Limits>,
    pub(super) run_limits: RunLimits,
    pub(super) max_concurrency: Option<usize>,
    problems: Vec<Problem>,
}

pub(super) enum Registered {
    Tool(SharedTool),
    Container(Container),
}

impl Default for ToolboxBuilder {
    fn default() -> Self {
        Self {
            registered: Vec::new(),
            shared: States::new(),
            session_states: Vec::new(),
            show_errors: true,
            policy: Policy::default(),
            feedback: Form::default(),
            hooks: Vec::new(),
            observer: None,
            clock: Arc::new(SystemClock::new()),
            responses: Guards::default(),
            #[cfg(feature = "tracing")]
            tracing: crate::event::Tracing::new(),
            spawner: None,
            expansion_scope: ExpansionScope::Session,
            collapse_above: None,
            policies: Policies::default(),
            fixed_definitions: false,
            limits: Some(Limits::default()),
            run_limits: RunLimits::default(),
            max_concurrency: None,
            problems: Vec::new(),
        }
    }
}

impl ToolboxBuilder {
    /// Adds a tool that the model sees from the beginning.
    ///
    /// ```
    /// # use tool_runtime::{CallContext, Toolbox, input::Arguments, shape::{Ref, Shape}, tool::{Invocation, Payload, Tool, ToolSpec}};
    /// struct Ping(ToolSpec);
    ///
    /// impl Tool for Ping {
    ///     fn spec(&self) -> &ToolSpec {
    ///         &self.0
    ///     }
    ///     fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> Invocation<'a> {
    ///         Invocation::Ready(Ok(Payload::Done))
    ///     }
    /// }
    /// let ping = Ping(ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY)));
    /// assert!(Toolbox::builder().tool(ping).build().is_ok());
    /// ```
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.registered.push(Registered::Tool(SharedTool::new(tool)));
        self
    }

    /// Adds a container: a value whose type has `#[plugin_container]`, the same in an `Arc`, or a [`Container`].
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// assert!(Toolbox::builder().container(Container::new("Files", "Reading of files.")).build().is_ok());
    /// ```
    pub fn container(mut self, container: impl IntoContainer) -> Self {
        self.registered.push(Registered::Container(container.into_container()));
        self
    }

    /// Shares a value with every call: `#[tool(state)] db: &Db`.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// struct Db;
    /// assert!(Toolbox::builder().state(Db).build().is_ok());
    /// assert!(Toolbox::builder().state(Db).state(Db).build().is_err());
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        if !self.shared.insert(state) {
            self.problems.push(Problem::DuplicateState { state: std::any::type_name::<T>() });
        }
        self
    }

    /// Declares a state that every session brings: [`Toolbox::session_with`].
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// struct User;
    /// let toolbox = Toolbox::builder().session_state::<User>().build()?;
    /// assert!(toolbox.session_with(User).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn session_state<T: Send + Sync + 'static>(mut self) -> Self {
        self.session_states.push(StateKey::of::<T>());
        self
    }

    /// Whether the model reads the `Display` of an error that is no [`ToolError`](crate::ToolError); it does unless this is `false`.
    /// A tool that says so itself (`#[tool(errors = "hidden")]`) is not overruled.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().show_errors(false).build().is_ok());
    /// ```
    pub fn show_errors(mut self, show_errors: bool) -> Self {
        self.show_errors = show_errors;
        self
    }

    /// How much of refused arguments may be read otherwise than they were written; [`Policy::Lossless`] unless this says otherwise. A tool
    /// or a field that says so itself (`#[tool(repair = "strict")]`) is not overruled.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, repair::Policy};
    ///
    /// assert!(Toolbox::builder().policy(Policy::Strict).build().is_ok());
    /// ```
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Says how a model is told what is wrong with its arguments: wire JSON unless another [`Form`] is chosen here.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, feedback::Form};
    ///
    /// assert!(Toolbox::builder().feedback(Form::Markdown).build().is_ok());
    /// ```
    pub fn feedback(mut self, form: Form) -> Self {
        self.feedback = form;
        self
    }

    /// Says where `#[tool(blocking)]` tools run; with tokio, `|work| { tokio::task::spawn_blocking(work); }`.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let toolbox = Toolbox::builder().spawner(|work| {
    ///     std::thread::spawn(work);
    /// });
    /// assert!(toolbox.build().is_ok());
    /// ```
    pub fn spawner(mut self, spawner: impl Fn(Work) + Send + Sync + 'static) -> Self {
        self.spawner = Some(Box::new(spawner));
        self
    }

    /// Asks before a tool runs; see [`BeforeCall`]. Of several hooks each is asked in this order, until one does not say
    /// [`Decision::Run`](crate::hook::Decision::Run). With a hook, the arguments of a call are decoded twice.
    ///
    /// ```
    /// use tool_runtime::Toolbox;
    /// use tool_runtime::hook::{Decision, ProposedCall};
    ///
    /// let hook = |call: &ProposedCall<'_>| match call.spec().annotations.destructive {
    ///     Some(true) => Decision::Defer,
    ///     _ => Decision::Run,
    /// };
    /// assert!(Toolbox::builder().before_call(hook).build().is_ok());
    /// ```
    pub fn before_call(mut self, hook: impl BeforeCall) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Sets who learns of every decision. Without one, nothing is recorded and nothing is paid.
    ///
    /// ```
    /// # use tool_runtime::{Observer, ToolEvent, Toolbox};
    /// struct Log;
    ///
    /// impl Observer for Log {
    ///     fn event(&self, event: &ToolEvent<'_>) {
    ///         eprintln!("{event:?}");
    ///     }
    /// }
    /// assert!(Toolbox::builder().observer(Log).build().is_ok());
    /// ```
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Says what is doubtful about results, and what is done about it; warnings only, unless this says otherwise.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, response::Guard};
    ///
    /// let guard = Guard::new().large(Some(20_000)).cut_to(Some(50_000));
    /// assert!(Toolbox::builder().response(guard).build().is_ok());
    /// ```
    pub fn response(mut self, guard: Guard) -> Self {
        self.responses.set(guard);
        self
    }

    /// The same for one tool, in place of what holds for all; by its advertised name.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, response::Guard, tool};
    ///
    /// /// What there is to do.
    /// #[tool]
    /// fn tasks() -> Vec<String> {
    ///     Vec::new()
    /// }
    /// let builder = Toolbox::builder().tool(TasksTool).response_of("tasks", Guard::new().empty(false));
    /// let session = builder.build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "tasks", "")).warnings().is_empty());
    /// assert!(Toolbox::builder().response_of("task", Guard::OFF).build().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn response_of(mut self, tool: impl Into<String>, guard: Guard) -> Self {
        self.responses.set_for(tool.into(), guard);
        self
    }

    /// Sets where the time comes from; the machine's unless a test or a replay brings one of its own.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, clock::SimulatedClock};
    ///
    /// assert!(Toolbox::builder().clock(SimulatedClock::new()).build().is_ok());
    /// ```
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Says what spans and events hold besides names and kinds: nothing unless it is asked for here.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, event::Tracing};
    ///
    /// assert!(Toolbox::builder().tracing(Tracing::new().arguments(true)).build().is_ok());
    /// ```
    #[cfg(feature = "tracing")]
    pub fn tracing(mut self, tracing: crate::event::Tracing) -> Self {
        self.tracing = tracing;
        self
    }

    /// Says how long an expansion lasts; to the end of the session unless this says otherwise.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionScope};
    /// assert!(Toolbox::builder().expansion_scope(ExpansionScope::AtMost(2)).build().is_ok());
    /// assert!(Toolbox::builder().expansion_scope(ExpansionScope::AtMost(0)).build().is_err());
    /// ```
    pub fn expansion_scope(mut self, scope: ExpansionScope) -> Self {
        self.expansion_scope = scope;
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
        self.policies.container_arguments = policy;
        self
    }

    /// A member was called by its name before its container was expanded.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, container::ExpansionPolicy};
    /// assert!(Toolbox::builder().on_hidden_member(ExpansionPolicy::ExpandAndRun).build().is_ok());
    /// ```
    pub fn on_hidden_member(mut self, policy: ExpansionPolicy) -> Self {
        self.policies.hidden_member = policy;
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
        self.policies.qualified_name = policy;
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
        self.fixed_definitions = true;
        self
    }

    /// Says when calls that lead nowhere are paused; every session has the default [`Limits`] unless this says otherwise.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, throttle::Limits};
    /// let mut limits = Limits::default();
    /// limits.run_budget = Some(40);
    /// assert!(Toolbox::builder().throttle(limits).build().is_ok());
    /// ```
    pub fn throttle(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// No call is ever paused, and nothing is counted: a session has no [`statistics`](crate::Session::statistics). With
    /// [`throttle`](Self::throttle) and [`Limits::NONE`] nothing is paused either, and all is counted.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().no_throttle().build()?.session();
    /// for _ in 0..100 {
    ///     let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    ///     assert!(outcome.to_text().contains("unknown_tool"));
    /// }
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn no_throttle(mut self) -> Self {
        self.limits = None;
        self
    }

    /// Judges the registration as a whole.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().build()?.session().tools().is_empty());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every [`Problem`] there is: clashes of names, state that is missing, a blocking tool without a spawner, a limit that the clock would never tell, and what the compiler could
    /// not see of the arguments: defaults and examples that are not acceptable, flattened fields that lose keys, untagged variants that may
    /// be mistaken for each other. Of a type that several tools use, the first of them is named.
    pub fn build(mut self) -> Result<Toolbox, BuildError> {
        let registered = std::mem::take(&mut self.registered);
        if self.expansion_scope == ExpansionScope::AtMost(0) {
            self.problems.push(Problem::NothingMayExpand);
        }
        let mut catalog = register(registered, self.collapse_above, self.fixed_definitions, &mut self.problems);
        let is_no_tool = |name: &&str| !matches!(catalog.find(name), Some(Item::Tool(_)));
        let guarded = self.responses.names().filter(is_no_tool);
        self.problems.extend(guarded.map(|name| Problem::NoSuchTool { name: name.to_owned() }));
        self.judge(&catalog);
        self.run_limits.apply(&mut catalog, &*self.clock, &mut self.problems);
        catalog.settle(&self.responses, !self.hooks.is_empty());
        let Self {
            shared,
            session_states,
            show_errors,
            policy,
            feedback,
            hooks,
            observer,
            clock,
            #[cfg(feature = "tracing")]
            tracing,
            spawner,
            expansion_scope,
            policies,
            fixed_definitions,
            max_concurrency,
            limits,
            problems,
            ..
        } = self;
        BuildError::of(problems)?;
        let throttle = limits.map(|limits| Arc::new(catalog.throttled(&limits)));
        let shared = Arc::new(shared);
        Ok(Toolbox(Arc::new(Parts {
            catalog,
            shared,
            session_states,
            show_errors,
            policy,
            feedback,
            hooks,
            observer,
            clock,
            #[cfg(feature = "tracing")]
            tracing,
            spawner,
            max_concurrency,
            expansion_scope,
            policies,
            fixed_definitions,
            throttle,
        })))
    }

    /// Notes a state that nobody brings.
    fn need(&mut self, whose: &str, key: StateKey) {
        let id = (key.id)();
        if !self.shared.contains(id) && !is_declared(&self.session_states, id) {
            self.problems.push(Problem::MissingState { tool: whose.to_owned(), state: (key.name)() });
        }
    }

    /// What each tool and container needs besides a name of its own.
    fn judge(&mut self, catalog: &Catalog) {
        let mut inspector = Inspector::default();
        for ContainerSpec { name, instructions_from, system_prompt_from, .. } in
            catalog.containers.iter().map(|group| &group.spec)
        {
            for text in [instructions_from, system_prompt_from].into_iter().flatten() {
                self.need(name, text.state());
            }
        }
        for entry in &catalog.tools {
            let tool = || entry.name.to_string();
            let spec = entry.tool.spec();
            let ToolSpec { state, blocking, verify, .. } = spec;
            for key in state {
                self.need(&entry.name, *key);
            }
            if let Some(Err(problem)) = verify.map(|verify| verify()) {
                self.problems.push(Problem::Literal { tool: tool(), problem });
            }
            for key in spec
                .available_if
                .iter()
                .map(FromState::state)
                .chain(spec.enum_from.iter().map(|choice| choice.names.state()))
            {
                self.need(&entry.name, key);
            }
            if let Some(parameter) = spec.without_choice() {
                self.problems.push(Problem::NoChoice { tool: tool(), parameter: parameter.to_string() });
            }
            inspector.inspect(&entry.name, spec, &mut self.problems);
            if *blocking && self.spawner.is_none() {
                self.problems.push(Problem::NoSpawner { tool: tool() });
            }
        }
    }
}

impl fmt::Debug for ToolboxBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolboxBuilder").field("registered", &self.registered.len()).finish_non_exhaustive()
    }
}
