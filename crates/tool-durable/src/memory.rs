//! A store in memory: [`InMemoryStore`].

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::store::{ListedConversation, Log, OpenedLog, Store, StoreError, StoreFuture};

/// A store in memory, for tests. Clones share their conversations, so a test can use a clone for the process that starts after a crash.
///
/// ```
/// use tool_durable::InMemoryStore;
/// use tool_durable::store::{Store, StoreError};
///
/// let store = InMemoryStore::new();
/// let opened = pollster::block_on(store.open("order 7"))?;
/// assert!(matches!(pollster::block_on(store.clone().open("order 7")), Err(StoreError::Busy { .. })));
/// drop(opened);
/// assert!(pollster::block_on(store.open("order 7")).is_ok());
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Clone, Default)]
pub struct InMemoryStore(Arc<Mutex<HashMap<String, Kept>>>);

#[derive(Default)]
struct Kept {
    records: Vec<Vec<u8>>,
    is_open: bool,
    /// The time of the last change; `None` if nothing was written yet.
    changed: Option<SystemTime>,
}

impl InMemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for InMemoryStore {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let mut all = self.kept();
            let kept = all.entry(conversation.to_owned()).or_default();
            if kept.is_open {
                return Err(StoreError::Busy { conversation: conversation.to_owned() });
            }
            kept.is_open = true;
            let records = kept.records.clone();
            drop(all);
            Ok(OpenedLog::new(MemoryLog { store: self.clone(), conversation: conversation.to_owned() }, records))
        })
    }

    fn list<'a>(&'a self, after: Option<&'a str>, most: usize) -> StoreFuture<'a, Vec<ListedConversation>> {
        Box::pin(async move {
            let all = self.kept();
            let written = all.iter().filter_map(|(id, kept)| Some((id, kept.changed?)));
            let later = written.filter(|(id, _)| after.is_none_or(|after| id.as_str() > after));
            let mut listed: Vec<ListedConversation> =
                later.map(|(id, changed)| ListedConversation::new(id, changed)).collect();
            drop(all);
            listed.sort_unstable_by(|one, other| one.id.cmp(&other.id));
            listed.truncate(most);
            Ok(listed)
        })
    }

    fn remove<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let mut all = self.kept();
            if all.get(conversation).is_some_and(|kept| kept.is_open) {
                return Err(StoreError::Busy { conversation: conversation.to_owned() });
            }
            Ok(all.remove(conversation).is_some_and(|kept| kept.changed.is_some()))
        })
    }
}

struct MemoryLog {
    store: InMemoryStore,
    conversation: String,
}

impl MemoryLog {
    fn change(&self, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
        if let Some(kept) = self.store.kept().get_mut(&self.conversation) {
            change(&mut kept.records);
            kept.changed = Some(SystemTime::now());
        }
    }
}

impl Log for MemoryLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.change(|kept| kept.extend_from_slice(records));
            Ok(())
        })
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.change(|kept| *kept = records.to_vec());
            Ok(())
        })
    }
}

impl Drop for MemoryLog {
    fn drop(&mut self) {
        if let Some(kept) = self.store.kept().get_mut(&self.conversation) {
            kept.is_open = false;
        }
    }
}

impl fmt::Debug for InMemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemoryStore").field("conversations", &self.kept().len()).finish()
    }
}
