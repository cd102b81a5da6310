//! One conversation over a toolbox: [`Session`].
//!
//! In: calls as a model made them, possibly in parallel. Out: one [`Outcome`] for each, under its call id. Read `call.rs` first: it lists
//! the stages of a call from top to bottom. Invariants: every call is answered, whatever the model, the tool or the host does. A call of a
//! sync tool by its exact name boxes nothing. A call whose future is dropped leaves nothing behind.

mod admit;
mod advertised;
mod approve;
mod attempt;
mod batch;
mod batch_outcome;
mod begin;
mod call;
mod completion;
mod containers;
mod decode;
mod decoded;
mod deferred;
mod definitions;
mod detached;
mod elapsed;
mod expand;
mod fast;
mod handover;
mod host;
mod inputs;
mod inspect;
mod instructions;
mod interruption;
mod invoke;
mod join;
mod limits;
mod listening;
mod member;
mod member_call;
mod names;
mod numbers;
mod observed;
mod outcome;
mod permit;
mod queue;
mod refused;
mod reminders;
mod render;
mod repair;
mod replace;
mod resolve;
mod restore;
mod retry;
mod running;
mod seen;
mod sent;
mod sequential;
mod settle;
mod sharing;
mod snapshot;
mod start_log;
pub(crate) mod starts;
mod statistics;
mod stored;
mod suggestions;
mod throttle_texts;
mod traced;
mod view;
mod visible;
mod waiting;
mod written;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

pub use advertised::Advertised;
pub use batch::{BatchCall, NoTimer};
pub use batch_outcome::BatchOutcome;
pub use completion::{Completion, CompletionError};
pub(crate) use observed::Listening;
pub use outcome::Outcome;
pub use queue::CallRequest;
pub use replace::Replaced;
pub use snapshot::{Cipher, CipherError, RestoreError, SessionSetup, SessionState, SnapshotError};
pub(crate) use starts::Moment;
pub(crate) use visible::Openness;
pub use waiting::DeferredCall;

use self::listening::listen;
use self::view::{Current, SessionView};
use crate::context::States;
use crate::toolbox::Toolbox;

/// One conversation with its expanded containers and running calls. A session is a cheap handle: clones share the same
/// session.
///
/// ```
/// use tool_runtime::{Container, Session, Toolbox, tool};
///
/// /// The hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
///
/// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
/// let session = Toolbox::builder().container(clock).build()?.session();
/// let names = |session: &Session| session.tools().iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
/// assert_eq!(names(&session), ["Clock"]);
/// # pollster::block_on(async {
/// let outcome = session.call("call_1", "Clock", "{}").await;
/// assert!(outcome.to_text().starts_with(r#"{"expanded":"Clock""#));
/// assert_eq!(names(&session), ["Clock", "hour"]);
/// assert_eq!(session.call("call_2", "hour", "{}").await.to_text(), "12");
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    first: SessionView,
    /// The session with its latest toolbox; empty until the toolbox is replaced.
    later: OnceLock<Mutex<Arc<SessionView>>>,
}

impl Session {
    pub(crate) fn new(toolbox: &Toolbox, session: States, openness: Openness) -> Self {
        let first = SessionView::first(toolbox, session, openness);
        listen(&first.scope.listeners, toolbox, first.beginning);
        Self::of(first)
    }

    fn of(first: SessionView) -> Self {
        Self(Arc::new(Inner { first, later: OnceLock::new() }))
    }

    /// Returns the id of the session. It is random unless the host [sets it](SessionSetup::id), and does not change when the session is
    /// [saved](Self::snapshot) and restored.
    pub fn id(&self) -> &str {
        self.0.first.scope.id.get()
    }

    fn set_id(&self, id: String) {
        self.0.first.scope.id.set(id);
    }

    /// Returns the current view. It stays valid if the toolbox is replaced in the meantime.
    #[inline]
    fn current(&self) -> Current<'_> {
        match self.0.later.get() {
            None => Current::First(&self.0.first),
            Some(later) => Current::of(later),
        }
    }

    /// Returns the maximum number of calls of a batch that run at the same time, if the toolbox limits it.
    pub(crate) fn max_concurrency(&self) -> Option<usize> {
        self.current().toolbox.parts().settings.max_concurrency
    }

    /// Returns the clock of this session.
    pub(crate) fn clock(&self) -> Arc<dyn crate::clock::Clock> {
        Arc::clone(&self.current().toolbox.parts().settings.clock)
    }

    /// Returns the tools and containers that the model can currently call: first the registered ones, then the members of each expanded
    /// container in the order of expansion, then the items that a [new toolbox](Self::replace_toolbox) has added.
    pub fn tools(&self) -> Vec<Advertised> {
        let current = self.current();
        let (catalog, visible) = (current.catalog(), &current.visible);
        visible.look(catalog, &current.scope);
        let seen = visible.seen();
        visible.items(catalog).into_iter().map(|item| Advertised::of(catalog, item, &seen)).collect()
    }

    /// Returns a number that changes whenever the definitions change. If tools depend on a state, this method calls their functions, such
    /// as `available_if`, to detect changes. Calls are still checked against the definitions that the model saw last, until new
    /// [definitions](Self::definitions) are requested.
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
        let current = self.current();
        current.visible.peek(current.catalog(), &current.scope);
        current.visible.revision()
    }

    /// Answers the running calls of this id with `cancelled` at once. Returns `true` if there was one.
    ///
    /// The future of an async tool is dropped. A blocking tool keeps running, but its answer is ignored; the tool can check
    /// [`is_cancelled`](crate::CallContext::is_cancelled). A sync tool is never interrupted. A [deferred](Self::deferred) call of this id
    /// is cancelled too. To get the outcome for the model, use [`complete`](Self::complete) with [`Completion::cancelled`] instead.
    pub fn cancel(&self, call_id: &str) -> bool {
        // `|` evaluates both operands, so both kinds of calls are cancelled.
        self.0.first.shared.running.cancel(call_id) | self.current().cancel_deferred(call_id)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("revision", &self.current().visible.revision()).finish_non_exhaustive()
    }
}
