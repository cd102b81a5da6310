//! The entry of a server in the configuration of a host.

use std::path::Path;

/// The entry of a guarded server.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) has_type: bool,
}

impl Entry {
    /// Returns the command as a shell would read it, as far as a person needs it.
    pub(super) fn shown(&self) -> String {
        let quoted = |word: &String| {
            if word.is_empty() || word.contains(char::is_whitespace) { format!("{word:?}") } else { word.clone() }
        };
        [&self.command].into_iter().chain(&self.args).map(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// A server in the configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct Existing {
    pub(super) command: Option<String>,
    /// The first argument.
    pub(super) verb: Option<String>,
}

impl Existing {
    /// Returns whether the server runs behind the proxy of a program with this name.
    pub(super) fn is_guarded(&self, own: &str) -> bool {
        // A file may come from another system, so both separators count.
        let file = self.command.as_deref().and_then(|command| command.rsplit(['/', '\\']).next());
        let stem = file.and_then(|file| Path::new(file).file_stem());
        stem.is_some_and(|stem| stem == own) && self.verb.as_deref() == Some("proxy")
    }
}
