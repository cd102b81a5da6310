//! A disk in memory that stores written contents and contents that survive a crash separately.
//!
//! After a crash, each write that was not synced is complete, missing, or present in some sectors only. Creations and renames of files keep
//! their order: if some were not synced, the first of these survive, and the others are lost. A failed write is half done. A failed sync
//! forgets that anything had to be written.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::file::disk::{Disk, DiskFile};

/// The number of bytes that are always written as a whole. Real sectors are larger, so real writes are torn less often.
const SECTOR: usize = 8;

#[derive(Clone, Default)]
pub(super) struct SimulatedDisk(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    files: Vec<Stored>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    changes: Vec<Change>,
    /// The number of operations until one fails.
    fails_in: Option<usize>,
    /// The number of operations until all fail, because the process is dead.
    dies_in: Option<usize>,
}

#[derive(Clone)]
enum Change {
    Created(String, usize),
    Renamed(String, String),
}

#[derive(Default)]
struct Stored {
    bytes: Vec<u8>,
    durable: Vec<u8>,
    unsynced: Vec<Unsynced>,
}

enum Unsynced {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

fn apply(names: &mut BTreeMap<String, usize>, change: Change) {
    match change {
        Change::Created(name, file) => {
            names.insert(name, file);
        }
        Change::Renamed(from, to) => {
            let file = names.remove(&from).expect("the file exists");
            names.insert(to, file);
        }
    }
}

fn overwrite(bytes: &mut Vec<u8>, at: usize, data: &[u8]) {
    bytes.resize(bytes.len().max(at + data.len()), 0);
    bytes[at..at + data.len()].copy_from_slice(data);
}

impl State {
    /// Counts an operation, and fails if it is the one that has to fail.
    fn operate(&mut self) -> io::Result<()> {
        for left in [&mut self.fails_in, &mut self.dies_in].into_iter().flatten() {
            *left = left.saturating_sub(1);
        }
        if self.dies_in == Some(0) || self.fails_in == Some(0) {
            self.fails_in = None;
            return Err(io::Error::new(io::ErrorKind::StorageFull, "injected"));
        }
        Ok(())
    }
}

impl SimulatedDisk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics under the lock")
    }

    /// Lets one operation fail; the next operation is number 1. Has no effect together with [`die_in`](Self::die_in): a process that is
    /// killed between a failed sync and the next operation leaves a frame that the system wrongly believes to be on the disk.
    pub(super) fn fail_in(&self, operations: usize) {
        let mut state = self.state();
        state.fails_in = state.dies_in.is_none().then_some(operations);
    }

    /// Ends the process before an operation: from then on, all operations fail until [`revive`](Self::revive).
    pub(super) fn die_in(&self, operations: usize) {
        let mut state = self.state();
        state.fails_in = None;
        state.dies_in.get_or_insert(operations);
    }

    /// Starts another process on the same machine.
    pub(super) fn revive(&self) {
        (self.state().dies_in, self.state().fails_in) = (None, None);
    }

    /// Stops and starts the machine. Random numbers decide the fate of each write that was not synced.
    pub(super) fn crash(&self, mut random: impl FnMut() -> u32) {
        let mut state = self.state();
        let state = &mut *state;
        for file in &mut state.files {
            for unsynced in file.unsynced.drain(..) {
                match (unsynced, random() % 3) {
                    (_, 0) => {}
                    (Unsynced::Truncate(length), _) => file.durable.truncate(length),
                    (Unsynced::Write(at, data), 1) => overwrite(&mut file.durable, at, &data),
                    (Unsynced::Write(at, data), _) => {
                        file.durable.resize(file.durable.len().max(at + data.len()), 0);
                        for (number, sector) in data.chunks(SECTOR).enumerate().filter(|_| random().is_multiple_of(2)) {
                            overwrite(&mut file.durable, at + number * SECTOR, sector);
                        }
                    }
                }
            }
            file.bytes.clone_from(&file.durable);
        }
        let kept = random() as usize % (state.changes.len() + 1);
        for change in state.changes.drain(..).take(kept) {
            apply(&mut state.durable_names, change);
        }
        state.names.clone_from(&state.durable_names);
        (state.fails_in, state.dies_in) = (None, None);
    }
}

impl Disk for SimulatedDisk {
    type File = SimulatedFile;

    fn open(&self, name: &str) -> io::Result<Option<SimulatedFile>> {
        let file = self.state().names.get(name).copied();
        Ok(file.map(|file| SimulatedFile { disk: self.clone(), file, at: 0 }))
    }

    fn create(&self, name: &str) -> io::Result<SimulatedFile> {
        let mut state = self.state();
        state.operate()?;
        let file = state.files.len();
        state.files.push(Stored::default());
        let change = Change::Created(name.to_owned(), file);
        apply(&mut state.names, change.clone());
        state.changes.push(change);
        Ok(SimulatedFile { disk: self.clone(), file, at: 0 })
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        let change = Change::Renamed(from.to_owned(), to.to_owned());
        apply(&mut state.names, change.clone());
        state.changes.push(change);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        let state = &mut *state;
        for change in state.changes.drain(..) {
            apply(&mut state.durable_names, change);
        }
        Ok(())
    }
}

pub(super) struct SimulatedFile {
    disk: SimulatedDisk,
    file: usize,
    at: usize,
}

impl DiskFile for SimulatedFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.disk.state().files[self.file].bytes.len() as u64)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).expect("tests use short files");
        let mut state = self.disk.state();
        state.operate()?;
        let file = &mut state.files[self.file];
        file.bytes.truncate(length);
        file.unsynced.push(Unsynced::Truncate(length));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        let (is_done, is_dead) = (state.operate(), state.dies_in == Some(0));
        let file = &mut state.files[self.file];
        match is_done {
            Ok(()) => {
                for unsynced in file.unsynced.drain(..) {
                    match unsynced {
                        Unsynced::Truncate(length) => file.durable.truncate(length),
                        Unsynced::Write(at, data) => overwrite(&mut file.durable, at, &data),
                    }
                }
                Ok(())
            }
            Err(error) if is_dead => Err(error),
            Err(error) => {
                file.unsynced.clear();
                Err(error)
            }
        }
    }
}

impl Read for SimulatedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let state = self.disk.state();
        let read = state.files[self.file].bytes.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

impl Write for SimulatedFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        let is_done = state.operate();
        let written = if is_done.is_ok() { data } else { &data[..data.len() / 2] };
        let file = &mut state.files[self.file];
        overwrite(&mut file.bytes, self.at, written);
        file.unsynced.push(Unsynced::Write(self.at, written.to_vec()));
        self.at += written.len();
        is_done.map(|()| written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for SimulatedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.at = usize::try_from(at).expect("tests use short files");
        Ok(at)
    }
}
