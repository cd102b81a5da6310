//! The servers in a configuration file: [`Server`].

use std::path::PathBuf;

use super::table::Table;

/// The command that starts one of several servers.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Server {
    /// The program and its arguments; not empty.
    pub(in super::super) command: Vec<String>,
    /// The prefix of the names of tools and prompts. `None` for the name of the server with `_`.
    pub(in super::super) prefix: Option<String>,
    /// Variables that are added to the environment.
    pub(in super::super) environment: Vec<(String, String)>,
    /// The working directory of the process.
    pub(in super::super) folder: Option<PathBuf>,
}

/// Reads the table of a server. Its name is part of the names that models see.
pub(super) fn server(name: &str, table: &mut Table<'_, '_>) -> Server {
    if !is_name(name) || name.is_empty() {
        table.reject("the name of a server consists of letters, digits, `_` and `-`");
    }
    let has_command = table.has("command");
    let command = table.texts("command");
    if !has_command || command.as_ref().is_some_and(Vec::is_empty) {
        table.reject("the `command` that starts the server is missing");
    }
    let expected = "letters, digits, `_` and `-`, or an empty text";
    let prefix =
        table.value("prefix", expected, |value| value.as_str().filter(|text| is_name(text)).map(str::to_owned));
    let environment = table.table("env", variables);
    let folder = table.text("cwd", "the path of a folder").map(PathBuf::from);
    Server { command: command.unwrap_or_default(), prefix, environment: environment.unwrap_or_default(), folder }
}

/// Returns `true` if all providers of models accept a text as part of the name of a tool.
fn is_name(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'))
}

/// Reads the variables of an environment.
fn variables(table: &mut Table<'_, '_>) -> Vec<(String, String)> {
    table.all_texts()
}
