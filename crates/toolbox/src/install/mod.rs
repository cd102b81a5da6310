//! `toolbox install` and `toolbox uninstall`: a guarded server in the configuration of an MCP host.
//!
//! Only the entry of the server changes: all other bytes of the file are kept. The host starts the server from another folder and with another `PATH`
//! than the user's shell, so the entry contains absolute paths, and the `PATH` in which the program was found.
//!
//! Invariant: a file that is not understood is not written.

mod command;
mod entry;
mod file;
mod host;
mod json;
mod table;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf, absolute};

use clap::Args;

use self::command::{Place, host_name, is_name, resolve, server_name, text, variable};
use self::entry::Entry;
use self::file::SettingsFile;
use self::host::{Form, Host};
use super::ending::{CheckError, Ending};
use super::input::InputError;
use super::remote::Remote;
use super::search_path::is_in_cache;

#[derive(Debug, Args)]
pub(super) struct InstallOptions {
    /// The program whose configuration is changed.
    #[arg(value_enum)]
    host: Host,
    /// The name of the server in the configuration; by default, the name of its package, module or file.
    #[arg(long)]
    name: Option<String>,
    /// A variable of the environment of the server; without a value, that of this shell. Can be repeated.
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// A TOML file with settings of the proxy.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Replaces a server of the same name that is not guarded.
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    target: Target,
    /// The URL of a remote server, in place of a command.
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    /// The environment variable that contains the bearer token for the URL.
    #[arg(long, value_name = "NAME", requires = "url")]
    token_env: Option<String>,
    /// The command that starts the server, after `--`.
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "url")]
    command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct UninstallOptions {
    /// The program whose configuration is changed.
    #[arg(value_enum)]
    host: Host,
    /// The name of the server in the configuration. It can be left out if only one server is guarded.
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Target {
    /// The file with the configuration, such as that of a project, instead of the user's.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Prints what would be done, and changes nothing.
    #[arg(long)]
    dry_run: bool,
}

impl Target {
    fn path(&self, host: Host) -> Result<PathBuf, String> {
        let path = self.file.clone().map_or_else(|| host.file(std::env::home_dir()), Ok)?;
        absolute(&path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

pub(super) fn install(options: &InstallOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let (name, entry, notes) = requested(options).map_err(InputError::Other)?;
    let path = options.target.path(options.host).map_err(InputError::Other)?;
    let form = options.host.form();
    match change(&path, |text| added(form, text, &name, &entry, options.replace), options.target.dry_run) {
        Ok(change) => {
            change.print(out, &name, "added to")?;
            if change.is_needed {
                writeln!(out, "It runs: {}", entry.shown())?;
            }
            if options.target.dry_run {
                write!(out, "The entry:\n{}", form.snippet(&name, &entry))?;
            } else if change.is_needed {
                writeln!(out, "Restart {} to use it.", options.host.title())?;
            }
            for note in notes {
                writeln!(out, "Note: {note}")?;
            }
            Ok(Ending::Done)
        }
        Err(reason) => {
            write!(out, "Nothing was changed. The entry, to be added by hand:\n{}", form.snippet(&name, &entry))?;
            Err(InputError::Other(reason).into())
        }
    }
}

pub(super) fn uninstall(options: &UninstallOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let path = options.target.path(options.host).map_err(InputError::Other)?;
    let form = options.host.form();
    let mut name = options.name.clone().unwrap_or_default();
    let removed = |text: &str| {
        let own = own_stem()?;
        if options.name.is_none() {
            let servers = form.servers(text)?;
            let mut guarded =
                servers.into_iter().filter(|(_, existing)| existing.is_guarded(&own)).map(|(name, _)| name);
            name = guarded.next().ok_or("it has no server that `toolbox install` has added")?;
            if let Some(second) = guarded.next() {
                return Err(format!("it has several guarded servers, such as {name} and {second}; name one of them"));
            }
        }
        match form.servers(text)?.into_iter().find(|(known, _)| *known == name) {
            None => Err(format!("it has no server {name}")),
            Some((_, existing)) if !existing.is_guarded(&own) => {
                Err(format!("{name} is not a server that `toolbox install` has added"))
            }
            Some(_) => form.removed(text, &name).map(Some),
        }
    };
    let change = change(&path, removed, options.target.dry_run).map_err(InputError::Other)?;
    change.print(out, &name, "removed from")?;
    Ok(Ending::Done)
}

/// Returns the name and the entry of the server, and notes for the user.
fn requested(options: &InstallOptions) -> Result<(String, Entry, Vec<String>), String> {
    let mut notes = Vec::new();
    let place = Place::current()?;
    let default_name = || options.url.as_deref().map_or_else(|| server_name(&options.command), host_name);
    let name = options.name.clone().unwrap_or_else(default_name);
    if !is_name(&name) {
        return Err(format!("{name:?} is not a name that every host accepts; use letters, digits, - and _"));
    }
    let (server, is_from_path) = if let Some(url) = &options.url {
        (Remote::new(url.clone()).arguments(options.token_env.as_deref())?, false)
    } else {
        let (command, is_from_path) = resolve(&options.command, &place, &mut notes)?;
        ([vec!["--".to_owned()], command].concat(), is_from_path)
    };
    let own = own_program()?;
    if is_in_cache(&own) {
        notes.push(format!(
            "{} is in a cache, which may be emptied; install the command permanently (`npm install --global`, `uv tool install`, `pipx install`), and run `install` again",
            own.display()
        ));
    }
    let mut args = vec!["proxy".to_owned()];
    if let Some(config) = &options.config {
        if !config.is_file() {
            return Err(format!("{} does not exist", config.display()));
        }
        args.push("--config".to_owned());
        args.push(place.absolute(config)?);
    }
    if options.host == Host::ClaudeDesktop {
        notes.push("a running Claude Desktop may write its own settings over this entry; if the server is not listed, quit it (also in the tray), and run `install` again".to_owned());
    }
    if let Some(token) =
        options.token_env.as_ref().filter(|token| !options.env.iter().any(|given| name_of(given) == *token))
    {
        notes.push(format!(
            "{} has to start the proxy with the variable {token}; `--env {token}` writes its value into the entry",
            options.host.title()
        ));
    }
    if server.iter().any(|word| word.contains('$')) {
        notes.push(format!("the command contains `$`; {} may put a variable in its place", options.host.title()));
    }
    args.extend(server);
    let mut env = options.env.iter().map(|text| variable(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = place.path.filter(|_| is_from_path && env.iter().all(|(name, _)| name != "PATH")) {
        env.push(("PATH".to_owned(), path));
    }
    let command = text(&own)?;
    Ok((name, Entry { command, args, env, has_type: options.host.has_type() }, notes))
}

/// Returns the name of a variable in `NAME=VALUE`.
fn name_of(variable: &str) -> &str {
    variable.split('=').next().unwrap_or_default()
}

/// Returns the text with the entry, or `None` if it has the entry already.
fn added(form: Form, text: &str, name: &str, entry: &Entry, replace: bool) -> Result<Option<String>, String> {
    let existing = form.servers(text)?.into_iter().find(|(known, _)| known == name).map(|(_, existing)| existing);
    let is_guarded = existing.as_ref().is_some_and(|existing| existing.is_guarded(&own_stem().unwrap_or_default()));
    match existing {
        Some(_) if !is_guarded && !replace => {
            Err(format!("it has another server {name}; choose another --name, or --replace it"))
        }
        // A server that is not guarded may have members that contradict the entry, such as a URL.
        Some(_) if !is_guarded => form.removed(text, name).and_then(|text| form.added(&text, name, entry)).map(Some),
        _ => form.added(text, name, entry).map(|written| (written != text).then_some(written)),
    }
}

/// A change of a file that was made, or would be made.
struct Change {
    path: PathBuf,
    backup: Option<PathBuf>,
    is_needed: bool,
    is_dry_run: bool,
}

/// Changes a file, if the function returns another text.
fn change(
    path: &Path,
    change: impl FnOnce(&str) -> Result<Option<String>, String>,
    is_dry_run: bool,
) -> Result<Change, String> {
    let named = |reason: String| format!("{}: {reason}", path.display());
    let file = SettingsFile::read(path).map_err(named)?;
    let written = change(file.text()).map_err(named)?;
    let backup = match &written {
        Some(written) if !is_dry_run => file.write(written).map_err(named)?,
        _ => None,
    };
    Ok(Change { path: path.to_owned(), backup, is_needed: written.is_some(), is_dry_run })
}

impl Change {
    fn print(&self, out: &mut dyn Write, name: &str, change: &str) -> std::io::Result<()> {
        let path = self.path.display();
        match (self.is_needed, self.is_dry_run) {
            (false, _) => writeln!(out, "{name} is in {path} already."),
            (true, true) => writeln!(out, "{name} would be {change} {path}."),
            (true, false) => {
                writeln!(out, "{name} was {change} {path}.")?;
                self.backup.as_ref().map_or(Ok(()), |backup| writeln!(out, "The file before: {}", backup.display()))
            }
        }
    }
}

fn own_program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))
}

/// Returns the name of this program, by which entries of an earlier installation are recognized too.
fn own_stem() -> Result<String, String> {
    own_program().map(|program| program.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}
