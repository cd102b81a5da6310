//! The interface of a log to the file system: [`Disk`]. Tests use a simulated disk that fails and loses writes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::PathBuf;

/// A folder.
pub(super) trait Disk: Send {
    type File: DiskFile;

    /// Opens a file for reading and writing, if it exists.
    fn open(&self, name: &str) -> io::Result<Option<Self::File>>;

    /// Creates an empty file, and replaces any file with this name.
    fn create(&self, name: &str) -> io::Result<Self::File>;

    /// Renames a file, and replaces any file with the new name.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Waits until the creations and renames of files survive a crash.
    fn sync(&self) -> io::Result<()>;
}

/// An open file.
pub(super) trait DiskFile: Read + Write + Seek + Send {
    fn length(&self) -> io::Result<u64>;

    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Waits until everything that was written to the file survives a crash.
    fn sync(&mut self) -> io::Result<()>;
}

/// A folder of the operating system.
#[derive(Clone, Debug)]
pub(super) struct Folder(pub(super) PathBuf);

/// Returns options for files that only their owner can read, because conversations are private.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

impl Disk for Folder {
    type File = File;

    fn open(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path) {
            // A link could lead to the log of another conversation, which has a lock of its own.
            Ok(metadata) if !metadata.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")),
            Ok(_) => private().open(path).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn create(&self, name: &str) -> io::Result<File> {
        let path = self.0.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            // A new file, so that nothing is written through a link.
            _ => private().create_new(true).open(path),
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    fn sync(&self) -> io::Result<()> {
        // Other systems cannot open a folder as a file, but they write the entries of a folder at once.
        if cfg!(unix) { File::open(&self.0)?.sync_all() } else { Ok(()) }
    }
}

impl DiskFile for File {
    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
