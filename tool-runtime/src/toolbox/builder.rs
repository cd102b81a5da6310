//! From registrations to a [`Toolbox`]: [`ToolboxBuilder`].
//!
//! In: tools, containers, state, spawner, observer, in any order. Out: a toolbox, or every problem of the registration. What always
//! holds: `build()` renders no schema and compiles no pattern but one that a default or an example stands beside, and its cost grows with
//! the number of tools, not faster.

use std::fmt;
use std::sync::Arc;

use super::catalog::{self, Catalog};
use super::inspect::Inspector;
use super::{BuildError, Parts, Problem, Toolbox, Work, is_declared};
use crate::container::{Container, IntoContainer};
use crate::context::States;
use crate::event::Observer;
use crate::feedback::Form;
use crate::tool::{StateKey, Tool, ToolSpec};

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
    feedback: Form,
    observer: Option<Box<dyn Observer>>,
    spawner: Option<Box<dyn Fn(Work) + Send + Sync>>,
    problems: Vec<Problem>,
}

pub(super) enum Registered {
    Tool(Arc<dyn Tool>),
    Container(Container),
}

impl Default for ToolboxBuilder {
    fn default() -> Self {
        Self {
            registered: Vec::new(),
            shared: States::new(),
            session_states: Vec::new(),
            show_errors: true,
            feedback: Form::default(),
            observer: None,
            spawner: None,
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
        self.registered.push(Registered::Tool(Arc::new(tool)));
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

    /// Judges the registration as a whole.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().build()?.session().tools().is_empty());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every [`Problem`] there is: clashes of names, state that is missing, a blocking tool without a spawner, and what the compiler could
    /// not see of the arguments: defaults and examples that are not acceptable, flattened fields that lose keys, untagged variants that may
    /// be mistaken for each other. Of a type that several tools use, the first of them is named.
    pub fn build(mut self) -> Result<Toolbox, BuildError> {
        let registered = std::mem::take(&mut self.registered);
        let catalog = catalog::build(registered, &mut self.problems);
        self.judge(&catalog);
        let Self { shared, session_states, show_errors, feedback, observer, spawner, problems, .. } = self;
        BuildError::of(problems)?;
        let shared = Arc::new(shared);
        Ok(Toolbox(Arc::new(Parts { catalog, shared, session_states, show_errors, feedback, observer, spawner })))
    }

    /// What each tool needs besides a name of its own.
    fn judge(&mut self, catalog: &Catalog) {
        let mut inspector = Inspector::default();
        for entry in &catalog.tools {
            let tool = || entry.name.to_string();
            let spec = entry.tool.spec();
            let ToolSpec { state, blocking, verify, .. } = spec;
            for key in state {
                let id = (key.id)();
                if !self.shared.contains(id) && !is_declared(&self.session_states, id) {
                    self.problems.push(Problem::MissingState { tool: tool(), state: (key.name)() });
                }
            }
            if let Some(Err(problem)) = verify.map(|verify| verify()) {
                self.problems.push(Problem::Literal { tool: tool(), problem });
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
