//! One conversation over a toolbox: [`Session`].
//!
//! In: calls as a model made them, in parallel. Out: one [`Outcome`] for each, under its call id: the way of a call is resolve →
//! invoke → outcome, with one more reading where a tool refuses. What always holds: every call is answered, whatever the model, the tool or the host did; a sync tool's call takes
//! no lock; a call whose future is dropped leaves nothing behind.

mod advertised;
mod containers;
mod definitions;
mod expand;
mod guarded;
mod handover;
mod instructions;
mod invoke;
mod member_call;
mod mend;
mod observed;
mod outcome;
mod refused;
mod report;
mod resolve;
mod route;
mod running;
mod seen;
mod traced;
mod visible;
mod worded;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

pub use advertised::Advertised;
pub use outcome::Outcome;
pub use report::Report;

use self::invoke::Interruption;
use self::refused::Refused;
use self::route::{Planned, Route};
use self::running::Running;
use self::visible::Visible;
use crate::check::Secrets;
use crate::context::{CallContext, Scope, States};
use crate::decode::sent_at;
use crate::event::Decision;
use crate::failure::{Failure, ToolError};
use crate::input::Arguments;
use crate::issue::Path;
use crate::repair::Repair;
use crate::schema::{Definitions, Format};
use crate::tool::{Answer, CallError, Payload};
use crate::toolbox::{Catalog, Entry, MissingState, Toolbox};

/// One conversation: what is expanded, and what runs. A cheap handle; clones are the same session.
///
/// ```
/// use tool_runtime::{Container, Toolbox};
///
/// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "Files", "{}"));
/// assert_eq!(outcome.call_id(), "call_1");
/// assert!(outcome.to_text().starts_with(r#"{"expanded":"Files""#));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    toolbox: Toolbox,
    scope: Arc<Scope>,
    visible: Visible,
    running: Running,
    refused: Refused,
    /// When it began by the clock, where somebody observes it.
    began: Duration,
}

impl Toolbox {
    /// Begins a conversation that brings no state of its own.
    ///
    /// Where [`session_state`](crate::toolbox::ToolboxBuilder::session_state) declares some, the tools that need it answer with a
    /// failure; [`session_with`](Self::session_with) brings it.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert_eq!(Toolbox::builder().build()?.session().revision(), 0);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn session(&self) -> Session {
        Session::new(self, States::new())
    }

    /// Begins a conversation with its own state, such as the user who is logged in.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// struct User(u32);
    /// let toolbox = Toolbox::builder().session_state::<User>().build()?;
    /// let session = toolbox.session_with(User(7))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names every declared state that is not brought.
    pub fn session_with<T: Send + Sync + 'static>(&self, state: T) -> Result<Session, MissingState> {
        self.session_with_states(States::new().with(state))
    }

    /// Begins a conversation with several values of its own.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, context::States};
    /// let session = Toolbox::builder().build()?.session_with_states(States::new().with(7_u32).with("acme"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names every declared state that is not brought.
    pub fn session_with_states(&self, states: States) -> Result<Session, MissingState> {
        self.check_states(&states)?;
        Ok(Session::new(self, states))
    }
}

impl Session {
    fn new(toolbox: &Toolbox, session: States) -> Self {
        let shared = Arc::clone(&toolbox.parts().shared);
        let scope = Arc::new(Scope { shared, session });
        Self(Arc::new(Inner {
            toolbox: toolbox.clone(),
            visible: Visible::new(toolbox.parts(), &scope),
            scope,
            running: Running::default(),
            refused: Refused::default(),
            began: observed::beginning(toolbox.parts()),
        }))
    }

    fn catalog(&self) -> &Catalog {
        &self.0.toolbox.parts().catalog
    }

    /// What the model can call now: what was registered, in that order, then the members of each expanded container in the order
    /// of expansion.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let toolbox = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?;
    /// assert_eq!(toolbox.session().tools()[0].name(), "Files");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tools(&self) -> Vec<Advertised<'_>> {
        let catalog = self.catalog();
        self.0.visible.look(catalog, &self.0.scope);
        let seen = self.0.visible.seen();
        self.0.visible.items(catalog).into_iter().map(|item| Advertised::of(catalog, item, &seen)).collect()
    }

    /// The definitions of all that the model can call now, for one provider; rendered once, until the [`revision`](Self::revision)
    /// changes.
    ///
    /// ```
    /// # use tool_runtime::{Format, Toolbox};
    /// assert_eq!(Toolbox::builder().build()?.session().definitions(Format::OpenAi).to_string(), "[]");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn definitions(&self, format: Format) -> Arc<Definitions> {
        self.0.visible.look(self.catalog(), &self.0.scope);
        self.0.visible.definitions(self.catalog(), format)
    }

    /// Changes whenever the definitions change. Where the state has a say in them, it is looked at.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// let before = session.revision();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert_ne!(session.revision(), before);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn revision(&self) -> u64 {
        self.0.visible.look(self.catalog(), &self.0.scope);
        self.0.visible.revision()
    }

    /// Answers one call. Calls may run at the same time, and two of them may have the same id.
    ///
    /// Nothing happens before the future is awaited. No executor is needed: a sync tool is done at the first poll.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "get_weather", r#"{"location": "Paris"}"#));
    /// assert!(!outcome.is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn call<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: impl Into<Arguments<'a>>,
    ) -> impl Future<Output = Outcome> + Send {
        let arguments = arguments.into();
        let trace = self.trace(call_id, name, &arguments);
        trace.around(self.answer(call_id, name, arguments))
    }

    /// Answers the running calls of this id with `cancelled`, promptly; whether there was one.
    ///
    /// The future of an async tool is dropped. A blocking tool goes on unheard and may ask
    /// [`is_cancelled`](CallContext::is_cancelled); a sync tool is never interrupted.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert!(!Toolbox::builder().build()?.session().cancel("call_1"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn cancel(&self, call_id: &str) -> bool {
        self.0.running.cancel(call_id)
    }

    async fn answer(&self, call_id: &str, name: &str, arguments: Arguments<'_>) -> Outcome {
        self.observe(call_id, || Decision::Received { name, arguments: &arguments });
        match self.route(call_id, name, arguments) {
            Route::Run(Planned { entry, arguments, ledger }) => {
                let outcome = self.run(call_id, entry, None, &arguments).await.after(ledger);
                self.doubt(entry, &arguments, outcome)
            }
            Route::Answered(outcome) => outcome,
        }
    }

    async fn run(&self, call_id: &str, entry: &Entry, repair: Option<Repair>, arguments: &Arguments<'_>) -> Outcome {
        let cx = CallContext::new(call_id.to_owned(), Arc::clone(&self.0.scope));
        let result = match self.invoke(entry, &cx, arguments.lent()).await {
            Ok(Ok(payload)) => Ok(self.executed(call_id, entry, payload)),
            Ok(Err(CallError::Invalid(refused))) => {
                // Boxed, so that the future of a good call is not as large as that of a bad one.
                return Box::pin(self.run_again(cx, entry, repair, arguments, refused)).await;
            }
            answer => self.settle(call_id, entry, answer, arguments),
        };
        Outcome::new(cx.into_call_id(), entry.name.clone(), repair, result)
    }

    /// A result is told to the observer, and what was refused before counts no longer.
    fn executed(&self, call_id: &str, entry: &Entry, payload: Payload) -> Payload {
        self.0.refused.succeeded(&entry.name);
        self.observe(call_id, || Decision::Executed { tool: &entry.name, payload: &payload });
        payload
    }

    /// What a tool came to, told to the observer.
    #[cold]
    fn settle(
        &self,
        call_id: &str,
        entry: &Entry,
        answer: Result<Answer, Interruption>,
        arguments: &Arguments<'_>,
    ) -> Result<Payload, Failure> {
        match answer {
            Ok(Ok(payload)) => Ok(self.executed(call_id, entry, payload)),
            Ok(Err(error)) => Err(self.fail(call_id, entry, error, arguments)),
            Err(interruption) => Err(self.reject(call_id, &entry.name, interruption.into_failure(&entry.name))),
        }
    }

    fn fail(&self, call_id: &str, entry: &Entry, error: CallError, arguments: &Arguments<'_>) -> Failure {
        let tool = &entry.name;
        let of_tool = |error: &ToolError| {
            let sent_at = |path: &Path| sent_at(&entry.tool.spec().input, &arguments.to_json().ok()?, path);
            Failure::tool_error(tool, error).about(sent_at)
        };
        let shown = || entry.tool.spec().show_errors.unwrap_or(self.0.toolbox.parts().show_errors);
        let secrets = || {
            let shape = entry.tool.spec().input.shape();
            let arguments = if shape.has_secrets() { arguments.to_json().ok() } else { None };
            arguments.map_or_else(Secrets::default, |arguments| Secrets::of(&shape, &arguments))
        };
        let failure = match error {
            CallError::Invalid(error) => Failure::validation(tool, error),
            CallError::Tool(error) => of_tool(&error.without(&secrets())),
            CallError::Failed(error) => of_tool(&ToolError::from_error_without(error, shown(), &secrets())),
            CallError::Malformed(payload) => Failure::malformed_response(tool, &payload),
        };
        self.reject(call_id, tool, self.worded(entry, failure, arguments))
    }

    /// The answer to a call that reached no tool.
    fn refuse(&self, call_id: &str, tool: &str, failure: Failure) -> Outcome {
        let failure = self.reject(call_id, tool, failure);
        Outcome::new(call_id.to_owned(), tool.to_owned().into(), None, Err(failure))
    }

    fn reject(&self, call_id: &str, tool: &str, failure: Failure) -> Failure {
        self.observe(call_id, || Decision::Rejected { tool, failure: &failure });
        failure
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("revision", &self.revision()).finish_non_exhaustive()
    }
}
