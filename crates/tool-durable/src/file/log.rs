//! The log of one conversation on a disk: [`DiskLog`].
//!
//! Invariants: every `append` is synced before the next one begins. A file appears under its name only once its contents are synced.
//! Opening a log does not change it, and the records that `open` returns survive a crash. A damaged end stays until other records replace
//! it, in one step, so that every process that opens the log before learns about the damage.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::disk::{Disk, DiskFile};
use super::frame::{self, BEGIN, Contents, Unreadable};

pub(super) struct DiskLog<D: Disk> {
    disk: D,
    name: String,
    /// `None` until the first record is written.
    file: Option<D::File>,
    /// The position after the last frame that is kept.
    end: u64,
    /// `true` if remains may follow `end`: a torn frame, or a frame that could not be written or synced.
    has_rest: bool,
    /// `true` if a damaged frame follows `end`.
    is_damaged: bool,
    /// `true` while it is unknown whether the old or the new file would have the name after a crash.
    is_lost: bool,
}

/// The reason why records were not kept.
#[derive(Debug)]
pub(super) enum NotKept {
    Io(io::Error),
    TooLarge(usize),
    Lost,
}

impl From<io::Error> for NotKept {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl<D: Disk> DiskLog<D> {
    /// Opens a log, and returns its records.
    pub(super) fn open(disk: D, name: String) -> Result<(Self, Contents), Unreadable> {
        let mut file = disk.open(&name)?;
        let contents = match &mut file {
            Some(file) => {
                // The process that wrote the last record may have ended before it synced the file.
                file.sync()?;
                disk.sync()?;
                let length = file.length()?;
                frame::read(file, length)?
            }
            None => Contents::default(),
        };
        let (end, has_rest, is_damaged) = (contents.end, contents.torn > 0, contents.is_damaged);
        Ok((Self { disk, name, file, end, has_rest, is_damaged, is_lost: false }, contents))
    }

    pub(super) fn append(&mut self, records: &[Vec<u8>]) -> Result<(), NotKept> {
        if self.is_lost {
            return Err(NotKept::Lost);
        }
        let Some(file) = &mut self.file else { return self.replace(records) };
        let frame = frame::frame(self.end, records).map_err(NotKept::TooLarge)?;
        if self.is_damaged {
            return self.rewrite(self.end, &frame);
        }
        if self.has_rest {
            // This is synced before the new frame is written: otherwise, remains of an old frame could follow the new one after a crash.
            file.truncate(self.end)?;
            file.sync()?;
            self.has_rest = false;
        }
        self.has_rest = true;
        if let Err(error) = write(file, self.end, &frame) {
            // After a failed sync, the system may believe that the frame is on the disk although it is not. Cut the frame off, so that
            // nobody reads it from the cache.
            let _ = file.truncate(self.end);
            return Err(error.into());
        }
        self.has_rest = false;
        self.end += frame.len() as u64;
        Ok(())
    }

    pub(super) fn replace(&mut self, records: &[Vec<u8>]) -> Result<(), NotKept> {
        if self.is_lost {
            return Err(NotKept::Lost);
        }
        let frame = frame::frame(BEGIN, records).map_err(NotKept::TooLarge)?;
        self.rewrite(BEGIN, &frame)
    }

    /// Replaces the file by another one, which has the same bytes before `at`, and then this frame.
    fn rewrite(&mut self, at: u64, frame: &[u8]) -> Result<(), NotKept> {
        let new = format!("{}.new", self.name);
        let mut file = self.disk.create(&new)?;
        file.write_all(&frame::header())?;
        if let Some(old) = self.file.as_mut().filter(|_| at > BEGIN) {
            old.seek(SeekFrom::Start(BEGIN))?;
            io::copy(&mut old.take(at - BEGIN), &mut file)?;
        }
        file.write_all(frame)?;
        file.sync()?;
        self.is_lost = true;
        self.disk.rename(&new, &self.name)?;
        self.disk.sync()?;
        self.is_lost = false;
        (self.file, self.end) = (Some(file), at + frame.len() as u64);
        (self.has_rest, self.is_damaged) = (false, false);
        Ok(())
    }
}

fn write(file: &mut impl DiskFile, at: u64, frame: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(frame)?;
    file.sync()
}
