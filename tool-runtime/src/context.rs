//! The context of a running call: [`CallContext`], its state, its cancellation.
//!
//! Invariants: creating a context allocates nothing, except for an unusually long call id; a context can outlive its call, because a thread
//! that a tool started may own a clone.

mod call_id;
mod cancellation;
mod decoded_arguments;
mod progress;
mod session_id;
mod state;

use std::fmt::{self, Write as _};
use std::future::Future;
use std::sync::{Arc, LazyLock, OnceLock};

pub(crate) use call_id::CallId;
pub(crate) use cancellation::{Cancellation, Given};
pub use decoded_arguments::DecodedArguments;
pub(crate) use progress::{Listeners, Report};
pub(crate) use session_id::SessionId;
pub(crate) use state::Scope;
pub use state::States;

use self::decoded_arguments::Slot;
use crate::bounded;
use crate::failure::ToolError;
use crate::input::Arguments;
use crate::spill::KeptResults;

/// The maximum number of bytes of a progress message.
const MESSAGE: usize = 200;

/// The context of a running call. A tool receives it as the parameter `#[tool(context)] cx: &CallContext`.
///
/// ```
/// use tool_runtime::{CallContext, ToolError};
///
/// struct Greeting(&'static str);
///
/// fn greet(cx: &CallContext) -> Result<String, ToolError> {
///     Ok(format!("{}, {}", cx.state::<Greeting>()?.0, cx.call_id()))
/// }
/// assert_eq!(greet(&CallContext::for_test().with_state(Greeting("Hello")))?, "Hello, test");
/// # Ok::<(), ToolError>(())
/// ```
pub struct CallContext {
    call_id: CallId,
    /// The position of the tool in its catalog.
    tool: usize,
    /// `None` if the tool ignores its context. Sharing the state of the session takes two atomic operations.
    scope: Option<Arc<Scope>>,
    /// Created at its first use, so that a sync call has no cost for it.
    cancellation: OnceLock<Cancellation>,
    /// The decoded arguments, if they are decoded before the tool is called.
    prepared: OnceLock<Slot>,
}

impl CallContext {
    #[inline]
    pub(crate) fn new(call_id: &str, tool: usize, scope: Arc<Scope>) -> Self {
        let mut context = Self::unnamed(tool, Some(scope));
        context.name(call_id);
        context
    }

    /// Creates a context without its call id. [`name`](Self::name) then sets the id in place, which is cheaper than moving the context.
    #[inline]
    pub(crate) const fn unnamed(tool: usize, scope: Option<Arc<Scope>>) -> Self {
        Self { call_id: CallId::EMPTY, tool, scope, cancellation: OnceLock::new(), prepared: OnceLock::new() }
    }

    /// Returns the context that all tools get that ignore it. It belongs to no call.
    pub(crate) const fn ignored() -> &'static Self {
        static IGNORED: CallContext = CallContext::unnamed(0, None);
        &IGNORED
    }

    #[inline]
    pub(crate) fn name(&mut self, call_id: &str) {
        self.call_id.write(call_id);
    }

    /// Creates a context for a unit test: call id `test`, no state, never cancelled.
    pub fn for_test() -> Self {
        Self::new("test", 0, Arc::new(Scope::default()))
    }

    /// Adds a state for the tool under test.
    #[must_use]
    pub fn with_state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        let session = self.scope().session.clone().with(state);
        self.scope = Some(Arc::new(Scope { shared: Arc::clone(&self.scope().shared), session, ..Scope::default() }));
        self
    }

    /// Returns the id under which the call will be answered.
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    /// Returns an idempotency key: services such as payment providers ignore a repeated request with the same key.
    ///
    /// It consists of the [session's id](crate::Session::id) and the id of the call, separated by `:`. Each byte that is not an ASCII
    /// letter, digit, `-`, `_` or `.` is replaced by `%` and two hexadecimal digits. The key is the same for every attempt of the call,
    /// even after the session was [saved](crate::Session::snapshot) and restored. Two calls of a session have different keys if they have
    /// different ids.
    ///
    /// ```
    /// use tool_runtime::session::SessionSetup;
    /// use tool_runtime::{CallContext, Toolbox, tool};
    ///
    /// /// Pays an invoice.
    /// #[tool]
    /// fn pay(#[tool(context)] cx: &CallContext) -> String {
    ///     cx.idempotency_key()
    /// }
    ///
    /// let toolbox = Toolbox::builder().tool(PayTool).build()?;
    /// let session = toolbox.begin_session(SessionSetup::new().id("conversation 7"))?;
    /// let outcome = pollster::block_on(session.call("call_1", "pay", "{}"));
    /// assert_eq!(outcome.to_text(), "conversation%207:call_1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn idempotency_key(&self) -> String {
        let mut key = String::new();
        escape(&mut key, self.scope().id.get());
        key.push(':');
        escape(&mut key, self.call_id());
        key
    }

    /// Adds arguments that were already decoded.
    pub(crate) fn prepare(&self, prepared: DecodedArguments, source: &Arguments<'_>) {
        self.prepared.get_or_init(|| Slot::new(prepared, source));
    }

    /// Takes the value that [`Tool::prepare`](crate::tool::Tool::prepare) decoded from these arguments before the call.
    ///
    /// The value can be taken once. It exists only if the arguments had to be decoded before the call, for example for a hook or to compare
    /// the call with other calls. Without this value, the tool decodes its arguments itself.
    #[inline]
    pub fn take_decoded_arguments<T: 'static>(&self, arguments: &Arguments<'_>) -> Option<T> {
        self.prepared.get()?.take(arguments)
    }

    /// Returns the state of type `T`. A state of the session takes precedence over a state that the toolbox shares.
    ///
    /// # Errors
    ///
    /// Fails if there is no such state. This cannot happen for a state that the tool declares: if neither the toolbox nor its sessions
    /// provide that state, `build()` already fails.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T, ToolError> {
        self.scope().find().ok_or_else(|| missing(std::any::type_name::<T>()))
    }

    /// Returns `true` if `session.cancel` was called for this call, or if the future of the call was dropped.
    ///
    /// In both cases, the future of an async tool is dropped, and a sync tool runs to its end. This method is for work that cannot be
    /// dropped, such as the thread of a blocking tool.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.get().is_some_and(Cancellation::is_given)
    }

    /// Waits until the call is cancelled. Use it in tasks to which an async tool has given a clone of the context.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.cancellation().given()
    }

    /// Reports the progress of the call: `done` of `total` (`None` if the total is unknown), with a message for people (`""` for no
    /// message).
    ///
    /// The listeners are the [observer](crate::event::Observer), which gets a [`Progressed`](crate::event::EventKind::Progressed) event, and
    /// a conversation of `tool-chat`, which emits an event of its own. The model does not see the report. Reports may come from any thread,
    /// for example from a blocking tool or from a task that holds a clone of the context. Reporting never waits for another report.
    /// Listeners get the reports in order, on the reporting thread.
    ///
    /// A report is left out in these cases:
    ///
    /// - There is no listener.
    /// - `done` is not finite, or not greater than in the last report.
    /// - Another thread is reporting the progress of the same call at this moment.
    /// - The call has made 1,000 reports, and this one does not reach the total.
    /// - The call has ended.
    ///
    /// A message is truncated to 200 bytes.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use tool_runtime::event::{EventKind, Observer, ToolEvent};
    /// use tool_runtime::{CallContext, Toolbox, tool};
    ///
    /// /// Copies files.
    /// #[tool]
    /// fn copy(#[tool(context)] cx: &CallContext) {
    ///     for (count, file) in (1_u32..).zip(["a.txt", "b.txt"]) {
    ///         cx.progress(count.into(), 2.0, file);
    ///     }
    /// }
    ///
    /// struct Bar(Arc<Mutex<Vec<String>>>);
    ///
    /// impl Observer for Bar {
    ///     fn event(&self, event: &ToolEvent<'_>) {
    ///         if let EventKind::Progressed { done, total: Some(total), message, .. } = event.kind
    ///             && let Ok(mut lines) = self.0.lock()
    ///         {
    ///             lines.push(format!("{done}/{total} {message}"));
    ///         }
    ///     }
    /// }
    ///
    /// let lines = Arc::new(Mutex::new(Vec::new()));
    /// let session = Toolbox::builder().tool(CopyTool).observer(Bar(Arc::clone(&lines))).build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "copy", "{}")).is_ok());
    /// assert_eq!(*lines.lock().map_err(|error| error.to_string())?, ["1/2 a.txt", "2/2 b.txt"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progress(&self, done: f64, total: impl Into<Option<f64>>, message: &str) {
        if self.scope().listeners.has_listeners() {
            self.report(done, total.into(), message);
        }
    }

    #[cold]
    fn report(&self, done: f64, total: Option<f64>, message: &str) {
        let cancellation = self.cancellation();
        if cancellation.is_given() {
            return;
        }
        let total = total.filter(|total| total.is_finite() && *total > 0.0);
        cancellation.progress().pass(done, total, || {
            let message = &bounded::sentence(message, MESSAGE);
            self.scope().listeners.pass_on(&Report { call_id: self.call_id(), tool: self.tool, done, total, message });
        });
    }

    /// Ends the progress reports, because the call has an answer.
    #[inline]
    pub(crate) fn end_progress(&self) {
        if let Some(cancellation) = self.cancellation.get() {
            cancellation.progress().end();
        }
    }

    /// Returns the results that the session of the call has kept.
    pub(crate) fn results(&self) -> &KeptResults {
        &self.scope().results
    }

    /// Returns the state that the call can access.
    pub(crate) fn scope(&self) -> &Scope {
        static NOTHING: LazyLock<Scope> = LazyLock::new(Scope::default);
        self.scope.as_deref().unwrap_or_else(|| &NOTHING)
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        self.cancellation.get_or_init(Cancellation::default)
    }
}

impl Clone for CallContext {
    fn clone(&self) -> Self {
        let cancellation = OnceLock::from(self.cancellation().clone());
        let prepared = self.prepared.clone();
        Self { call_id: self.call_id.clone(), tool: self.tool, scope: self.scope.clone(), cancellation, prepared }
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext").field("call_id", &self.call_id).finish_non_exhaustive()
    }
}

fn missing(state: &'static str) -> ToolError {
    // Only the observer gets the name of the type, because the model can do nothing about a missing state.
    ToolError::new("The tool is not set up for this session.").caused_by(format!("there is no state `{state}`"))
}

/// Appends a text, and escapes each byte that may have a special meaning in a header or a URL.
fn escape(key: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            key.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(key, "%{byte:02X}");
        }
    }
}
