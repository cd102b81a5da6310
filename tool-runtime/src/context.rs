//! What a running tool may know of its call: [`CallContext`], its state, its cancellation.
//!
//! In: what the session knows. Out: the call id, state by type, whether the call was cancelled. What always holds: making a
//! context allocates nothing (but for a call id longer than providers make them), and a context can outlive its call (a thread that a tool started may hold a clone).

mod call_id;
mod cancellation;
mod prepared;
mod state;

use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};

pub(crate) use call_id::CallId;
pub(crate) use cancellation::{Cancellation, Given};
pub use prepared::Prepared;
pub(crate) use state::Scope;
pub use state::States;

use self::prepared::Slot;
use crate::failure::ToolError;
use crate::input::Arguments;
use crate::spill::Results;

/// The context of a call: `#[tool(context)] cx: &CallContext`.
///
/// ```
/// use tool_runtime::{CallContext, ToolError};
///
/// struct Greeting(&'static str);
///
/// fn greet(cx: &CallContext) -> Result<String, ToolError> {
///     Ok(format!("{}, {}", cx.state::<Greeting>()?.0, cx.call_id()))
/// }
/// assert_eq!(greet(&CallContext::test().with_state(Greeting("Hello")))?, "Hello, test");
/// # Ok::<(), ToolError>(())
/// ```
pub struct CallContext {
    call_id: CallId,
    scope: Arc<Scope>,
    /// Made by whoever asks first: a sync call never does, so it pays nothing for it.
    cancellation: OnceLock<Cancellation>,
    /// The arguments, if they were decoded before a hook was asked.
    prepared: Slot,
}

impl CallContext {
    #[inline]
    pub(crate) fn new(call_id: &str, scope: Arc<Scope>) -> Self {
        let mut context =
            Self { call_id: CallId::EMPTY, scope, cancellation: OnceLock::new(), prepared: Slot::default() };
        context.call_id.write(call_id);
        context
    }

    /// A context for a unit test: call id `test`, no state, never cancelled.
    ///
    /// ```
    /// assert_eq!(tool_runtime::CallContext::test().call_id(), "test");
    /// ```
    pub fn test() -> Self {
        Self::new("test", Arc::new(Scope::default()))
    }

    /// Adds a state that the tool under test needs.
    ///
    /// ```
    /// let cx = tool_runtime::CallContext::test().with_state(5_u8);
    /// assert_eq!(cx.state::<u8>()?, &5);
    /// # Ok::<(), tool_runtime::ToolError>(())
    /// ```
    #[must_use]
    pub fn with_state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        let session = self.scope.session.clone().with(state);
        self.scope = Arc::new(Scope { shared: Arc::clone(&self.scope.shared), session, ..Scope::default() });
        self
    }

    /// The id under which the call will be answered.
    ///
    /// ```
    /// assert_eq!(tool_runtime::CallContext::test().call_id(), "test");
    /// ```
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    #[inline]
    pub(crate) fn into_call_id(self) -> CallId {
        self.call_id
    }

    /// Adds arguments that were decoded already.
    pub(crate) fn with_prepared(mut self, prepared: Option<Prepared>, source: &Arguments<'_>) -> Self {
        self.prepared = prepared.map(|prepared| Slot::of(prepared, source)).unwrap_or_default();
        self
    }

    /// Takes the value that [`Tool::prepare`](crate::tool::Tool::prepare) made of these arguments before the call. It is there once, and only if a
    /// hook was asked about the call or the call was compared with others; a tool that finds none decodes its arguments.
    ///
    /// ```
    /// let cx = tool_runtime::CallContext::test();
    /// assert_eq!(cx.take_prepared::<u8>(&"5".into()), None);
    /// ```
    #[inline]
    pub fn take_prepared<T: 'static>(&self, arguments: &Arguments<'_>) -> Option<T> {
        self.prepared.take(arguments)
    }

    /// The state of a type: the session's own, else the one that the toolbox shares.
    ///
    /// ```
    /// let cx = tool_runtime::CallContext::test();
    /// assert!(cx.state::<String>().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When nobody brought it. A tool that declares its state cannot see this for a shared one: `build()` fails first.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T, ToolError> {
        self.scope.find().ok_or_else(|| missing(std::any::type_name::<T>()))
    }

    /// Whether `session.cancel` was called for this call, or nobody waits for it any more.
    ///
    /// The future of an async tool is dropped then; this is for work that cannot be dropped, such as a blocking tool's thread. A
    /// sync tool runs to its end.
    ///
    /// ```
    /// assert!(!tool_runtime::CallContext::test().is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.get().is_some_and(Cancellation::is_given)
    }

    /// Waits until the call is cancelled; for tasks that an async tool has started and that hold a clone of the context.
    ///
    /// ```
    /// # use std::{future::Future, pin::pin, task::{Context, Waker}};
    /// let cx = tool_runtime::CallContext::test();
    /// assert!(pin!(cx.cancelled()).poll(&mut Context::from_waker(Waker::noop())).is_pending());
    /// ```
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.cancellation().given()
    }

    /// The results that the session of the call has kept.
    pub(crate) fn results(&self) -> &Results {
        &self.scope.results
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        self.cancellation.get_or_init(Cancellation::default)
    }
}

impl Clone for CallContext {
    fn clone(&self) -> Self {
        let cancellation = OnceLock::from(self.cancellation().clone());
        let prepared = self.prepared.clone();
        Self { call_id: self.call_id.clone(), scope: Arc::clone(&self.scope), cancellation, prepared }
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext").field("call_id", &self.call_id).finish_non_exhaustive()
    }
}

fn missing(state: &'static str) -> ToolError {
    // Types are for the observer; no model can bring one.
    ToolError::new("The tool is not set up for this session.").caused_by(format!("there is no state `{state}`"))
}
