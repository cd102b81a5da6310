//! One conversation over a toolbox: [`Session`].
//!
//! In: calls as a model made them, in parallel. Out: one [`Outcome`] for each, under its call id: `call.rs` lists the stages of a call
//! from top to bottom and is read first. What always holds: every call is answered, whatever the model, the tool
//! or the host did; a sync tool's call boxes nothing; a call whose future is dropped leaves nothing behind.

mod admit;
mod advertised;
mod approve;
mod attempt;
mod batch;
mod batch_outcome;
mod begin;
mod call;
mod compare;
mod completion;
mod containers;
mod decode;
mod deferred;
mod definitions;
mod expand;
mod handover;
mod inputs;
mod inspect;
mod instructions;
mod invoke;
mod join;
mod limits;
mod listening;
mod member;
mod member_call;
mod names;
mod observed;
mod outcome;
mod queue;
mod refused;
mod render;
mod renditions;
mod repair;
mod resolve;
mod restore;
mod retry;
mod running;
mod seen;
mod sent;
mod sequential;
mod settle;
mod statistics;
mod suggestions;
mod throttle_texts;
mod traced;
mod visible;
mod waiting;
mod written;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use advertised::Advertised;
pub use batch::{BatchCall, NoTimer};
pub use batch_outcome::BatchOutcome;
pub use completion::{Completion, CompletionError};
pub(crate) use observed::Listening;
pub use outcome::Outcome;
pub use queue::CallRequest;
pub use renditions::Renditions;
pub use waiting::DeferredCall;

use self::refused::Refused;
use self::running::Running;
use self::visible::Visible;
use crate::context::{Listeners, Scope, States};
use crate::schema::{Definitions, Format};
use crate::spill::Results;
use crate::throttle::Throttle;
use crate::toolbox::{Catalog, Parts, Toolbox};

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
    deferred: waiting::Table,
    refused: Refused,
    throttle: Option<Throttle>,
    /// When it began by the clock, where somebody observes it.
    began: Duration,
}

impl Session {
    fn new(toolbox: &Toolbox, session: States) -> Self {
        let shared = Arc::clone(&toolbox.parts().shared);
        let results = Results::new(Arc::clone(&toolbox.parts().catalog.stores));
        let scope = Arc::new(Scope { shared, session, results, listeners: Listeners::default() });
        let began = beginning(toolbox.parts());
        listening::listen(&scope.listeners, toolbox, began);
        let settings = &toolbox.parts().settings;
        let clock = settings.throttle_clock.as_ref().unwrap_or(&settings.clock);
        let throttle = toolbox.parts().throttle.as_ref();
        let throttle = throttle.map(|policy| Throttle::new(Arc::clone(policy), Arc::clone(clock)));
        Self(Arc::new(Inner {
            toolbox: toolbox.clone(),
            visible: Visible::new(toolbox.parts(), &scope),
            scope,
            running: Running::default(),
            deferred: waiting::Table::default(),
            refused: Refused::default(),
            throttle,
            began,
        }))
    }

    fn catalog(&self) -> &Catalog {
        &self.0.toolbox.parts().catalog
    }

    /// What this session tells the time by.
    pub(crate) fn clock(&self) -> &Arc<dyn crate::clock::Clock> {
        &self.0.toolbox.parts().settings.clock
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

    /// Changes whenever the definitions change. Where the state has a say in them, it is looked at; what the model was shown last is still
    /// what its calls are held against, until the [definitions](Self::definitions) are asked for.
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
        self.0.visible.peek(self.catalog(), &self.0.scope);
        self.0.visible.revision()
    }

    /// Answers the running calls of this id with `cancelled`, promptly; whether there was one.
    ///
    /// The future of an async tool is dropped. A blocking tool goes on unheard and may ask
    /// [`is_cancelled`](crate::CallContext::is_cancelled); a sync tool is never interrupted. A call that [waits](Self::deferred) for the
    /// host waits no longer; [`complete`](Self::complete) with [`Completion::cancelled`] does the same and gives the outcome for the model.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert!(!Toolbox::builder().build()?.session().cancel("call_1"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn cancel(&self, call_id: &str) -> bool {
        // Both, whatever the first says.
        self.0.running.cancel(call_id) | self.cancel_deferred(call_id)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("revision", &self.0.visible.revision()).finish_non_exhaustive()
    }
}

/// The time at which a session begins; nothing where nobody will ask.
fn beginning(parts: &Parts) -> Duration {
    if parts.settings.observer.is_some() { parts.settings.clock.now() } else { Duration::ZERO }
}
