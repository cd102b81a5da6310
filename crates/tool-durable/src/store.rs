//! Storage for the records of conversations: the traits [`Store`] and [`Log`].
//!
//! Every store must keep these invariants: once [`Log::append`] has succeeded, its records survive a crash of the process and of the
//! machine. The records of one `append` are kept as a whole or not at all. Only one [`Log`] of a conversation exists at a time.

use std::error::Error;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

/// The future of an operation of a store.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A store of conversations, each of which is a log of records.
///
/// [`FileStore`](crate::FileStore) keeps conversations in files, and [`InMemoryStore`](crate::InMemoryStore) in memory. To keep them
/// elsewhere, such as in a database, implement this trait and [`Log`].
///
/// ```
/// use tool_durable::InMemoryStore;
/// use tool_durable::store::Store;
///
/// # pollster::block_on(async {
/// let store = InMemoryStore::new();
/// let mut opened = store.open("order 7").await?;
/// opened.log.append(&[b"one".to_vec(), b"two".to_vec()]).await?;
/// drop(opened); // the process ends
///
/// let opened = store.open("order 7").await?;
/// assert_eq!(opened.records, [b"one".to_vec(), b"two".to_vec()]);
/// # Ok::<(), tool_durable::store::StoreError>(())
/// # })?;
/// # Ok::<(), tool_durable::store::StoreError>(())
/// ```
pub trait Store: Send + Sync {
    /// Opens the log of a conversation, which is empty if the conversation is new. The log is locked until it is dropped.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Busy`] if the log is already open, in this process or in another one.
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog>;

    /// Returns up to `most` conversations that have records, in the order of their ids. `after` is the last id of the previous list, and
    /// `None` for the first list. An empty list means that there are no more.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Unsupported`] unless the store implements this method.
    fn list<'a>(&'a self, after: Option<&'a str>, most: usize) -> StoreFuture<'a, Vec<ListedConversation>> {
        let _ = (after, most);
        Box::pin(std::future::ready(Err(StoreError::Unsupported { operation: "list" })))
    }

    /// Removes a conversation with all its records. Returns `false` if there was none.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Busy`] if the conversation is open, and with [`StoreError::Unsupported`] unless the store implements this
    /// method.
    fn remove<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, bool> {
        let _ = conversation;
        Box::pin(std::future::ready(Err(StoreError::Unsupported { operation: "remove" })))
    }
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        (**self).open(conversation)
    }

    fn list<'a>(&'a self, after: Option<&'a str>, most: usize) -> StoreFuture<'a, Vec<ListedConversation>> {
        (**self).list(after, most)
    }

    fn remove<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, bool> {
        (**self).remove(conversation)
    }
}

/// A conversation in the list that [`Store::list`] returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedConversation {
    /// The id of the conversation.
    pub id: String,
    /// The time of its last record.
    pub changed_at: SystemTime,
}

impl ListedConversation {
    /// Creates the entry of a conversation.
    pub fn new(id: impl Into<String>, changed: SystemTime) -> Self {
        Self { id: id.into(), changed_at: changed }
    }
}

/// The log of one conversation.
///
/// If the future of a method is dropped before it is done, the records that were passed to the method may or may not be kept.
pub trait Log: Send {
    /// Appends records. Once the future is done, they survive a crash. Either all of them are kept or none.
    ///
    /// # Errors
    ///
    /// After an error, the records may still be found when the log is opened again, unless a later `append` has succeeded.
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()>;

    /// Replaces all records of the log. After a crash, either the old records or the new ones are found.
    ///
    /// # Errors
    ///
    /// After an error, the old records or the new ones are found when the log is opened again. Until then, the log may reject records with
    /// [`StoreError::UnknownRecords`].
    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()>;
}

/// An opened log with the records that it contains.
#[non_exhaustive]
pub struct OpenedLog {
    /// The log.
    pub log: Box<dyn Log>,
    /// The records, in order.
    pub records: Vec<Vec<u8>>,
    /// The number of bytes at the end of the log that are not a valid record, and are ignored. Unless the record is
    /// [damaged](Self::damaged_at), the machine stopped while writing it, and no `append` has reported it as kept.
    pub torn_bytes: u64,
    /// The position of a damaged record at the end of the log, in bytes from its start. An `append` may have reported this record as kept,
    /// so a call may have started or ended without any other record of it. The store must return the position until the next `append` or
    /// `replace` has succeeded.
    pub damaged_at: Option<u64>,
}

impl OpenedLog {
    /// Creates the result of opening a log whose last record is complete.
    pub fn new(log: impl Log + 'static, records: Vec<Vec<u8>>) -> Self {
        Self { log: Box::new(log), records, torn_bytes: 0, damaged_at: None }
    }
}

impl std::fmt::Debug for OpenedLog {
    /// Shows the number of records, but not their contents.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut opened = f.debug_struct("OpenedLog");
        opened.field("records", &self.records.len()).field("torn_bytes", &self.torn_bytes);
        opened.field("damaged_at", &self.damaged_at).finish_non_exhaustive()
    }
}

/// An error of a store.
///
/// ```
/// use tool_durable::store::StoreError;
///
/// let error = StoreError::TooLarge { bytes: 70_000_000, max: 67_108_864 };
/// assert_eq!(error.to_string(), "the records have 70000000 bytes, and at most 67108864 are allowed; they were not stored");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The log is open already.
    #[error("the conversation `{conversation}` is already open, here or in another process")]
    Busy {
        /// The id of the conversation.
        conversation: String,
    },
    /// The id is too long for the name of a file.
    #[error("the id of the conversation needs {bytes} bytes as the name of a file; at most {max} are possible")]
    IdTooLong {
        /// The number of bytes that the name would have.
        bytes: usize,
        /// The maximum number of bytes.
        max: usize,
    },
    /// The records of one `append` are too large.
    #[error("the records have {bytes} bytes, and at most {max} are allowed; they were not stored")]
    TooLarge {
        /// The number of bytes.
        bytes: usize,
        /// The maximum number of bytes.
        max: usize,
    },
    /// A file is damaged in its first record, or before its last one, so its end cannot be left out. The file was not changed.
    #[error("{} is damaged at byte {offset}; only a damaged end can be left out, so the file was not changed", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The position of the damaged record or header, in bytes from the start of the file.
        offset: u64,
    },
    /// A log was written by a newer version of this crate.
    #[error("{} has the format {version}; this version of tool-durable reads formats up to {newest}", path.display())]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The format version of the log.
        version: u32,
        /// The newest format version that can be read.
        newest: u32,
    },
    /// The records of the file are unknown after an earlier error. Open the log again.
    #[error("an earlier error left {} in an unknown state; open the conversation again", path.display())]
    UnknownRecords {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The store does not implement an operation.
    #[error("the store cannot {operation} conversations")]
    Unsupported {
        /// The name of the operation.
        operation: &'static str,
    },
    /// The error of a store of another crate.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// Wraps the error of a store of your own.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}
