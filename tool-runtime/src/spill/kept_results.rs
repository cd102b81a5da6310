//! The results that one session has kept: [`KeptResults`].
//!
//! Invariant: a handle is a number that is looked up in this session only, so it cannot name a result of another session. If several clients
//! share the session, each handle also has a hash with a random key, so that a client cannot guess the handles of the others.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::{ResultKey, ResultStore};
use crate::catch_panic::catch_panic;

/// The maximum number of stores that are searched, unless the toolbox itself has more.
const STORES: usize = 8;

type Stores = [Arc<dyn ResultStore>];

const PREFIX: &str = "result_";

/// The results that one session has kept, across all stores.
#[derive(Default)]
pub(crate) struct KeptResults {
    /// The stores to search: first those of the toolbox, then those of earlier toolboxes of the session.
    stores: Mutex<Arc<Stores>>,
    session: OnceLock<u64>,
    /// The number of the newest result.
    count: AtomicU64,
    /// `true` once a result of a call that sent a secret is kept.
    has_secrets: AtomicBool,
    /// The key of the hashes in handles; empty unless several clients share the session.
    seal: OnceLock<RandomState>,
    /// `true` once the session was saved. The results are then not removed when the session ends, so that a restored session can read them.
    is_saved: AtomicBool,
}

/// The result of a lookup.
pub(crate) enum KeptResult {
    Text(Arc<str>),
    /// The result was evicted for newer ones.
    Evicted,
    /// There never was such a result. The number counts all results that the session has kept.
    Unknown(u64),
    /// There never was such a result, and handles cannot be guessed.
    Sealed,
}

impl KeptResults {
    pub(crate) fn new(stores: Arc<Stores>) -> Self {
        let mut results = Self::default();
        results.stores = Mutex::new(stores);
        results
    }

    /// Continues with the results that the session with this number kept before it was saved.
    pub(crate) fn resume(stores: &Arc<Stores>, session: Option<u64>, count: u64, has_secrets: bool) -> Self {
        Self {
            stores: Mutex::new(Arc::clone(stores)),
            session: session.map_or_else(OnceLock::new, OnceLock::from),
            count: AtomicU64::new(count),
            has_secrets: AtomicBool::new(has_secrets),
            seal: OnceLock::new(),
            is_saved: AtomicBool::new(session.is_some()),
        }
    }

    /// Returns the number of the session (`None` if it has kept no result), the number of its results, and `true` if one of them may repeat
    /// a secret. From now on, the results outlive the session.
    pub(crate) fn saved(&self) -> (Option<u64>, u64, bool) {
        self.is_saved.store(true, Ordering::Release);
        (self.session.get().copied(), self.count.load(Ordering::Relaxed), self.has_secrets.load(Ordering::Acquire))
    }

    /// Adds the stores of another toolbox to the search. If there are too many stores, the oldest ones are no longer searched, and remove
    /// the results of this session.
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
        // No code of the host runs under the lock.
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, stores: &Stores) {
        let Some(&session) = self.session.get() else { return };
        for store in stores {
            // The session ends even if the store panics.
            let _ = catch_panic(|| store.forget(session));
        }
    }

    /// Keeps a result and returns its handle, or `None` if the store does not take the result.
    pub(crate) fn keep(&self, store: &dyn ResultStore, text: &str, has_secrets: bool) -> Option<String> {
        if has_secrets {
            // This flag is set before the result can be read.
            self.has_secrets.store(true, Ordering::Release);
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let key = ResultKey::new(self.session(), number);
        let is_kept = catch_panic(|| store.put(key, Arc::from(text))).unwrap_or(false);
        is_kept.then(|| self.handle(number))
    }

    /// Gives the results from now on handles that cannot be guessed.
    pub(crate) fn seal(&self) {
        self.seal.get_or_init(RandomState::new);
    }

    fn handle(&self, number: u64) -> String {
        match self.seal.get() {
            None => format!("{PREFIX}{number}"),
            Some(seal) => format!("{PREFIX}{number}_{:016x}", seal.hash_one(number)),
        }
    }

    pub(crate) fn find(&self, handle: &str) -> KeptResult {
        let count = self.count.load(Ordering::Relaxed);
        let handle = handle.trim();
        let number = handle.strip_prefix(PREFIX).and_then(|rest| match self.seal.get() {
            None => rest.parse().ok(),
            Some(_) => rest.split_once('_')?.0.parse().ok().filter(|number| self.handle(*number) == handle),
        });
        let Some(number) = number.filter(|number| (1..=count).contains(number)) else {
            return if self.seal.get().is_some() { KeptResult::Sealed } else { KeptResult::Unknown(count) };
        };
        let key = ResultKey::new(self.session(), number);
        let stores = Arc::clone(&self.stores());
        let found = stores.iter().find_map(|store| catch_panic(|| store.get(key)).ok().flatten());
        found.map_or(KeptResult::Evicted, KeptResult::Text)
    }

    /// Returns `true` if a kept result may repeat a secret.
    #[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "only a trace leaves out results"))]
    pub(crate) fn has_secrets(&self) -> bool {
        self.has_secrets.load(Ordering::Acquire)
    }

    fn session(&self) -> u64 {
        *self.session.get_or_init(|| RandomState::new().hash_one(0_u8))
    }
}

impl fmt::Debug for KeptResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptResults").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for KeptResults {
    fn drop(&mut self) {
        if !self.is_saved.load(Ordering::Acquire) {
            let stores = Arc::clone(&self.stores());
            self.forget(&stores);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::InMemoryResultStore;
    use super::*;

    #[test]
    fn sealed_handles_cannot_be_guessed() {
        let store = Arc::new(InMemoryResultStore::new());
        let results = KeptResults::new(Arc::from([Arc::clone(&store) as Arc<dyn ResultStore>]));
        results.seal();
        results.seal();
        let handles: Vec<String> = (0..3).filter_map(|_| results.keep(&store, "secret", false)).collect();
        assert!(handles.iter().all(|handle| matches!(results.find(handle), KeptResult::Text(_))), "{handles:?}");
        let (_, hash) = handles[0].rsplit_once('_').expect("a hash");
        for guess in ["result_1", "result_1_", "result_1_0000000000000000", "result_01", &format!("result_2_{hash}")] {
            assert!(matches!(results.find(guess), KeptResult::Sealed), "{guess}");
        }
        let other = KeptResults::new(Arc::from([Arc::clone(&store) as Arc<dyn ResultStore>]));
        other.seal();
        assert!(matches!(other.find(&handles[0]), KeptResult::Sealed));
    }
}
