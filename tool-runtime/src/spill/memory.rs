//! A store in memory: [`InMemoryResultStore`].
//!
//! Invariant: the store never exceeds its limits of bytes and results; the oldest results are evicted first.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ResultKey, ResultStore};

const BYTES: usize = 16 * 1_024 * 1_024;
const ENTRIES: usize = 256;

/// A store in memory. Its limits, one for bytes and one for results, apply to all sessions together. The oldest results are evicted first.
///
/// ```
/// use tool_runtime::toolbox::{InMemoryResultStore, ResultKey, ResultStore};
///
/// let store = InMemoryResultStore::with_bounds(10, 2);
/// assert!(store.put(ResultKey::new(1, 1), "abcdef".into()));
/// assert!(store.put(ResultKey::new(1, 2), "ghijkl".into())); // 12 bytes are too many: the first is evicted
/// assert_eq!(store.get(ResultKey::new(1, 1)), None);
/// assert_eq!(store.get(ResultKey::new(1, 2)).as_deref(), Some("ghijkl"));
/// assert!(!store.put(ResultKey::new(1, 3), "more than ten bytes".into()));
/// ```
pub struct InMemoryResultStore {
    bytes: usize,
    entries: usize,
    kept: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    texts: HashMap<ResultKey, Arc<str>>,
    /// The keys of `texts`, the oldest first.
    order: VecDeque<ResultKey>,
    bytes: usize,
}

impl InMemoryResultStore {
    /// Creates a store for at most 16 MB and 256 results.
    pub fn new() -> Self {
        Self::with_bounds(BYTES, ENTRIES)
    }

    /// Creates a store for at most `bytes` bytes of text and `entries` results.
    pub fn with_bounds(bytes: usize, entries: usize) -> Self {
        Self { bytes, entries, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Table> {
        // No code that can panic runs under the lock.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for InMemoryResultStore {
    fn default() -> Self {
        Self::new()
    }
}

impl Table {
    fn remove(&mut self, key: ResultKey) {
        if let Some(text) = self.texts.remove(&key) {
            self.bytes -= text.len();
        }
    }
}

impl ResultStore for InMemoryResultStore {
    fn put(&self, key: ResultKey, text: Arc<str>) -> bool {
        if text.len() > self.bytes || self.entries == 0 {
            return false;
        }
        let mut kept = self.kept();
        if kept.texts.contains_key(&key) {
            kept.remove(key);
            kept.order.retain(|&other| other != key);
        }
        while kept.order.len() >= self.entries || self.bytes - kept.bytes < text.len() {
            let Some(oldest) = kept.order.pop_front() else { break };
            kept.remove(oldest);
        }
        kept.bytes += text.len();
        kept.order.push_back(key);
        kept.texts.insert(key, text);
        true
    }

    fn get(&self, key: ResultKey) -> Option<Arc<str>> {
        self.kept().texts.get(&key).cloned()
    }

    fn forget(&self, session: u64) {
        let mut kept = self.kept();
        let gone: Vec<_> = kept.order.iter().copied().filter(|key| key.session == session).collect();
        for key in gone {
            kept.remove(key);
        }
        kept.order.retain(|key| key.session != session);
    }
}

impl fmt::Debug for InMemoryResultStore {
    /// Formats the amount of kept text, but not the text itself.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept();
        f.debug_struct("InMemoryResultStore").field("results", &kept.order.len()).field("bytes", &kept.bytes).finish()
    }
}
