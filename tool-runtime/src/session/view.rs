//! A session with one of its toolboxes: [`SessionView`]. Every stage of a call is one of its methods.
//!
//! In: a toolbox, and the session's own state. Out: the visible items, the counts and the running calls under that toolbox. Invariants: a
//! call uses the same view from its beginning to its end. If the toolbox was never replaced, the session finds its only view
//! without a lock.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::elapsed::Beginning;
use super::numbers::Numbers;
use super::refused::Refused;
use super::reminders::Reminders;
use super::running::Running;
use super::starts::Starts;
use super::visible::{Openness, Visible};
use super::waiting;
use crate::context::{Listeners, Scope, SessionId, States};
use crate::spill::Results;
use crate::throttle::Throttle;
use crate::toolbox::{Catalog, Item, Parts, Toolbox};

/// A session with one of its toolboxes.
pub(super) struct SessionView {
    pub(super) toolbox: Toolbox,
    pub(super) scope: Arc<Scope>,
    pub(super) visible: Visible,
    pub(super) throttle: Option<Throttle>,
    /// The numbers under which the throttle counts the items of the catalog.
    pub(super) numbers: Numbers,
    pub(super) beginning: Beginning,
    pub(super) shared: Arc<Shared>,
}

/// The parts of a session that do not depend on its toolbox.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) running: Running,
    pub(super) deferred: waiting::Table,
    pub(super) refused: Refused,
    pub(super) reminders: Reminders,
    pub(super) starts: Starts,
    /// The view in use; empty until the first toolbox is replaced.
    latest: Mutex<Weak<SessionView>>,
}

/// The view in use.
pub(super) enum Current<'s> {
    First(&'s SessionView),
    Later(Arc<SessionView>),
}

impl SessionView {
    pub(super) fn first(toolbox: &Toolbox, session: States, openness: Openness) -> Self {
        let parts = toolbox.parts();
        let results = Arc::new(Results::new(Arc::clone(&parts.catalog.stores)));
        let shared = Arc::clone(&parts.shared);
        let id = Arc::new(SessionId::default());
        let scope = Arc::new(Scope { shared, session, results, listeners: Listeners::default(), id });
        let beginning = Beginning::of(parts, Duration::ZERO);
        Self {
            toolbox: toolbox.clone(),
            visible: Visible::new(parts, &scope, openness),
            scope,
            throttle: throttle(parts),
            numbers: Numbers::default(),
            beginning,
            shared: Arc::default(),
        }
    }

    pub(super) fn catalog(&self) -> &Catalog {
        &self.toolbox.parts().catalog
    }

    /// Returns the number of an item in the policy of the throttle.
    #[inline]
    pub(super) fn subject(&self, item: Item) -> usize {
        self.numbers.of(self.catalog().subject(item))
    }
}

impl Shared {
    /// Creates the parts of a saved session.
    pub(super) fn resumed(deferred: waiting::Table, refused: Refused, reminders: Reminders) -> Self {
        Self { deferred, refused, reminders, ..Self::default() }
    }

    /// Prevents a replacement of the toolbox while the caller changes data that the next view takes over.
    pub(super) fn hold(&self) -> Held<'_> {
        Held(self.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A lock during which no new view begins. No code of a tool or host may run while it is held.
pub(super) struct Held<'s>(MutexGuard<'s, Weak<SessionView>>);

impl Held<'_> {
    /// Returns the view in use, if it is not the first.
    pub(super) fn latest(&self) -> Option<Arc<SessionView>> {
        self.0.upgrade()
    }

    /// Returns `true` if `latest` is the view in use; `None` stands for the first view.
    pub(super) fn is(&self, latest: Option<&Arc<SessionView>>) -> bool {
        latest.map_or_else(|| self.0.strong_count() == 0, |latest| std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(latest)))
    }

    pub(super) fn begin(&mut self, latest: &Arc<SessionView>) {
        *self.0 = Arc::downgrade(latest);
    }
}

impl Current<'_> {
    #[cold]
    pub(super) fn of(later: &Mutex<Arc<SessionView>>) -> Self {
        Self::Later(Arc::clone(&later.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Deref for Current<'_> {
    type Target = SessionView;

    #[inline]
    fn deref(&self) -> &SessionView {
        match self {
            Self::First(view) => view,
            Self::Later(view) => view,
        }
    }
}

/// Creates a throttle that has counted nothing yet.
pub(super) fn throttle(parts: &Parts) -> Option<Throttle> {
    throttle_as(parts, &Numbers::default())
}

/// Creates a throttle that counts under these numbers.
pub(super) fn throttle_as(parts: &Parts, numbers: &Numbers) -> Option<Throttle> {
    let clock = parts.settings.throttle_clock.as_ref().unwrap_or(&parts.settings.clock);
    parts.throttle.as_ref().map(|policy| Throttle::new(numbers.policy(policy), Arc::clone(clock)))
}
