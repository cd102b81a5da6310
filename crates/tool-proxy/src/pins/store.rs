//! The file that remembers definitions: [`PinFile`], read and written by several processes.
//!
//! Invariants: a file that is not understood is never overwritten; a reader sees the file before or after a change, never a part of it; no change
//! of another process is lost.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::pins::definition::pinned_text;

/// The version of the format.
const VERSION: u32 = 1;
/// The number of attempts to lock the file, and the pause between them. Nobody holds the lock for longer than it takes to write the file.
const ATTEMPTS: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// The remembered definitions of all servers.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PinFile {
    #[serde(rename = "toolbox_pins")]
    version: u32,
    pub(super) servers: BTreeMap<String, ServerPins>,
}

/// The remembered definitions of one server.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerPins {
    /// The time until which unknown tools belong to the first list, in seconds since 1970. `None` once the first list has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_list_until: Option<u64>,
    pub(super) tools: BTreeMap<String, Pin>,
}

/// The remembered definitions of one tool, as [`pinned_text`] returns them.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pin {
    /// `None` for a tool that was not in the first list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) approved: Option<Box<RawValue>>,
    /// The definition that the server has listed last, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pending: Option<Box<RawValue>>,
}

/// The state of a file by which changes are noticed: the time of its last change, and its size. `None` if there is no file.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// Returns the text of a stored definition.
pub(super) fn text(stored: Option<&RawValue>) -> Option<&str> {
    stored.map(RawValue::get)
}

impl PinFile {
    /// Reads the file. One that does not exist is empty.
    pub(super) fn read(path: &Path) -> io::Result<(Self, Stamp)> {
        // Before the text: a later change has another stamp.
        let stamp = stamp(path)?;
        if stamp.is_none() {
            return Ok((Self { version: VERSION, ..Self::default() }, None));
        }
        let invalid = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason);
        let mut file: Self =
            serde_json::from_str(&fs::read_to_string(path)?).map_err(|error| invalid(&error.to_string()))?;
        if file.version != VERSION {
            return Err(invalid("its format has another version"));
        }
        // Somebody may have formatted the file.
        let pins = file.servers.values_mut().flat_map(|server| server.tools.values_mut());
        for stored in pins.flat_map(|pin| [&mut pin.approved, &mut pin.pending]).flatten() {
            if let Some((_, text)) = pinned_text(stored.get()) {
                *stored = RawValue::from_string(text)?;
            }
        }
        Ok((file, stamp))
    }

    /// Replaces the file in one step. Only its owner can read it.
    fn write(&self, path: &Path) -> io::Result<Stamp> {
        // A crash may have left it behind; only the owner of the lock uses it.
        let temporary = beside(path, "tmp");
        let _ = fs::remove_file(&temporary);
        let mut file = private().create_new(true).open(&temporary)?;
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)?;
        stamp(path)
    }

    /// Changes the file while no other process does, and writes it if the function returns `true`. Returns the file after the change.
    pub(super) fn update<T>(path: &Path, change: impl FnOnce(&mut Self) -> (T, bool)) -> io::Result<(Self, Stamp, T)> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock = Lock::of(path)?;
        let (mut file, before) = Self::read(path)?;
        let (result, has_changed) = change(&mut file);
        let stamp = if has_changed { file.write(path)? } else { before };
        drop(lock);
        Ok((file, stamp, result))
    }
}

/// Returns the stamp of a file.
pub(super) fn stamp(path: &Path) -> io::Result<Stamp> {
    match fs::metadata(path).and_then(|facts| Ok((facts.modified()?, facts.len()))) {
        Ok(stamp) => Ok(Some(stamp)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

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

/// The lock of a file. It ends when this value is dropped, or with the process.
struct Lock(#[cfg_attr(not(unix), expect(dead_code, reason = "the open file is the lock"))] File);

impl Lock {
    /// Waits until no other process has the lock. The file of the lock is never removed, so that all processes lock the same one.
    fn of(path: &Path) -> io::Result<Self> {
        let path = beside(path, "lock");
        let mut attempt = 0;
        loop {
            match Self::try_at(&path) {
                Err(_) if attempt < ATTEMPTS => attempt += 1,
                locked => return locked,
            }
            sleep(PAUSE);
        }
    }

    #[cfg(unix)]
    fn try_at(path: &Path) -> io::Result<Self> {
        let file = private().create(true).truncate(false).open(path)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self(file))
    }

    /// On other systems, an open file that is not shared is the lock.
    #[cfg(not(unix))]
    fn try_at(path: &Path) -> io::Result<Self> {
        let mut options = private();
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        options.create(true).truncate(false).open(path).map(Self)
    }
}

#[cfg(unix)]
impl Drop for Lock {
    /// Releases the lock before the file is closed: a process that another thread starts has a copy of each open file for a moment.
    fn drop(&mut self) {
        // If this fails, the lock ends when the file is closed.
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}
