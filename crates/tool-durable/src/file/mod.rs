//! A store in a folder: [`FileStore`].
//!
//! Invariants: a conversation has two files, the log and an empty file that is only locked. The lock ends with its process, whatever ends
//! the process. A locked file is only used while it has its name, because removing a conversation also removes this file.

mod disk;
mod file_name;
mod folder;
mod frame;
mod log;
#[cfg(test)]
mod tests;
mod workers;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::disk::Folder;
use self::frame::Unreadable;
use self::log::{DiskLog, NotKept};
use self::workers::Workers;
use crate::store::{ListedConversation, Log, OpenedLog, Store, StoreError, StoreFuture};

/// A store that keeps each conversation in a file of its own, in one folder.
///
/// Once records are appended, they survive a crash of the machine. The name of a file is derived from the id of its conversation, and the
/// id may contain any characters. A conversation can only be opened once at a time, by one process. The lock ends with the process, even if
/// the process is killed. The folder must be on a local disk, because many network file systems neither lock files nor sync them reliably.
///
/// The files contain the whole conversation. On systems with file permissions, only their owner can read them.
///
/// ```
/// use tool_durable::FileStore;
/// use tool_durable::store::Store;
///
/// # pollster::block_on(async {
/// let folder = std::env::temp_dir().join(format!("tool-durable-{}", std::process::id()));
/// let store = FileStore::new(&folder)?;
/// let mut opened = store.open("order 7").await?;
/// opened.log.append(&[b"one".to_vec()]).await?;
/// assert!(folder.join("c-order%207.log").exists());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FileStore {
    folder: PathBuf,
    workers: Arc<Workers>,
}

impl FileStore {
    /// Creates a store in a folder. The folder is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created, or if no thread can be started.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let folder = folder.into();
        let workers = std::fs::create_dir_all(&folder).and_then(|()| Workers::start());
        match workers {
            Ok(workers) => Ok(Self { folder, workers: Arc::new(workers) }),
            Err(source) => Err(StoreError::Io { path: folder, source }),
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Store for FileStore {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let (folder, id, workers) = (self.folder.clone(), conversation.to_owned(), Arc::clone(&self.workers));
            self.workers.run(move || open(folder, &id, workers)).await
        })
    }

    fn list<'a>(&'a self, after: Option<&'a str>, most: usize) -> StoreFuture<'a, Vec<ListedConversation>> {
        let (path, after) = (self.folder.clone(), after.map(str::to_owned));
        Box::pin(
            self.workers
                .run(move || folder::list(&path, after, most).map_err(|source| StoreError::Io { path, source })),
        )
    }

    fn remove<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, bool> {
        let (path, id) = (self.folder.clone(), conversation.to_owned());
        Box::pin(self.workers.run(move || folder::remove(&path, &id)))
    }
}

fn open(folder: PathBuf, conversation: &str, workers: Arc<Workers>) -> Result<OpenedLog, StoreError> {
    let (name, lock) = folder::locked(&folder, conversation)?;
    let (name, path) = (format!("{name}.log"), folder.join(format!("{name}.log")));
    let (log, contents) = DiskLog::open(Folder(folder), name).map_err(|unreadable| match unreadable {
        Unreadable::Io(source) => StoreError::Io { path: path.clone(), source },
        Unreadable::Damaged(offset) => StoreError::Damaged { path: path.clone(), offset },
        Unreadable::Newer(version) => StoreError::NewerVersion { path: path.clone(), version, newest: frame::VERSION },
    })?;
    let log = FileLog { open: Arc::new(Mutex::new(Some((log, lock)))), path, workers };
    let damaged_at = contents.is_damaged.then_some(contents.end);
    Ok(OpenedLog { log: Box::new(log), records: contents.records, torn_bytes: contents.torn, damaged_at })
}

/// The log of a conversation in a folder.
struct FileLog {
    open: Arc<Mutex<Locked>>,
    path: PathBuf,
    workers: Arc<Workers>,
}

/// A log with its lock. `None` once its handle was dropped, so that jobs that have not begun by then do nothing.
type Locked = Option<(DiskLog<Folder>, folder::Lock)>;

/// A change of a log.
type Change = fn(&mut DiskLog<Folder>, &[Vec<u8>]) -> Result<(), NotKept>;

fn lock(open: &Mutex<Locked>) -> MutexGuard<'_, Locked> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FileLog {
    /// Changes the log on a thread that may wait for the disk.
    fn change<'a>(&'a mut self, records: &[Vec<u8>], change: Change) -> StoreFuture<'a, ()> {
        let (open, path, records) = (Arc::clone(&self.open), self.path.clone(), records.to_vec());
        Box::pin(self.workers.run(move || {
            let Some((log, _)) = &mut *lock(&open) else { return Ok(()) };
            change(log, &records).map_err(|reason| match reason {
                NotKept::Io(source) => StoreError::Io { path, source },
                NotKept::TooLarge(bytes) => StoreError::TooLarge { bytes, max: frame::MOST_BYTES },
                NotKept::Lost => StoreError::UnknownRecords { path },
            })
        }))
    }
}

impl Log for FileLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.change(records, DiskLog::append)
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.change(records, DiskLog::replace)
    }
}

impl Drop for FileLog {
    /// Waits until a running job has ended, so that the conversation can be opened again immediately after the drop.
    fn drop(&mut self) {
        lock(&self.open).take();
    }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").field("folder", &self.folder).finish_non_exhaustive()
    }
}
