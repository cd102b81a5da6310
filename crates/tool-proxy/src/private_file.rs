//! Files that only their owner can read, and that several processes change: [`replace`] and [`Lock`].
//!
//! Invariant: a reader sees a file before or after a change, never a part of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// The number of attempts to lock the file, and the pause between them. Nobody holds the lock for longer than it takes to write the file.
const ATTEMPTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// Returns the path of a file beside another one.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(end);
    path.with_file_name(name)
}

/// Returns options for a file that only its owner can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Replaces a file in one step. The caller has its [`Lock`].
///
/// # Errors
///
/// Fails if the file, or the temporary one beside it, cannot be written.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // A crash may have left it behind; only the owner of the lock uses it.
    let temporary = beside(path, "tmp");
    let _ = fs::remove_file(&temporary);
    let mut file = private().create_new(true).open(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)
}

/// The lock of a file. It ends when this value is dropped, or with the process.
pub struct Lock(#[cfg_attr(not(unix), expect(dead_code, reason = "the open file is the lock"))] File);

impl Lock {
    /// Waits until no other process has the lock. The file of the lock is never removed, so that all processes lock the same one.
    ///
    /// # Errors
    ///
    /// Fails if another process has the lock for too long, or if its file cannot be opened.
    pub fn of(path: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            if let Some(lock) = Self::try_of(path)? {
                return Ok(lock);
            }
            sleep(PAUSE);
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// Takes the lock of a file. `None` if another process has it.
    ///
    /// # Errors
    ///
    /// Fails if the file of the lock cannot be opened.
    pub fn try_of(path: &Path) -> io::Result<Option<Self>> {
        match Self::at(&beside(path, "lock")) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) if is_busy(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(unix)]
    fn at(path: &Path) -> io::Result<Self> {
        let file = private().create(true).truncate(false).open(path)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self(file))
    }

    /// On other systems, an open file that is not shared is the lock.
    #[cfg(not(unix))]
    fn at(path: &Path) -> io::Result<Self> {
        let mut options = private();
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        options.create(true).truncate(false).open(path).map(Self)
    }
}

/// Returns `true` if another process has the lock.
fn is_busy(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    error.kind() == io::ErrorKind::WouldBlock || (cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION))
}

#[cfg(unix)]
impl Drop for Lock {
    /// Releases the lock before the file is closed: a process that another thread starts has a copy of each open file for a moment.
    fn drop(&mut self) {
        // If this fails, the lock ends when the file is closed.
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}
