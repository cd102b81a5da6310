//! A session with one of its toolboxes: [`SessionView`]. Every stage of a call is one of its methods.
//!
//! In: a toolbox, and the session's own state. Out: the visible items, the counts and the running calls under that toolbox. Invariants: a
//! call uses the same view from its beginning to its end. If the toolbox was never replaced, the session finds its only view
//! without a lock.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use super::attempt::Attempt;
use super::call_durability::CallDurability;
use super::deferred_table;
use super::events;
use super::host_reminders::Reminders;
use super::rejected_before::Rejected;
use super::running_calls::Running;
use super::session_age::SessionStart;
use super::stable_tool_numbers::ToolNumbers;
use super::visible::{Openness, Visible};
use crate::context::{CallContext, Listeners, Scope, SessionId, States};
use crate::event::EventKind;
use crate::repair::Repair;
use crate::shape::{Ref, RepairPolicy, Text};
use crate::spill::KeptResults;
use crate::throttle::Throttle;
use crate::tool::PropertyFromState;
use crate::toolbox::{Advertisement, Catalog, Entry, Item, NeedsSessionState, Parts, Toolbox};

/// A session with one of its toolboxes.
pub(super) struct SessionView {
    pub(super) toolbox: Toolbox<NeedsSessionState>,
    pub(super) scope: Arc<Scope>,
    pub(super) visible: Visible,
    pub(super) throttle: Option<Throttle>,
    /// The numbers under which the throttle counts the items of the catalog.
    pub(super) numbers: ToolNumbers,
    pub(super) beginning: SessionStart,
    pub(super) shared: Arc<Shared>,
}

/// The parts of a session that do not depend on its toolbox.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) running: Running,
    pub(super) deferred: deferred_table::Table,
    pub(super) rejected: Rejected,
    pub(super) reminders: Reminders,
    pub(super) durability: CallDurability,
    /// The view in use; empty until the first toolbox is replaced.
    latest: Mutex<Weak<SessionView>>,
}

/// The views of a session. If its toolbox was never replaced, the only view is found without a lock.
pub(super) struct Views {
    pub(super) first: SessionView,
    /// The session with its latest toolbox; empty until the toolbox is replaced.
    pub(super) later: OnceLock<Mutex<Arc<SessionView>>>,
}

impl Views {
    pub(super) const fn new(first: SessionView) -> Self {
        Self { first, later: OnceLock::new() }
    }

    /// Returns the current view. It stays valid if the toolbox is replaced in the meantime.
    #[inline]
    pub(super) fn current(&self) -> Current<'_> {
        match self.later.get() {
            None => Current::First(&self.first),
            Some(later) => Current::read_latest(later),
        }
    }
}

/// The view in use.
pub(super) enum Current<'s> {
    First(&'s SessionView),
    Later(Arc<SessionView>),
}

impl SessionView {
    pub(super) fn first(toolbox: Toolbox<NeedsSessionState>, session: States, openness: Openness) -> Self {
        let parts = toolbox.parts();
        let results = Arc::new(KeptResults::new(Arc::clone(&parts.catalog.stores)));
        let shared = Arc::clone(&parts.shared);
        let id = Arc::new(SessionId::default());
        let scope = Arc::new(Scope { shared, session, results, listeners: Listeners::default(), id });
        let beginning = SessionStart::start(parts, Duration::ZERO);
        Self {
            visible: Visible::new(parts, &scope, openness),
            scope,
            throttle: throttle(parts),
            numbers: ToolNumbers::default(),
            beginning,
            shared: Arc::default(),
            toolbox,
        }
    }

    pub(super) fn catalog(&self) -> &Catalog {
        &self.toolbox.parts().catalog
    }

    /// Returns the number of an item in the policy of the throttle.
    #[inline]
    pub(super) fn subject(&self, item: Item) -> usize {
        self.numbers.number_at(self.catalog().subject(item))
    }

    /// Returns the names that the model sees.
    pub(super) fn available(&self) -> Vec<&str> {
        let catalog = self.catalog();
        self.visible.items(catalog).into_iter().map(|item| catalog.name(item).as_str()).collect()
    }

    /// Returns the form in which a tool was advertised, if its calls must be converted back.
    #[inline]
    pub(super) fn rewritten(&self, entry: &Entry) -> Option<Arc<Advertisement>> {
        if entry.is_rewritten() { self.visible.rewritten(entry.position) } else { None }
    }

    /// Returns the input of a tool as the model has seen it.
    pub(super) fn input(&self, entry: &Entry) -> Ref {
        self.visible.seen().input(entry).clone()
    }

    /// Returns the context of a call.
    pub(super) fn context<'a>(&self, entry: &Entry, call: &mut Attempt<'a>) -> &'a CallContext {
        call.cx(|call_id| CallContext::new(call_id, entry.position, Arc::clone(&self.scope)))
    }

    /// Returns `true` if the arguments of the tool's calls are decoded before the tool runs, for example because a hook is asked or because
    /// the tool runs in another session.
    #[inline]
    pub(super) fn is_asked_about(&self, entry: &Entry) -> bool {
        entry.is_asked_about || self.shared.durability.are_detached()
    }

    /// Returns the repairs that a tool allows.
    pub(super) fn policy(&self, entry: &Entry) -> RepairPolicy {
        entry.tool.spec().settings.repair.unwrap_or(self.toolbox.parts().settings.policy)
    }

    /// Adds repairs to the ledger, and reports them.
    pub(super) fn note(&self, call_id: &str, ledger: &mut Vec<Repair>, mut repairs: Vec<Repair>) {
        for repair in &repairs {
            self.observe(call_id, || EventKind::Repaired { repair });
        }
        // There may be thousands of repairs, so the list is moved if the ledger is empty.
        if ledger.is_empty() { *ledger = repairs } else { ledger.append(&mut repairs) }
    }

    /// Returns the computed system prompt of a container, or else its fixed one.
    pub(super) fn text_from_state<'t>(
        &self,
        computed: Option<&PropertyFromState<String>>,
        fixed: Option<&'t Text>,
    ) -> Option<Cow<'t, str>> {
        let computed = computed.and_then(|text| text.ask(&self.scope)).map(Cow::Owned);
        computed.or_else(|| fixed.map(|text| Cow::Borrowed(text.as_str())))
    }

    pub(super) fn report_collapsed(&self, call_id: &str, collapsed: &[usize]) {
        for &container in collapsed {
            let container = &self.catalog().containers[container].spec.name;
            self.observe(call_id, || EventKind::Collapsed { container });
        }
    }

    /// Returns the time since the session began; zero without an observer.
    pub(super) fn observed_time(&self) -> Duration {
        let parts = self.toolbox.parts();
        if parts.settings.observer.is_some() { self.beginning.elapsed(parts) } else { Duration::ZERO }
    }

    /// Returns `true` if anybody listens to the decisions.
    #[inline]
    pub(super) fn is_observed(&self) -> bool {
        events::is_traced() || self.toolbox.parts().settings.observer.is_some()
    }

    #[inline]
    pub(super) fn observe<'e>(&self, call_id: &'e str, kind: impl Fn() -> EventKind<'e>) {
        self.observe_apart(call_id, &kind, &kind);
    }

    /// Reports an event. The contents for the observer and for the trace differ, because the trace must not contain secrets.
    #[inline]
    pub(super) fn observe_apart<'e>(
        &self,
        call_id: &'e str,
        observed: impl FnOnce() -> EventKind<'e>,
        traced: impl FnOnce() -> EventKind<'e>,
    ) {
        events::report_event(self.toolbox.parts(), self.beginning, &self.scope.id, call_id, observed, traced);
    }
}

impl Shared {
    /// Creates the parts of a saved session.
    pub(super) fn resumed(deferred: deferred_table::Table, rejected: Rejected, reminders: Reminders) -> Self {
        Self { deferred, rejected, reminders, ..Self::default() }
    }

    /// Prevents a replacement of the toolbox while the caller changes data that the next view takes over.
    pub(super) fn hold(&self) -> ToolboxLock<'_> {
        ToolboxLock(self.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A lock during which no new view begins. No code of a tool or host may run while it is held.
pub(super) struct ToolboxLock<'s>(MutexGuard<'s, Weak<SessionView>>);

impl ToolboxLock<'_> {
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
    pub(super) fn read_latest(later: &Mutex<Arc<SessionView>>) -> Self {
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
    throttle_as(parts, &ToolNumbers::default())
}

/// Creates a throttle that counts under these numbers.
pub(super) fn throttle_as(parts: &Parts, numbers: &ToolNumbers) -> Option<Throttle> {
    let clock = parts.settings.throttle_clock.as_ref().unwrap_or(&parts.settings.clock);
    parts.throttle.as_ref().map(|policy| Throttle::new(numbers.policy(policy), Arc::clone(clock)))
}
