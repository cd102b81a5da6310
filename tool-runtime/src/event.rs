//! Every decision of a session as data: [`ToolEvent`], and who learns of it, the [`Observer`].
//!
//! In: what the session decided. Out: one event each, in the order of decision for one call. What always holds: without an observer
//! no event is made, and what a model must not read (serde's sentences, the chain of an error, a panic's message) is told here only.

use crate::failure::Failure;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::tool::Payload;

/// A decision of a session about one call.
///
/// ```
/// use tool_runtime::{Observer, ToolEvent, Toolbox};
///
/// struct Refusals;
///
/// impl Observer for Refusals {
///     fn event(&self, event: &ToolEvent<'_>) {
///         if let ToolEvent::Rejected { call_id, failure, .. } = event {
///             assert_eq!((*call_id, failure.error_type()), ("call_1", "unknown_tool"));
///         }
///     }
/// }
/// let session = Toolbox::builder().observer(Refusals).build()?.session();
/// assert!(!pollster::block_on(session.call("call_1", "add", "{}")).is_ok());
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ToolEvent<'a> {
    /// A call came in. The arguments are as the model sent them, secrets included.
    Received {
        /// Which call.
        call_id: &'a str,
        /// The name that was called.
        name: &'a str,
        /// The arguments as they came.
        arguments: &'a Arguments<'a>,
    },
    /// Something was read otherwise than it was written.
    Repaired {
        /// Which call.
        call_id: &'a str,
        /// What, and how.
        repair: &'a Repair,
    },
    /// A container was called without arguments; its members are visible.
    Expanded {
        /// Which call.
        call_id: &'a str,
        /// The container.
        container: &'a str,
    },
    /// A container collapsed; what only it showed is hidden again.
    Collapsed {
        /// The call that made room for its own container; empty where the host released it or ended the turn.
        call_id: &'a str,
        /// The container.
        container: &'a str,
    },
    /// A tool gave a result.
    Executed {
        /// Which call.
        call_id: &'a str,
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The result.
        payload: &'a Payload,
    },
    /// A call was not run: the host gives its result later. `Executed` or `Rejected` follows then, under the same id.
    Deferred {
        /// Which call.
        call_id: &'a str,
        /// The tool, by its advertised name.
        tool: &'a str,
    },
    /// A call was answered with a failure: it was refused, or the tool did not give a result.
    Rejected {
        /// Which call.
        call_id: &'a str,
        /// The tool, by its advertised name, or the name that was called where there is no such tool.
        tool: &'a str,
        /// What the model is told, and in its [`details`](Failure::details) what it is not.
        failure: &'a Failure,
    },
}

impl<'a> ToolEvent<'a> {
    /// Which call it is about.
    ///
    /// ```
    /// use tool_runtime::ToolEvent;
    ///
    /// let event = ToolEvent::Expanded { call_id: "call_1", container: "Math" };
    /// assert_eq!(event.call_id(), "call_1");
    /// ```
    pub const fn call_id(&self) -> &'a str {
        match self {
            Self::Received { call_id, .. }
            | Self::Repaired { call_id, .. }
            | Self::Expanded { call_id, .. }
            | Self::Collapsed { call_id, .. }
            | Self::Executed { call_id, .. }
            | Self::Deferred { call_id, .. }
            | Self::Rejected { call_id, .. } => call_id,
        }
    }
}

/// Who learns of every decision: a log, a counter, a trace.
///
/// It is called on the thread of the call and should be quick. Set one with `Toolbox::builder().observer(…)`; an `Arc` of one is
/// one too.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use tool_runtime::{Observer, ToolEvent};
///
/// #[derive(Default)]
/// struct Failures(AtomicUsize);
///
/// impl Observer for Failures {
///     fn event(&self, event: &ToolEvent<'_>) {
///         if matches!(event, ToolEvent::Rejected { .. }) {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
/// let failures = Failures::default();
/// failures.event(&ToolEvent::Expanded { call_id: "call_1", container: "Math" });
/// assert_eq!(failures.0.load(Ordering::Relaxed), 0);
/// ```
pub trait Observer: Send + Sync + 'static {
    /// Something was decided.
    fn event(&self, event: &ToolEvent<'_>);
}

impl<O: Observer + ?Sized> Observer for std::sync::Arc<O> {
    fn event(&self, event: &ToolEvent<'_>) {
        (**self).event(event);
    }
}
