//! The events of a session: each [`ToolEvent`] is passed to an [`Observer`].
//!
//! The events of one call arrive in the order in which they happen. Invariants: without an observer, no event is created and no clock is read;
//! data that a model must not read (serde's messages, the causes of an error, the message of a panic) is only in events.

mod counts;
mod kind;
mod observer;
#[cfg(feature = "tracing")]
pub(crate) mod trace;
#[cfg(feature = "tracing")]
mod tracing_settings;

use std::time::Duration;

pub use counts::{EventCounter, EventCountsSnapshot};
pub use kind::EventKind;
pub use observer::Observer;
#[cfg(feature = "tracing")]
pub use tracing_settings::TracingSettings;

/// An event of a session, usually about one call.
///
/// ```
/// use std::sync::mpsc;
/// use std::time::Duration;
/// use tool_runtime::Toolbox;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::event::{EventKind, Observer, ToolEvent};
///
/// struct Rejections(mpsc::Sender<String>);
///
/// impl Observer for Rejections {
///     fn event(&self, event: &ToolEvent<'_>) {
///         if let EventKind::Rejected { failure, .. } = event.kind {
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
    /// The kind, with its data.
    pub kind: EventKind<'a>,
}

impl<'a> ToolEvent<'a> {
    /// Creates an event without a session, to test an observer or to report additional events of a host. The id of the session is empty.
    pub const fn new(at: Duration, call_id: &'a str, kind: EventKind<'a>) -> Self {
        Self { at, call_id, session_id: "", kind }
    }
}
