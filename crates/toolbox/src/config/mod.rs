//! The configuration file of `toolbox proxy`: [`Config`].
//!
//! All mistakes of a file are reported, each with its line and key. Invariant: a file with a mistake is not used.

mod mistake;
mod servers;
mod table;
#[cfg(test)]
mod tests;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::DeTable;
use tool_proxy::{Access, Approval, Restart, ToolOptions, VersionTranslation};
use tool_runtime::RepairPolicy;
use tool_runtime::throttle::SessionLimits;

use self::mistake::{Mistake, line_of};
pub(super) use self::servers::{Reached, Server};
use self::servers::{paths_of, remote, server};
use self::table::Table;
use self::tool::tool;
use super::listen::Listen;
use super::options::PinName;
use super::remote::Remote;

/// The settings in a file.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The command that starts the server, and its arguments.
    pub(super) command: Vec<String>,
    /// A server behind a URL instead of one that is started.
    pub(super) remote: Option<Remote>,
    /// Several servers instead of one, by their names.
    pub(super) servers: Vec<(String, Server)>,
    pub(super) repair: Option<RepairPolicy>,
    pub(super) throttle: Option<Preset>,
    pub(super) max_message_bytes: Option<usize>,
    pub(super) result_bytes: Option<usize>,
    pub(super) keep_results: Option<usize>,
    pub(super) list_time_limit: Option<Duration>,
    pub(super) time_limit: Option<Duration>,
    pub(super) containers: Vec<(String, Grouped)>,
    pub(super) access: Access,
    pub(super) approval: Approval,
    pub(super) pin: Option<PinName>,
    /// The file of remembered definitions.
    pub(super) pins: Option<PathBuf>,
    pub(super) strict_names: bool,
    pub(super) redact: Vec<String>,
    pub(super) restart: Option<Restart>,
    pub(super) translation: Option<VersionTranslation>,
    /// The file for the recording of calls.
    pub(super) record: Option<PathBuf>,
    /// The largest number of bytes of an answer in the recording.
    pub(super) record_results: Option<usize>,
    /// The file for remarks.
    pub(super) log: Option<PathBuf>,
    pub(super) tools: Vec<(String, ToolOptions)>,
    pub(super) listen: Listen,
}

/// The description of a container, unless the file has one.
const DESCRIPTION: &str = "Tools of the server.";

/// A container.
#[derive(Debug)]
pub(super) struct Grouped {
    pub(super) description: String,
    /// The patterns of its members.
    pub(super) tools: Vec<String>,
}

/// The limits of the throttle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preset {
    Default,
    Strict,
    Off,
}

impl Preset {
    pub(super) fn limits(self) -> Option<SessionLimits> {
        match self {
            Self::Default => Some(SessionLimits::default()),
            Self::Strict => Some(SessionLimits::strict()),
            Self::Off => None,
        }
    }
}

impl Config {
    /// Reads a file. Paths in it are relative to its folder. On failure, returns a message for each mistake.
    pub(super) fn load(file: &Path) -> Result<Self, Vec<String>> {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| vec![format!("{name} cannot be read: {error}")])?;
        let mut config = Self::read(&text).map_err(|mut mistakes| {
            mistakes.sort();
            mistakes.iter().map(|mistake| mistake.message(&name.to_string())).collect::<Vec<_>>()
        })?;
        let folder = file.parent().unwrap_or_else(|| Path::new(""));
        let of_servers = config.servers.iter_mut().flat_map(|(_, server)| server.paths());
        let of_remote = config.remote.as_mut().map(paths_of).unwrap_or_default();
        // The servers of another file can have the same names.
        config.pins = config.pins.or_else(|| Some(file.with_extension("pins.json").file_name()?.into()));
        let own = [&mut config.record, &mut config.log, &mut config.pins].into_iter().flatten();
        for path in own.chain(of_servers).chain(of_remote) {
            *path = folder.join(&*path);
        }
        Ok(config)
    }

    fn read(text: &str) -> Result<Self, Vec<Mistake>> {
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut mistakes: Vec<Mistake> = errors
            .iter()
            .map(|error| {
                let line = line_of(text, error.span().map_or(0, |span| span.start));
                Mistake { line, key: String::new(), text: error.message().trim().replace('\n', "; ") }
            })
            .collect();
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let mut table = Table::new(text, document.get_ref(), &mut mistakes);
        let config = Self::of(&mut table);
        table.end();
        if mistakes.is_empty() { Ok(config) } else { Err(mistakes) }
    }

    fn of(table: &mut Table<'_, '_>) -> Self {
        let mut access = Access::new();
        if let Some(patterns) = table.texts("allow") {
            access = access.allow(patterns);
        }
        access = access.deny(table.texts("deny").unwrap_or_default());
        access = access.read_only(table.boolean("read_only").unwrap_or_default());
        let throttle = [("default", Preset::Default), ("strict", Preset::Strict), ("off", Preset::Off)];
        let repair = [
            ("strict", RepairPolicy::Strict),
            ("lossless", RepairPolicy::Lossless),
            ("words", RepairPolicy::Words),
            ("assisted", RepairPolicy::Assisted),
        ];
        let command = table.texts("command").unwrap_or_default();
        let remote = remote(table);
        if remote.is_some() && !command.is_empty() {
            table.reject_key("url", "give either `command` or `url`");
        }
        let servers = table.tables("servers", server);
        if (!command.is_empty() || remote.is_some()) && !servers.is_empty() {
            let key = if remote.is_some() { "url" } else { "command" };
            table.reject_key("servers", &format!("give either `{key}` or `servers`"));
        }
        Self {
            command,
            remote,
            repair: table.choice("repair", &repair),
            throttle: table.choice("throttle", &throttle),
            max_message_bytes: table.number("max_message_bytes", 1_024),
            result_bytes: table.number("result_bytes", 256),
            keep_results: table.number("keep_results", 1_024),
            list_time_limit: table.duration("list_time_limit"),
            time_limit: table.duration("time_limit"),
            access,
            approval: Approval::new()
                .tools(table.texts("approve").unwrap_or_default())
                .destructive(table.boolean("approve_destructive").unwrap_or_default()),
            pin: table.choice("pin", &[("off", PinName::Off), ("warn", PinName::Warn), ("hold", PinName::Hold)]),
            pins: table.text("pins", "the path of a file").map(PathBuf::from),
            strict_names: table.boolean("strict_names").unwrap_or_default(),
            redact: table.texts("redact").unwrap_or_default(),
            restart: table.table("restart", |restart| Restart {
                attempts: restart.number("attempts", 1).unwrap_or(Restart::DEFAULT.attempts),
                pause: restart.duration("pause").unwrap_or(Restart::DEFAULT.pause),
            }),
            translation: table.choice(
                "translate",
                &[
                    ("auto", VersionTranslation::Auto),
                    ("always", VersionTranslation::Always),
                    ("never", VersionTranslation::Never),
                ],
            ),
            record: table.text("record", "the path of a file").map(PathBuf::from),
            record_results: table.number("record_results", 1),
            log: table.text("log", "the path of a file").map(PathBuf::from),
            containers: table.tables("containers", |_, container| Grouped {
                description: container.text("description", "a text").unwrap_or_else(|| DESCRIPTION.to_owned()),
                tools: container.texts("tools").unwrap_or_default(),
            }),
            listen: Listen {
                address: table
                    .value("http", "an address such as \"127.0.0.1:8931\"", |value| value.as_str()?.parse().ok()),
                token: table.text("http_token", "the name of an environment variable"),
                hosts: table.texts("http_hosts").unwrap_or_default(),
                origins: table.texts("http_origins").unwrap_or_default(),
            },
            tools: table.tables("tools", |_, table| tool(table)),
            servers,
        }
    }
}
