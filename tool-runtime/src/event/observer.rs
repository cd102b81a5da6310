//! The trait [`Observer`], which receives the events of a session.
//!
//! Several observers are called in order. They have no effect on the session.

use std::sync::Arc;

use super::ToolEvent;

/// The receiver of every event: for example, a log, a counter or a trace.
///
/// It is called on the thread of the call and should be quick. Set an observer with `Toolbox::builder().observer(…)`. An `Arc` of an
/// observer is an observer too, so that the host can keep a handle. A `Box`, a tuple of up to four observers, a `Vec` and an `Option` are
/// observers as well, and so is `()`, which ignores all events.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use tool_runtime::event::{EventCounter, EventKind};
/// use tool_runtime::{event::{Observer, ToolEvent}, Toolbox};
///
/// #[derive(Default)]
/// struct Failures(AtomicUsize);
///
/// impl Observer for Failures {
///     fn event(&self, event: &ToolEvent<'_>) {
///         if matches!(event.kind, EventKind::Rejected { .. }) {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
///
/// let (failures, counts) = (Arc::new(Failures::default()), Arc::new(EventCounter::default()));
/// let toolbox = Toolbox::builder().observer((Arc::clone(&failures), Arc::clone(&counts))).build()?;
/// assert!(!pollster::block_on(toolbox.session().call("call_1", "add", "{}")).is_ok());
/// assert_eq!(failures.0.load(Ordering::Relaxed), 1);
/// assert_eq!(counts.snapshot().unknown_names, 1);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub trait Observer: Send + Sync + 'static {
    /// Receives an event.
    fn event(&self, event: &ToolEvent<'_>);
}

impl<O: Observer + ?Sized> Observer for Arc<O> {
    fn event(&self, event: &ToolEvent<'_>) {
        (**self).event(event);
    }
}

impl<O: Observer + ?Sized> Observer for Box<O> {
    fn event(&self, event: &ToolEvent<'_>) {
        (**self).event(event);
    }
}

impl<O: Observer> Observer for Option<O> {
    fn event(&self, event: &ToolEvent<'_>) {
        if let Some(observer) = self {
            observer.event(event);
        }
    }
}

impl<O: Observer> Observer for Vec<O> {
    fn event(&self, event: &ToolEvent<'_>) {
        for observer in self {
            observer.event(event);
        }
    }
}

impl Observer for () {
    fn event(&self, _: &ToolEvent<'_>) {}
}

macro_rules! tuples {
    ($(($($observer:ident $index:tt),+))+) => {$(
        impl<$($observer: Observer),+> Observer for ($($observer,)+) {
            fn event(&self, event: &ToolEvent<'_>) {
                $(self.$index.event(event);)+
            }
        }
    )+};
}

tuples! { (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }
