//! A file with settings that is read, checked and replaced in one step, with a backup.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read. That of Claude Code contains a history, and grows to several megabytes.
const MOST_BYTES: u64 = 64 << 20;
/// The largest number of backups of one file.
const MOST_BACKUPS: u32 = 1_000;

/// A file with settings, and its text when it was read.
pub(super) struct SettingsFile {
    /// The file itself, behind all links.
    path: PathBuf,
    /// `None` if there is no file yet.
    text: Option<String>,
}

impl SettingsFile {
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let facts = match fs::symlink_metadata(path) {
            Ok(_) => fs::metadata(path).map_err(|error| format!("the link cannot be followed: {error}"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::new(path),
            Err(error) => return Err(error.to_string()),
        };
        if !facts.is_file() {
            return Err("it is not a file".to_owned());
        }
        if facts.permissions().readonly() {
            return Err("it is read-only".to_owned());
        }
        let path = fs::canonicalize(path).map_err(|error| error.to_string())?;
        let text = read_text(&path)?;
        Ok(Self { path, text: Some(text) })
    }

    /// Returns a file that does not exist yet. A folder is not created, because its absence means that the host is not installed.
    fn new(path: &Path) -> Result<Self, String> {
        match path.parent() {
            Some(folder) if folder.is_dir() => Ok(Self { path: path.to_owned(), text: None }),
            _ => Err("neither the file nor its folder exists; is the program installed? --file names another file"
                .to_owned()),
        }
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Writes a backup and then the new text. Returns the path of the backup.
    pub(super) fn write(&self, text: &str) -> Result<Option<PathBuf>, String> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        // Invariant: its name is the same for all processes, so only one of them is between here and the end of the change.
        let temporary = self.path.with_file_name(format!(".{name}.tmp"));
        if fs::symlink_metadata(&temporary).is_ok() {
            let path = temporary.display();
            return Err(format!(
                "another process changes it; if none does, an earlier one was interrupted: remove {path}"
            ));
        }
        self.create(&temporary, text)?;
        let written = self.back_up().and_then(|backup| {
            let replaced = self.replace_by(&temporary);
            if let (Err(_), Some(backup)) = (&replaced, &backup) {
                let _ = fs::remove_file(backup);
            }
            replaced.map(|()| backup)
        });
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// Replaces the file, unless its text is another one by now: a host may write it at any time, and that change must not be lost.
    fn replace_by(&self, temporary: &Path) -> Result<(), String> {
        let current = if self.path.exists() { Some(read_text(&self.path)?) } else { None };
        if current != self.text {
            return Err("another program has changed it in the meantime; run the command again".to_owned());
        }
        fs::rename(temporary, &self.path).map_err(|error| error.to_string())
    }

    fn back_up(&self) -> Result<Option<PathBuf>, String> {
        let Some(text) = &self.text else { return Ok(None) };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for number in 1..=MOST_BACKUPS {
            let end = if number == 1 { String::new() } else { format!("-{number}") };
            let backup = self.path.with_file_name(format!("{name}.backup{end}"));
            if fs::symlink_metadata(&backup).is_err() {
                return self.create(&backup, text).map(|()| Some(backup));
            }
        }
        Err(format!("there are {MOST_BACKUPS} backups of it; remove some"))
    }

    /// Creates a file next to this one, with its permissions; a new one is only for the user, because it may contain keys.
    fn create(&self, path: &Path, text: &str) -> Result<(), String> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let named = |error: io::Error| format!("{} cannot be written: {error}", path.display());
        let mut file = options.open(path).map_err(named)?;
        let mut write = || {
            file.write_all(text.as_bytes())?;
            if self.text.is_some() {
                file.set_permissions(fs::metadata(&self.path)?.permissions())?;
            }
            file.sync_all()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(path);
            named(error)
        })
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {} MiB", MOST_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "it is not valid UTF-8".to_owned())
}
