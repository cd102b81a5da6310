//! The command of a server with absolute paths, and the name of the server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::search_path::search_path;

/// The surroundings in which the user has written the command.
pub(super) struct Place {
    pub(super) folder: PathBuf,
    pub(super) path: Option<String>,
    /// The extensions of programs, on Windows.
    pub(super) extensions: Vec<String>,
}

impl Place {
    pub(super) fn current() -> Result<Self, String> {
        let folder = std::env::current_dir().map_err(|error| format!("the current directory is not known: {error}"))?;
        let path = search_path().map(|path| path.into_string().map_err(|_| "PATH is not valid UTF-8")).transpose()?;
        let extensions = if cfg!(windows) {
            let listed = std::env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
            listed.split(';').filter(|extension| !extension.is_empty()).map(str::to_lowercase).collect()
        } else {
            Vec::new()
        };
        Ok(Self { folder, path, extensions })
    }

    /// Returns an absolute path. Links stay, because programs are replaced behind them by updates.
    pub(super) fn absolute(&self, path: &Path) -> Result<String, String> {
        let path = path.strip_prefix(".").unwrap_or(path);
        text(&if path.as_os_str().is_empty() { self.folder.clone() } else { self.folder.join(path) })
    }

    /// Finds a program as a shell does.
    fn find(&self, program: &str) -> Option<PathBuf> {
        let folders = std::env::split_paths(self.path.as_deref()?).collect::<Vec<_>>();
        folders.into_iter().find_map(|folder| self.in_folder(&self.folder.join(folder), program))
    }

    fn in_folder(&self, folder: &Path, program: &str) -> Option<PathBuf> {
        let with = |extension: &String| {
            let mut name = OsString::from(program);
            name.push(extension);
            folder.join(name)
        };
        let has_extension = self.extensions.iter().any(|extension| program.to_lowercase().ends_with(extension));
        if self.extensions.is_empty() || has_extension {
            return Some(folder.join(program)).filter(|path| is_program(path));
        }
        self.extensions.iter().map(with).find(|path| path.is_file())
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Returns the command with absolute paths, and whether the program was found in `PATH`.
///
/// An argument becomes absolute if it begins with `./` or `../`, or if it is a file and has a separator or an extension. A plain word can also be the
/// name of a module or a package, so it stays, with a note.
pub(super) fn resolve(
    command: &[String],
    place: &Place,
    notes: &mut Vec<String>,
) -> Result<(Vec<String>, bool), String> {
    let [program, arguments @ ..] = command else {
        return Err("give the command that starts the server after `--`".to_owned());
    };
    let has_separator = program.contains('/') || (cfg!(windows) && program.contains('\\'));
    let is_from_path = !has_separator;
    let path = if is_from_path {
        place.find(program).ok_or_else(|| format!("{program} is not a program in PATH"))?
    } else {
        let path = place.folder.join(program);
        if !is_program(&path) {
            return Err(format!("{program} is not a program"));
        }
        path
    };
    let mut resolved = vec![place.absolute(&path)?];
    for argument in arguments {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) if option.starts_with('-') => (format!("{option}="), value),
            _ => (String::new(), argument.as_str()),
        };
        resolved.push(format!("{option}{}", place.argument(value, notes)?));
    }
    Ok((resolved, is_from_path))
}

impl Place {
    fn argument(&self, argument: &str, notes: &mut Vec<String>) -> Result<String, String> {
        let path = Path::new(argument);
        if argument.is_empty() || argument.starts_with(['-', '@']) || path.is_absolute() {
            return Ok(argument.to_owned());
        }
        let is_relative = matches!(argument, "." | "..")
            || ["./", "../", ".\\", "..\\"].iter().any(|start| argument.starts_with(start));
        let found = self.folder.join(path);
        let is_path = argument.contains(std::path::MAIN_SEPARATOR) || path.extension().is_some();
        if is_relative || (is_path && found.is_file()) {
            return self.absolute(path);
        }
        if found.exists() {
            notes.push(format!("{argument} stays as it is; if it is a path, write ./{argument} to make it absolute"));
        }
        Ok(argument.to_owned())
    }
}

/// Returns a name and a value, from `NAME=VALUE` or from this shell.
pub(super) fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, value.to_owned()),
        None => (text, std::env::var(text).map_err(|_| format!("this shell has no variable {text}"))?),
    };
    if name.is_empty() || name.contains('\0') || value.contains('\0') {
        return Err(format!("{text:?} is not a variable"));
    }
    Ok((name.to_owned(), value))
}

/// Returns whether all hosts accept a name.
pub(super) fn is_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Programs that start a package or a file, which is what a user would call the server.
const LAUNCHERS: [&str; 9] = ["npx", "bunx", "pnpx", "uvx", "node", "python", "deno", "bun", "ruby"];

/// Returns a name for the server with this command.
pub(super) fn server_name(command: &[String]) -> String {
    let program =
        command.first().map(|program| program.rsplit(['/', '\\']).next().unwrap_or_default()).unwrap_or_default();
    let program = program.split('.').next().unwrap_or_default();
    let is_launcher = LAUNCHERS.contains(&program.trim_end_matches(|digit: char| digit.is_ascii_digit()));
    let argument = command.iter().skip(1).find(|argument| !argument.starts_with('-')).filter(|_| is_launcher);
    let mut parts = argument.map_or(program, String::as_str).split(['/', '\\']).rev().map(|part| {
        let part = part.strip_prefix('@').unwrap_or(part);
        let end = part.find(['@', '=', '[', '<', '>']).unwrap_or(part.len());
        let part = &part[..end];
        [".js", ".mjs", ".cjs", ".ts", ".py", ".rb"].into_iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part)
    });
    // The file in a folder says less than the folder.
    let is_telling = |part: &&str| !["", ".", "..", "index", "main", "dist", "build", "src"].contains(part);
    let name = parts.find(is_telling).unwrap_or("server");
    let name: String =
        name.chars().take(64).map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    name
}

/// Returns a name for the server at this URL: the first label of its host that says more than `mcp` or `www`.
pub(super) fn host_name(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_telling = |label: &&str| !["", "mcp", "www", "api"].contains(label);
    let is_address = host.starts_with(|first: char| first == '[' || first.is_ascii_digit());
    let label = if is_address { host } else { host.split(['.', ':']).find(is_telling).unwrap_or("server") };
    let is_kept = |c: char| c.is_ascii_alphanumeric() || c == '_';
    label.trim_matches(['[', ']', ':']).chars().take(64).map(|c| if is_kept(c) { c } else { '-' }).collect()
}

pub(super) fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("{} is not valid UTF-8", path.display()))
}
