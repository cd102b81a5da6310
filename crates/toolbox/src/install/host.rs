//! The hosts whose configuration is documented, and the place and form of it.

use std::path::PathBuf;

use clap::ValueEnum;

use super::entry::{Entry, Existing};
use super::{json, table};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Host {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    /// Visual Studio Code.
    Vscode,
    Codex,
    /// Gemini CLI.
    Gemini,
}

/// The form of a file with servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, with the servers in this member of the root.
    Json(&'static str),
    /// TOML, with the servers in this table.
    Toml(&'static str),
}

impl Host {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::Vscode => "Visual Studio Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
        }
    }

    /// Returns the file with the servers of the user.
    pub(super) fn file(self, home: Option<PathBuf>) -> Result<PathBuf, String> {
        let home = home.ok_or("the home directory is not known; name the file with --file")?;
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // Programs for the desktop have one folder for settings on each system.
        let settings = || {
            if cfg!(windows) {
                variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
            } else if cfg!(target_os = "macos") {
                home.join("Library/Application Support")
            } else {
                variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))
            }
        };
        Ok(match self {
            Self::ClaudeDesktop => settings().join("Claude").join("claude_desktop_config.json"),
            Self::ClaudeCode => variable("CLAUDE_CONFIG_DIR").unwrap_or(home).join(".claude.json"),
            Self::Cursor => home.join(".cursor").join("mcp.json"),
            Self::Vscode => settings().join("Code").join("User").join("mcp.json"),
            Self::Codex => variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex")).join("config.toml"),
            Self::Gemini => home.join(".gemini").join("settings.json"),
        })
    }

    pub(super) const fn form(self) -> Form {
        match self {
            Self::ClaudeDesktop | Self::ClaudeCode | Self::Cursor | Self::Gemini => Form::Json("mcpServers"),
            Self::Vscode => Form::Json("servers"),
            Self::Codex => Form::Toml("mcp_servers"),
        }
    }

    /// Returns whether an entry has `"type": "stdio"`.
    pub(super) const fn has_type(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Cursor | Self::Vscode)
    }
}

impl Form {
    /// Returns the servers in a text.
    pub(super) fn servers(self, text: &str) -> Result<Vec<(String, Existing)>, String> {
        match self {
            Self::Json(key) => json::servers(text, key),
            Self::Toml(key) => table::servers(text, key),
        }
    }

    /// Returns the text with a server. Members of the server that the entry does not have are kept.
    pub(super) fn added(self, text: &str, name: &str, entry: &Entry) -> Result<String, String> {
        match self {
            Self::Json(key) => json::added(text, key, name, entry),
            Self::Toml(key) => table::added(text, key, name, entry),
        }
    }

    /// Returns the text without a server.
    pub(super) fn removed(self, text: &str, name: &str) -> Result<String, String> {
        match self {
            Self::Json(key) => json::removed(text, key, name),
            Self::Toml(key) => table::removed(text, key, name),
        }
    }

    /// Returns a file that contains only this entry.
    pub(super) fn snippet(self, name: &str, entry: &Entry) -> String {
        self.added("", name, entry).unwrap_or_default()
    }
}
