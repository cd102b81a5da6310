//! A folder of the operating system in which every nth operation fails: a write is half done, and a sync is not done.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::file::disk::{Disk, DiskFile, Folder};

/// Counts operations, and fails those whose number is a multiple of `nth`.
#[derive(Clone)]
pub(super) struct Counter {
    pub(super) nth: usize,
    pub(super) count: Arc<AtomicUsize>,
}

impl Counter {
    fn fails(&self) -> bool {
        (self.count.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.nth)
    }

    fn operate(&self) -> io::Result<()> {
        if self.fails() { Err(io::Error::new(io::ErrorKind::StorageFull, "injected")) } else { Ok(()) }
    }
}

#[derive(Clone)]
pub(super) struct FlakyFolder(pub(super) Folder, pub(super) Counter);

pub(super) struct FlakyFile(File, Counter);

impl Disk for FlakyFolder {
    type File = FlakyFile;

    fn open(&self, name: &str) -> io::Result<Option<FlakyFile>> {
        Ok(self.0.open(name)?.map(|file| FlakyFile(file, self.1.clone())))
    }

    fn create(&self, name: &str) -> io::Result<FlakyFile> {
        self.1.operate()?;
        Ok(FlakyFile(self.0.create(name)?, self.1.clone()))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.1.operate()?;
        self.0.rename(from, to)
    }

    fn sync(&self) -> io::Result<()> {
        self.1.operate()?;
        self.0.sync()
    }
}

impl DiskFile for FlakyFile {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.1.operate()?;
        self.0.truncate(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.1.operate()?;
        DiskFile::sync(&mut self.0)
    }
}

impl Read for FlakyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for FlakyFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.1.fails() {
            self.0.write_all(&data[..data.len() / 2])?;
            return Err(io::Error::new(io::ErrorKind::StorageFull, "injected"));
        }
        self.0.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for FlakyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
