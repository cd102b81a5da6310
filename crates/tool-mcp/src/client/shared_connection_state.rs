//! The state of one connection that the transport and the calls share: [`ConnectionState`].
//!
//! Invariant: a progress report reaches its call before the answer to the call does, because the transport passes on both in order.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use tokio::sync::watch;
use tool_runtime::CallContext;
use tool_runtime::clock::Clock;

use super::page::Definition;

/// The events of one connection.
pub(super) struct ConnectionState {
    /// The time at which the connection ended, and the reason; `None` until then.
    ended: watch::Sender<Option<(Duration, String)>>,
    pub(super) clock: Arc<dyn Clock>,
    /// The number of times that the list of tools became outdated, counted over all connections to the server.
    stale: Arc<watch::Sender<u64>>,
    routes: Mutex<HashMap<ProgressToken, Arc<Route>>>,
    /// The definitions on the last received page of the list, recorded before the transport drops some of them; `None` if it drops none.
    list: Mutex<Option<Vec<Definition>>>,
    /// The number of questions that the host is currently answering.
    asking: AtomicUsize,
}

/// The call that gets the progress reports for a request.
pub(super) struct Route {
    cx: CallContext,
    reports: AtomicUsize,
    is_over: AtomicBool,
}

impl ConnectionState {
    pub(super) fn new(stale: Arc<watch::Sender<u64>>, clock: Arc<dyn Clock>) -> Self {
        Self {
            ended: watch::Sender::new(None),
            clock,
            stale,
            routes: Mutex::default(),
            list: Mutex::default(),
            asking: AtomicUsize::new(0),
        }
    }

    /// Ends the connection. If it has already ended, the first reason is kept.
    pub(super) fn end(&self, reason: impl Into<String>) {
        self.ended.send_if_modified(|ended| {
            let is_first = ended.is_none();
            ended.get_or_insert_with(|| (self.clock.now(), reason.into()));
            is_first
        });
    }

    /// Returns the time and the reason of the end, if the connection has ended.
    pub(super) fn end_of_connection(&self) -> Option<(Duration, String)> {
        self.ended.borrow().clone()
    }

    /// Waits until the connection has ended, and returns the reason.
    pub(super) async fn ended(&self) -> String {
        let mut ended = self.ended.subscribe();
        // The sender lives as long as `self`, so this cannot fail.
        let reason = ended.wait_for(Option::is_some).await;
        reason.ok().and_then(|ended| ended.as_ref().map(|(_, reason)| reason.clone())).unwrap_or_default()
    }

    pub(super) fn outdate(&self) {
        self.stale.send_modify(|count| *count += 1);
    }

    /// Records the definitions of a page before the transport drops some of them.
    #[cfg(feature = "http-client")]
    pub(super) fn receive_list(&self, definitions: Vec<Definition>) {
        *self.list.lock().unwrap_or_else(PoisonError::into_inner) = Some(definitions);
    }

    pub(super) fn take_list(&self) -> Option<Vec<Definition>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Adds a route, unless the call ended before its request was sent.
    pub(super) fn add_route(&self, token: ProgressToken, route: Arc<Route>) {
        let mut routes = self.routes();
        if !route.is_over.load(Ordering::Acquire) {
            routes.insert(token, route);
        }
    }

    pub(super) fn remove_route(&self, token: &ProgressToken, route: &Route) {
        let mut routes = self.routes();
        route.is_over.store(true, Ordering::Release);
        routes.remove(token);
    }

    /// Passes a progress report on to its call. A report of an unknown call is dropped.
    pub(super) fn report(&self, params: &ProgressNotificationParam) {
        let route = self.routes().get(&params.progress_token).map(Arc::clone);
        if let Some(route) = route {
            route.reports.fetch_add(1, Ordering::Relaxed);
            route.cx.progress(params.progress, params.total, params.message.as_deref().unwrap_or_default());
        }
    }

    fn routes(&self) -> MutexGuard<'_, HashMap<ProgressToken, Arc<Route>>> {
        // No code under the lock can panic.
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a question as open until the returned value is dropped. Returns `None` if `most` questions are already open.
    pub(super) fn ask(self: &Arc<Self>, most: usize) -> Option<Asking> {
        let free = |asking| (asking < most).then_some(asking + 1);
        self.asking.fetch_update(Ordering::AcqRel, Ordering::Acquire, free).ok().map(|_| Asking(Arc::clone(self)))
    }

    pub(super) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Acquire) > 0
    }
}

impl Route {
    pub(super) fn new(cx: CallContext) -> Self {
        Self { cx, reports: AtomicUsize::new(0), is_over: AtomicBool::new(false) }
    }

    /// Returns the number of progress reports so far.
    pub(super) fn reports(&self) -> usize {
        self.reports.load(Ordering::Relaxed)
    }
}

/// A question that the host is answering.
pub(super) struct Asking(Arc<ConnectionState>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::AcqRel);
    }
}
