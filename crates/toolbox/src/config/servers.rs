//! The servers in a configuration file: [`Server`].

use std::path::PathBuf;

use super::table::Table;
use crate::remote::{Remote, Secret};

/// One of several servers.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Server {
    /// The prefix of the names of tools and prompts. `None` for the name of the server with `_`.
    pub(in super::super) prefix: Option<String>,
    pub(in super::super) reached: Reached,
}

/// The command or the URL of a server.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) enum Reached {
    /// By the command that starts it.
    Command {
        /// The program and its arguments; not empty.
        command: Vec<String>,
        /// Variables that are added to the environment.
        environment: Vec<(String, String)>,
        /// The working directory of the process.
        folder: Option<PathBuf>,
    },
    Remote(Remote),
}

impl Server {
    /// Returns the paths in the settings, which are relative to the folder of the file.
    pub(super) fn paths(&mut self) -> Vec<&mut PathBuf> {
        match &mut self.reached {
            Reached::Command { folder, .. } => folder.as_mut().into_iter().collect(),
            Reached::Remote(remote) => paths_of(remote),
        }
    }
}

/// Returns the paths in the settings of a remote server.
pub(super) fn paths_of(remote: &mut Remote) -> Vec<&mut PathBuf> {
    let token = match &mut remote.token {
        Some(Secret::File(path)) => Some(path),
        Some(Secret::Environment(_)) | None => None,
    };
    token.into_iter().chain(&mut remote.ca_file).collect()
}

/// Reads the table of a server. Its name is part of the names that models see.
pub(super) fn server(name: &str, table: &mut Table<'_, '_>) -> Server {
    if !is_name(name) || name.is_empty() {
        table.reject("the name of a server consists of letters, digits, `_` and `-`");
    }
    let (has_command, remote) = (table.has("command"), remote(table));
    let command = table.texts("command");
    if command.as_ref().is_some_and(Vec::is_empty) || (!has_command && remote.is_none()) {
        table.reject("the `command` that starts the server is missing, or its `url`");
    }
    let expected = "letters, digits, `_` and `-`, or an empty text";
    let prefix =
        table.value("prefix", expected, |value| value.as_str().filter(|text| is_name(text)).map(str::to_owned));
    let environment = table.table("env", variables);
    let folder = table.text("cwd", "the path of a folder").map(PathBuf::from);
    let reached = match remote {
        Some(remote) => {
            for key in ["command", "env", "cwd"] {
                table.reject_present(key, "a server with a `url` is not started");
            }
            Reached::Remote(remote)
        }
        None => Reached::Command {
            command: command.unwrap_or_default(),
            environment: environment.unwrap_or_default(),
            folder,
        },
    };
    Server { prefix, reached }
}

/// Reads the settings of a server behind a URL; `None` without one.
pub(super) fn remote(table: &mut Table<'_, '_>) -> Option<Remote> {
    let url = table.text("url", "the URL of a server");
    let variable = table.text("token_env", "the name of an environment variable").map(Secret::Environment);
    let file = table.text("token_file", "the path of a file").map(|path| Secret::File(path.into()));
    if variable.is_some() && file.is_some() {
        table.reject_key("token_file", "give either `token_env` or `token_file`");
    }
    let headers = table.table("headers", variables).unwrap_or_default();
    let header_env = table.table("header_env", variables).unwrap_or_default();
    let ca_file = table.text("ca_file", "the path of a file").map(PathBuf::from);
    if url.is_none() {
        for key in ["token_env", "token_file", "headers", "header_env", "ca_file"] {
            table.reject_present(key, "the `url` is missing");
        }
    }
    Some(Remote { url: url?, token: variable.or(file), headers, header_env, ca_file })
}

/// Returns `true` if all providers of models accept a text as part of the name of a tool.
fn is_name(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'))
}

/// Reads the variables of an environment, or headers.
fn variables(table: &mut Table<'_, '_>) -> Vec<(String, String)> {
    table.all_texts()
}
