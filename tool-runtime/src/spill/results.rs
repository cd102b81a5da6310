//! The results that one session has kept: [`Results`].
//!
//! Invariant: a handle is a number of this session, so it cannot name a result of another one.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::{ResultKey, ResultStore};
use crate::caught::caught;

/// Counts the sessions of this process that have kept a result.
static SESSIONS: AtomicU64 = AtomicU64::new(0);

/// How many stores are searched, if the toolbox has no more.
const STORES: usize = 8;

type Stores = [Arc<dyn ResultStore>];

const PREFIX: &str = "result_";

/// The results that one session has kept, in whichever store.
#[derive(Default)]
pub(crate) struct Results {
    /// Where the results are: in the stores of the toolbox first, then in those of earlier toolboxes of the session.
    stores: Mutex<Arc<Stores>>,
    session: OnceLock<u64>,
    /// The number of the newest result.
    count: AtomicU64,
    /// Set once the result of a call that sent a secret is among them.
    has_secrets: AtomicBool,
}

/// A result that is asked for.
pub(crate) enum Kept {
    Text(Arc<str>),
    /// Newer results took its place.
    Evicted,
    /// There never was one; how many there were.
    Unknown(u64),
}

impl Results {
    pub(crate) fn new(stores: Arc<Stores>) -> Self {
        let mut results = Self::default();
        results.stores = Mutex::new(stores);
        results
    }

    /// Searches the stores of another toolbox too. The results of the oldest store are forgotten if there are too many stores.
    pub(crate) fn add(&self, stores: &Stores) {
        let mut known = self.stores();
        let is_new = |earlier: &&Arc<dyn ResultStore>| !stores.iter().any(|store| Arc::ptr_eq(store, earlier));
        let mut all: Vec<_> = stores.iter().chain(known.iter().filter(is_new)).cloned().collect();
        let forgotten = all.split_off(all.len().min(STORES.max(stores.len())));
        *known = all.into();
        drop(known);
        self.forget(&forgotten);
    }

    fn stores(&self) -> MutexGuard<'_, Arc<Stores>> {
        // Nothing of a host's runs under the lock.
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, stores: &Stores) {
        let Some(&session) = self.session.get() else { return };
        for store in stores {
            // A store that panics keeps no session from ending.
            let _ = caught(|| store.forget(session));
        }
    }

    /// Keeps a result; `None` if the store does not take it.
    pub(crate) fn keep(&self, store: &dyn ResultStore, text: &str, has_secrets: bool) -> Option<String> {
        if has_secrets {
            // Before the result can be read.
            self.has_secrets.store(true, Ordering::Release);
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let key = ResultKey::new(self.session(), number);
        let is_kept = caught(|| store.put(key, Arc::from(text))).unwrap_or(false);
        is_kept.then(|| format!("{PREFIX}{number}"))
    }

    pub(crate) fn find(&self, handle: &str) -> Kept {
        let count = self.count.load(Ordering::Relaxed);
        let number = handle.trim().strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let Some(number) = number.filter(|number| (1..=count).contains(number)) else { return Kept::Unknown(count) };
        let key = ResultKey::new(self.session(), number);
        let stores = Arc::clone(&self.stores());
        let found = stores.iter().find_map(|store| caught(|| store.get(key)).ok().flatten());
        found.map_or(Kept::Evicted, Kept::Text)
    }

    /// Checks for a kept result that may repeat a secret.
    #[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "only a trace leaves out results"))]
    pub(crate) fn has_secrets(&self) -> bool {
        self.has_secrets.load(Ordering::Acquire)
    }

    fn session(&self) -> u64 {
        *self.session.get_or_init(|| SESSIONS.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        let stores = Arc::clone(&self.stores());
        self.forget(&stores);
    }
}
