//! Line-by-line input from files and standard input (`-`). A byte order mark is skipped.
//!
//! Errors name the file and the line.
//!
//! Invariant: a line that cannot be used does not affect the following lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// An error in the input, with its location.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    #[error("{file} cannot be read: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{file}, line {line}: {reason}")]
    Line { file: String, line: usize, reason: String },
    #[error("{file}, lines {first} and {second}: {reason}")]
    Lines { file: String, first: usize, second: usize, reason: String },
    #[error("{0}")]
    Other(String),
}

/// An open file, or standard input.
pub(super) struct ContainerSource {
    /// The name of the input in errors.
    pub(super) name: String,
    reader: Box<dyn BufRead>,
    /// The size in bytes, if it is known.
    pub(super) size: Option<u64>,
}

impl ContainerSource {
    pub(super) fn open(file: &str) -> Result<Self, InputError> {
        if file == "-" {
            return Self::of("standard input", io::stdin().lock(), None);
        }
        let unreadable = |error| InputError::Unreadable { file: file.to_owned(), error };
        let opened = File::open(file).map_err(unreadable)?;
        let facts = opened.metadata().map_err(unreadable)?;
        if facts.is_dir() {
            return Err(unreadable(io::Error::other("it is a directory")));
        }
        let size = facts.is_file().then_some(facts.len());
        Self::of(file, BufReader::new(opened), size)
    }

    /// Wraps a reader and skips its byte order mark.
    fn of(name: &str, mut reader: impl BufRead + 'static, size: Option<u64>) -> Result<Self, InputError> {
        let unreadable = |error| InputError::Unreadable { file: name.to_owned(), error };
        let mut start = Vec::new();
        reader.by_ref().take(3).read_to_end(&mut start).map_err(unreadable)?;
        match start[..] {
            [0xef, 0xbb, 0xbf] => start.clear(),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, b'{' | b'[', ..] | [b'{' | b'[', 0, ..] => {
                return Err(unreadable(io::Error::other("it is UTF-16, not UTF-8; save it as UTF-8")));
            }
            _ => {}
        }
        Ok(Self { name: name.to_owned(), reader: Box::new(io::Cursor::new(start).chain(reader)), size })
    }

    /// Returns the whole text.
    pub(super) fn text(mut self) -> Result<String, InputError> {
        let mut text = String::new();
        match self.reader.read_to_string(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => Err(InputError::Unreadable { file: self.name, error }),
        }
    }

    /// Creates an error about a line.
    pub(super) fn fault(&self, line: usize, reason: impl Into<String>) -> InputError {
        InputError::Line { file: self.name.clone(), line, reason: reason.into() }
    }

    /// Returns the next non-blank line without its line end, and the number of bytes that were read for it. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// A line that is not valid UTF-8 is an error, but the following lines are still returned. After an error of the file itself, there are
    /// no further lines.
    pub(super) fn line(&mut self, number: &mut usize) -> Option<Result<(String, u64), InputError>> {
        let mut bytes = Vec::new();
        let mut taken = 0;
        loop {
            bytes.clear();
            match self.reader.read_until(b'\n', &mut bytes) {
                Err(error) => {
                    let file = std::mem::take(&mut self.name);
                    self.reader = Box::new(io::empty());
                    return Some(Err(InputError::Unreadable { file, error }));
                }
                Ok(0) => return None,
                Ok(read) => taken += read as u64,
            }
            *number += 1;
            while let [rest @ .., b'\n' | b'\r'] = &bytes[..] {
                bytes.truncate(rest.len());
            }
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        Some(match String::from_utf8(bytes) {
            Ok(text) => Ok((text, taken)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                Err(self.fault(*number, format!("the line is not valid UTF-8 at byte {at}")))
            }
        })
    }
}

/// Returns the arguments from the command line. If they are `-`, reads them from standard input.
pub(super) fn sent(arguments: &str) -> Result<String, InputError> {
    if arguments == "-" { ContainerSource::open("-")?.text() } else { Ok(arguments.to_owned()) }
}
