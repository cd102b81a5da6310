//! The configuration file of `toolbox proxy`: [`Config`].
//!
//! All mistakes of a file are reported, each with its line and key. Invariant: a file with a mistake is not used.

mod mistake;
mod servers;
mod table;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::DeTable;
use tool_mcp::proxy::{Access, Approval, Restart, ToolOptions, Translation};
use tool_runtime::RepairPolicy;
use tool_runtime::throttle::Limits;

use self::mistake::{Mistake, line_of};
pub(super) use self::servers::Server;
use self::servers::server;
use self::table::Table;
use self::tool::tool;
use super::listen::Listen;

/// The settings in a file.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The command that starts the server, and its arguments.
    pub(super) command: Vec<String>,
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
    pub(super) redact: Vec<String>,
    pub(super) restart: Option<Restart>,
    pub(super) translation: Option<Translation>,
    /// The file for the recording of calls.
    pub(super) record: Option<PathBuf>,
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
    pub(super) fn limits(self) -> Option<Limits> {
        match self {
            Self::Default => Some(Limits::default()),
            Self::Strict => Some(Limits::strict()),
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
        let folders = config.servers.iter_mut().filter_map(|(_, server)| server.folder.as_mut());
        for path in [&mut config.record, &mut config.log].into_iter().flatten().chain(folders) {
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
            ("assisted", RepairPolicy::Assisted),
        ];
        let command = table.texts("command").unwrap_or_default();
        let servers = table.tables("servers", server);
        if !command.is_empty() && !servers.is_empty() {
            table.refuse_key("servers", "give either `command` or `servers`");
        }
        Self {
            command,
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
            redact: table.texts("redact").unwrap_or_default(),
            restart: table.table("restart", |restart| Restart {
                attempts: restart.number("attempts", 1).unwrap_or(Restart::DEFAULT.attempts),
                pause: restart.duration("pause").unwrap_or(Restart::DEFAULT.pause),
            }),
            translation: table.choice(
                "translate",
                &[("auto", Translation::Auto), ("always", Translation::Always), ("never", Translation::Never)],
            ),
            record: table.text("record", "the path of a file").map(PathBuf::from),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        let mut mistakes = Config::read(text).expect_err("mistakes");
        mistakes.sort();
        mistakes.iter().map(|mistake| mistake.message("proxy.toml")).collect()
    }

    #[test]
    fn every_mistake_is_reported_with_its_line() {
        let text = r#"
comand = ["a"]
repair = "loss less"
throttle = 3
result_bytes = 10
deny = ["a", 1]
time_limit = "10"
read_only = "yes"
redact = "token"
[tools]
x = 1
[tools.search]
throttle = "poling"
same_error = true
rate = { calls = 0, windw = "1s" }
[servers."a b"]
command = []
prefx = "a_"
[servers.b]
command = ["b"]
prefix = "b."
env = { TOKEN = 1234 }
"#;
        assert_eq!(
            messages(text),
            [
                "proxy.toml:2: comand: unknown key; did you mean \"command\"?",
                "proxy.toml:3: repair: expected \"strict\", \"lossless\" or \"assisted\", found \"loss less\"; did you mean \"lossless\"?",
                "proxy.toml:4: throttle: expected \"default\", \"strict\" or \"off\", found 3",
                "proxy.toml:5: result_bytes: expected a whole number of at least 256, found 10",
                "proxy.toml:6: deny: expected a text that is not empty, found 1",
                "proxy.toml:7: time_limit: expected a time such as \"500ms\", \"10s\" or \"2m\", found \"10\"",
                "proxy.toml:8: read_only: expected true or false, found \"yes\"",
                "proxy.toml:9: redact: expected a list of texts, found \"token\"",
                "proxy.toml:11: tools.x: expected a table, found 1",
                "proxy.toml:13: tools.search.throttle: expected \"polling\" or \"unlimited\", found \"poling\"; did you mean \"polling\"?",
                "proxy.toml:14: tools.search.same_error: expected a whole number of at least 1, or false, found true",
                "proxy.toml:15: tools.search.rate.calls: expected a whole number of at least 1, found 0",
                "proxy.toml:15: tools.search.rate.windw: unknown key; did you mean \"window\"?",
                "proxy.toml:16: servers.a b: the `command` that starts the server is missing",
                "proxy.toml:16: servers.a b: the name of a server consists of letters, digits, `_` and `-`",
                "proxy.toml:18: servers.a b.prefx: unknown key; did you mean \"prefix\"?",
                "proxy.toml:21: servers.b.prefix: expected letters, digits, `_` and `-`, or an empty text, found \"b.\"",
                "proxy.toml:22: servers.b.env.TOKEN: expected a text in quotes",
            ]
        );
    }

    #[test]
    fn the_file_of_the_guide_has_every_key() -> Result<(), Box<dyn std::error::Error>> {
        let guide = include_str!("../../docs/proxy-settings.md");
        let (_, rest) = guide.split_once("```toml\n").ok_or("no file")?;
        let (file, rest) = rest.split_once("```").ok_or("no end")?;
        let config = Config::read(file).map_err(|mistakes| format!("{mistakes:?}"))?;
        // `servers` stands instead of `command`, so it has a file of its own.
        let (_, rest) = rest.split_once("```toml\n").ok_or("no file with servers")?;
        let (servers, _) = rest.split_once("```").ok_or("no end")?;
        assert_eq!(Config::read(servers).map_err(|mistakes| format!("{mistakes:?}"))?.servers.len(), 2);
        assert_eq!((config.tools.len(), config.result_bytes), (1, Some(20_000)));
        // The message about an unknown key lists the known ones.
        let message = messages("zzzzzzzzzzzz = 1").concat();
        let (_, known) = message.split_once("known keys are ").ok_or("no list")?;
        for key in known.split(", ") {
            let forms = [format!("\n{key} = "), format!("[{key}]"), format!("[{key}.")];
            let has = |text: &str| forms.iter().any(|form| text.contains(form));
            assert!(file.starts_with(key) || has(file) || has(servers), "{key}");
        }
        Ok(())
    }

    #[test]
    fn one_command_and_several_servers_exclude_each_other() {
        let text = "command = [\"a\"]\n[servers.b]\ncommand = [\"b\"]\n";
        assert_eq!(messages(text), ["proxy.toml:2: servers: give either `command` or `servers`"]);
    }

    #[test]
    fn a_server_has_a_command_a_prefix_an_environment_and_a_folder() {
        let text = "[servers.b]\ncommand = [\"b\", \"-x\"]\nprefix = \"\"\ncwd = \"data\"\nenv = { KEY = \"1\" }\n";
        let config = Config::read(text).expect("no mistakes");
        let server = Server {
            command: vec!["b".to_owned(), "-x".to_owned()],
            prefix: Some(String::new()),
            environment: vec![("KEY".to_owned(), "1".to_owned())],
            folder: Some(PathBuf::from("data")),
        };
        assert_eq!(config.servers, [("b".to_owned(), server)]);
    }

    #[test]
    fn text_that_is_not_toml_is_reported_with_its_line() {
        for (text, line) in
            [("a = \n", 1), ("\n[tools\n", 2), ("repair = \"a\"\nrepair = \"b\"\n", 2), ("\u{feff}x = 1 2", 1)]
        {
            let messages = messages(text);
            assert!(messages[0].starts_with(&format!("proxy.toml:{line}: ")), "{messages:?}");
        }
    }

    #[test]
    fn durations_have_units() {
        for (text, expected) in [
            ("500ms", Some(500)),
            ("10s", Some(10_000)),
            ("2m", Some(120_000)),
            ("1h", Some(3_600_000)),
            ("0s", None),
            ("s", None),
            ("-1s", None),
            ("1.5s", None),
            ("99999999999999999h", None),
            ("1000h", None),
        ] {
            let config = Config::read(&format!("time_limit = \"{text}\"")).ok();
            let limit = config.and_then(|config| config.time_limit);
            assert_eq!(limit, expected.map(Duration::from_millis), "{text}");
        }
    }
}
