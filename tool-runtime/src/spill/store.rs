//! The trait for storage of whole results, [`ResultStore`], and the [`ResultKey`] of a result.

use std::sync::Arc;

/// The key of one result in a [`ResultStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ResultKey {
    /// A random number of the session, which does not change when the session is saved and restored. A model never sees this number and
    /// cannot choose it.
    pub session: u64,
    /// The number of the result within the session, starting at 1. The handle of result 1 is `result_1`, with a further, random part if several
    /// clients share the session.
    pub number: u64,
}

impl ResultKey {
    /// Creates a key, for testing a store.
    pub const fn new(session: u64, number: u64) -> Self {
        Self { session, number }
    }
}

/// A store that keeps whole results outside of a conversation, for [`Guard::spill`](crate::toolbox::Guard::spill).
///
/// [`InMemoryResultStore`](crate::toolbox::InMemoryResultStore) keeps results in memory. A store is called on the thread of a call and
/// should be fast. If it panics, the result counts as not kept.
///
/// ```
/// use std::fs;
/// use std::path::PathBuf;
/// use std::sync::Arc;
/// use tool_runtime::toolbox::{Guard, ResultKey, ResultStore};
///
/// /// Keeps results of up to 10 MB as files of a folder that something else empties.
/// struct Folder(PathBuf);
///
/// impl Folder {
///     fn path(&self, key: ResultKey) -> PathBuf {
///         self.0.join(format!("{:016x}-{}.txt", key.session, key.number))
///     }
/// }
///
/// impl ResultStore for Folder {
///     fn put(&self, key: ResultKey, text: Arc<str>) -> bool {
///         text.len() <= 10_000_000 && fs::write(self.path(key), &*text).is_ok()
///     }
///     fn get(&self, key: ResultKey) -> Option<Arc<str>> {
///         fs::read_to_string(self.path(key)).ok().map(Arc::from)
///     }
/// }
///
/// let store = Folder(std::env::temp_dir());
/// let key = ResultKey::new(7, 1);
/// assert!(store.put(key, "all of it".into()));
/// assert_eq!(store.get(key).as_deref(), Some("all of it"));
/// fs::remove_file(store.path(key))?;
/// let guard = Guard::new().spill(store);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ResultStore: Send + Sync {
    /// Keeps a result and returns `true`, or returns `false` if the result is too long for the store. Older results may
    /// be evicted.
    fn put(&self, key: ResultKey, text: Arc<str>) -> bool;

    /// Returns a result, or `None` if it has been removed.
    fn get(&self, key: ResultKey) -> Option<Arc<str>>;

    /// Removes the results of a session that has ended. A store that removes old results by itself need not do anything.
    ///
    /// This method is not called for a session that was [saved](crate::Session::snapshot), because the restored session reads its results.
    fn forget(&self, session: u64) {
        let _ = session;
    }
}

impl<S: ResultStore + ?Sized> ResultStore for Arc<S> {
    fn put(&self, key: ResultKey, text: Arc<str>) -> bool {
        (**self).put(key, text)
    }

    fn get(&self, key: ResultKey) -> Option<Arc<str>> {
        (**self).get(key)
    }

    fn forget(&self, session: u64) {
        (**self).forget(session);
    }
}
