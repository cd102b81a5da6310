//! The file that remembers definitions: [`PinFile`], read and written by several processes.
//!
//! Invariants: a file that is not understood is never overwritten; a reader sees the file before or after a change, never a part of it; no change
//! of another process is lost.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::pins::definition::pinned_text;
use crate::private_file::{Lock, replace};

/// The version of the format.
const VERSION: u32 = 1;

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

    /// Returns the server and the name of each tool that has a change.
    pub(super) fn pending(&self) -> impl Iterator<Item = (&str, &str)> {
        self.servers.iter().flat_map(|(server, pins)| {
            let pending = pins.tools.iter().filter(|(_, pin)| pin.pending.is_some());
            pending.map(move |(tool, _)| (&**server, &**tool))
        })
    }

    /// Replaces the file in one step. Only its owner can read it.
    fn write(&self, path: &Path) -> io::Result<Stamp> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        replace(path, text.as_bytes())?;
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
