//! The files of a folder: which conversations there are, their locks, and their removal.

use std::collections::BinaryHeap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::disk::{self, Disk, Folder};
use super::file_name;
use crate::store::{ListedConversation, StoreError};

/// The maximum number of attempts to lock a file that other processes remove at the same time.
const ATTEMPTS: usize = 100;

/// The lock of a conversation. It ends when this value is dropped, or with the process.
pub(super) struct Lock(File);

impl Drop for Lock {
    /// Releases the lock before the file is closed. While another thread starts a process, that process has a copy of every open file until it
    /// runs its own program, and the copy would keep the lock.
    fn drop(&mut self) {
        // If this fails, the lock ends when the file is closed.
        let _ = self.0.unlock();
    }
}

/// Locks a conversation. Returns the name of its files, without an extension, and the lock.
pub(super) fn locked(folder: &Path, conversation: &str) -> Result<(String, Lock), StoreError> {
    let name =
        file_name::name(conversation).map_err(|bytes| StoreError::IdTooLong { bytes, max: file_name::MOST_BYTES })?;
    let path = folder.join(format!("{name}.lock"));
    let failed = |source| StoreError::Io { path: path.clone(), source };
    for _ in 0..ATTEMPTS {
        let lock = disk::private().create(true).truncate(false).open(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if is_at(&lock, &path).map_err(failed)? {
            return Ok((name, Lock(lock)));
        }
    }
    Err(StoreError::Busy { conversation: conversation.to_owned() })
}

/// Returns `true` if the file still has this path, and the path is not a link. If it was removed before it was locked, another process may lock
/// a new file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(identity(&found) == identity(&file.metadata()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// On other systems, locks are never removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Removes a conversation. Returns `false` if it had no records.
pub(super) fn remove(folder: &Path, conversation: &str) -> Result<bool, StoreError> {
    let (name, lock) = locked(folder, conversation)?;
    let removed = |extension: &str| {
        let path = folder.join(format!("{name}.{extension}"));
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(source) => Err(StoreError::Io { path, source }),
        }
    };
    let had_records = removed("log")?;
    // The remains of a log that was being replaced when a process ended.
    removed("log.new")?;
    if cfg!(unix) {
        removed("lock")?;
    }
    let folder = Folder(folder.to_owned());
    folder.sync().map_err(|source| StoreError::Io { path: folder.0.clone(), source })?;
    drop(lock);
    Ok(had_records)
}

/// Returns the first conversations after an id. Only this number of ids is in memory at any time, however many files there are.
pub(super) fn list(folder: &Path, mut after: Option<String>, most: usize) -> io::Result<Vec<ListedConversation>> {
    loop {
        let mut first: BinaryHeap<String> = BinaryHeap::new();
        for entry in fs::read_dir(folder)? {
            let file = entry?.file_name();
            let id = file.to_str().and_then(|file| file.strip_suffix(".log")).and_then(file_name::id);
            let Some(id) = id.filter(|id| after.as_ref().is_none_or(|after| id > after)) else { continue };
            first.push(id);
            if first.len() > most {
                first.pop();
            }
        }
        let ids = first.into_sorted_vec();
        after = ids.last().cloned();
        let mut listed = Vec::with_capacity(ids.len());
        for id in ids {
            let path = folder.join(format!("{}.log", file_name::name(&id).unwrap_or_default()));
            match fs::metadata(path).and_then(|metadata| metadata.modified()) {
                Ok(changed) => listed.push(ListedConversation::new(id, changed)),
                // It was removed meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        // If all of them were removed meanwhile, an empty list would mean that there are no more.
        if !listed.is_empty() || after.is_none() {
            return Ok(listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::locked;

    #[test]
    fn the_lock_ends_although_a_process_that_starts_has_a_copy_of_its_file() {
        let folder = std::env::temp_dir().join(format!("tool-durable-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be created");
        let (_, lock) = locked(&folder, "a").expect("nobody has it open");
        let copy = lock.0.try_clone().expect("a file can be copied");
        assert!(locked(&folder, "a").is_err());
        drop(lock);
        assert!(locked(&folder, "a").is_ok());
        drop(copy);
        let _ = std::fs::remove_dir_all(&folder);
    }
}
