//! Every decision of a session as data: [`ToolEvent`], passed to an [`Observer`].
//!
//! The events of one call arrive in the order of its decisions. Invariants: without an observer, no event is created and no clock is read;
//! data that a model must not read (serde's messages, the causes of an error, the message of a panic) is only in events.

mod counts;
mod decision;
mod observer;
#[cfg(feature = "tracing")]
pub(crate) mod trace;
#[cfg(feature = "tracing")]
mod tracing;

use std::time::Duration;

#[cfg(feature = "tracing")]
pub use self::tracing::Tracing;
pub use counts::{EventCounter, EventCounts};
pub use decision::Decision;
pub use observer::Observer;

/// A decision of a session about one call.
///
/// ```
/// use std::sync::mpsc;
/// use std::time::Duration;
/// use tool_runtime::Toolbox;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::event::{Decision, Observer, ToolEvent};
///
/// struct Rejections(mpsc::Sender<String>);
///
/// impl Observer for Rejections {
///     fn event(&self, event: &ToolEvent<'_>) {
///         if let Decision::Rejected { failure, .. } = event.decision {
///             let _ = self.0.send(format!("{:?} {}: {}", event.at, event.call_id, failure.error_type()));
///         }
///     }
/// }
///
/// let (sender, rejections) = mpsc::channel();
/// let clock = SimulatedClock::new();
/// let session = Toolbox::builder().observer(Rejections(sender)).clock(clock.clone()).build()?.session();
/// clock.advance(Duration::from_secs(3));
/// assert!(!pollster::block_on(session.call("call_1", "add", "{}")).is_ok());
/// assert_eq!(rejections.recv()?, "3s call_1: unknown_tool");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolEvent<'a> {
    /// The time since the start of the session, measured by the session's clock. It never decreases from one event to the next.
    pub at: Duration,
    /// The call id. It is empty if the host caused the event between calls, for example by ending the turn.
    pub call_id: &'a str,
    /// The [id of the session](crate::Session::id). Sessions of one toolbox share its observer, and their calls may have equal ids.
    pub session_id: &'a str,
    /// The decision.
    pub decision: Decision<'a>,
}

impl<'a> ToolEvent<'a> {
    /// Creates an event without a session, to test an observer or to report additional events of a host. The id of the session is empty.
    pub const fn new(at: Duration, call_id: &'a str, decision: Decision<'a>) -> Self {
        Self { at, call_id, session_id: "", decision }
    }
}
