//! Tools with state: a directory that they read and never leave.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use tool_runtime::{ToolError, plugin_container, tool};

/// The maximum size of a file that `read` and `grep` accept, in bytes.
const LARGEST: u64 = 1 << 20;

/// A directory and everything below it.
pub struct Files {
    root: PathBuf,
}

impl Files {
    /// Opens a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such directory.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { root: root.as_ref().canonicalize()? })
    }

    /// Returns the canonical location of a path below the root. The names in the path are followed one by one, so that neither `..` nor a
    /// link leads outside, and no answer reveals which files exist elsewhere.
    fn resolve(&self, path: &str) -> Result<PathBuf, ToolError> {
        let mut place = self.root.clone();
        for part in Path::new(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => place = place.parent().map(Path::to_owned).ok_or_else(|| leads_out(path))?,
                Component::Normal(name) => place = followed(&place.join(name), path)?,
                Component::RootDir | Component::Prefix(_) => return Err(leads_out(path)),
            }
            if !place.starts_with(&self.root) {
                return Err(leads_out(path));
            }
        }
        Ok(place)
    }

    fn text(&self, path: &str) -> Result<String, ToolError> {
        let place = self.resolve(path)?;
        let about = fs::metadata(&place).map_err(|error| not_there(path, &error))?;
        if about.is_dir() {
            return Err(
                ToolError::retry(format!("{path} is a directory; call list to see what is in it")).field("path")
            );
        }
        // Opening a pipe would wait for its other end.
        if !about.is_file() {
            return Err(ToolError::new(format!("{path} is no file")));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&place).map_err(|error| not_there(path, &error))?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| not_there(path, &error))?;
        if bytes.len() as u64 > LARGEST {
            return Err(ToolError::new(format!("{path} is too large; at most {LARGEST} bytes can be read")));
        }
        String::from_utf8(bytes).map_err(|_| ToolError::new(format!("{path} is not text")))
    }
}

/// Follows a name and its links. A link that cannot be followed is treated like a link that leads outside, because its target is unknown.
fn followed(place: &Path, path: &str) -> Result<PathBuf, ToolError> {
    place.canonicalize().map_err(|error| match place.symlink_metadata() {
        Ok(about) if about.is_symlink() => leads_out(path),
        _ => not_there(path, &error),
    })
}

fn leads_out(path: &str) -> ToolError {
    ToolError::new(format!("{path} leads out of the directory; only paths below it can be read"))
}

fn not_there(path: &str, error: &io::Error) -> ToolError {
    match error.kind() {
        io::ErrorKind::NotFound => {
            ToolError::retry(format!("there is no {path}; call list to see what there is")).field("path")
        }
        _ => ToolError::new(format!("{path} cannot be read")),
    }
}

/// A matching line.
#[derive(Debug, Serialize)]
struct Match {
    path: String,
    line: usize,
    text: String,
}

/// Read, list and search the files of a directory.
#[plugin_container(instructions = "Paths are relative to the directory, with `/` between names.")]
impl Files {
    /// Read a text file.
    #[tool(read_only)]
    fn read(
        &self,
        /// Path of the file.
        #[tool(length(min = 1), example = "notes/todo.txt")]
        path: String,
        /// The first line to read, counted from 1.
        #[tool(range(min = 1), default = 1)]
        from_line: usize,
        /// How many lines to read.
        #[tool(range(min = 1, max = 2000), default = 200)]
        lines: usize,
    ) -> Result<String, ToolError> {
        let text = self.text(&path)?;
        Ok(text.lines().skip(from_line - 1).take(lines).collect::<Vec<_>>().join("\n"))
    }

    /// List a directory: names, with `/` behind directories.
    #[tool(read_only)]
    fn list(
        &self,
        /// Path of the directory.
        #[tool(default = ".")]
        path: String,
    ) -> Result<Vec<String>, ToolError> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.resolve(&path)?).map_err(|error| not_there(&path, &error))? {
            let entry = entry.map_err(|error| not_there(&path, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A link that leads outside is listed without its type.
            let is_directory = self.resolve(&format!("{path}/{name}")).is_ok_and(|place| place.is_dir());
            names.push(if is_directory { name + "/" } else { name });
        }
        names.sort();
        Ok(names)
    }

    /// Find the lines of a file that contain a text.
    #[tool(read_only)]
    fn grep(
        &self,
        /// The text to look for, as it is.
        #[tool(length(min = 1, max = 200))]
        text: String,
        /// Path of the file.
        path: String,
    ) -> Result<Vec<Match>, ToolError> {
        let lines = self.text(&path)?;
        let found = lines.lines().enumerate().filter(|(_, line)| line.contains(&text));
        Ok(found
            .take(100)
            .map(|(index, line)| Match { path: path.clone(), line: index + 1, text: line.to_owned() })
            .collect())
    }
}
