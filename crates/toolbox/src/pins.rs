//! `toolbox pins`: the remembered definitions of MCP servers, and the changes that wait for an approval.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tool_proxy::{Difference, PinChange, Pins};

use super::complaint::complain;
use super::config::Config;
use super::ending::{CheckError, Ending};
use super::environment::state_folder;
use super::input::InputError;
use super::options::{PinAction, PinsOptions};
use super::style::{BAD, BOLD, DIM, GOOD, WARN, short_line};
use crate::private::json::Writer;
use crate::private::suggest::nearest;

/// The largest number of characters that are shown of a value.
const SHOWN: usize = 2_000;

/// Returns the file of remembered definitions that is used without a file of settings.
pub(super) fn default_file() -> io::Result<PathBuf> {
    Ok(state_folder()?.join("pins.json"))
}

/// Opens a file of remembered definitions.
pub(super) fn open(file: &Path) -> io::Result<Pins> {
    Pins::open(file).map_err(|error| {
        let reason = short_line(&error.to_string());
        io::Error::new(error.kind(), format!("{} cannot be used for remembered definitions: {reason}", file.display()))
    })
}

pub(super) fn pins(options: &PinsOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let file = match (&options.file, &options.config) {
        (Some(file), _) => Some(file.clone()),
        (None, Some(config)) => match Config::load(config) {
            Ok(config) => config.pins,
            Err(errors) => {
                for error in &errors {
                    complain(error);
                }
                return Ok(Ending::Unusable);
            }
        },
        (None, None) => None,
    };
    let pins = open(&file.map_or_else(default_file, Ok)?)?;
    let failed = |text: String| Err(InputError::Other(text).into());
    let known = |server: &str| -> Result<Option<String>, io::Error> {
        let servers = pins.servers()?;
        let nearest = nearest(server, servers.iter().map(String::as_str));
        let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {}?", short_line(name)));
        let is_known = servers.iter().any(|name| name == server);
        Ok((!is_known).then(|| format!("no definitions of {} are remembered{hint}", short_line(server))))
    };
    match &options.action {
        None => {
            let changes = pins.changes()?;
            print(&changes, options.json, out)?;
            if !options.json {
                writeln!(out, "{BOLD}{} changes{BOLD:#} are not approved", changes.len())?;
            }
        }
        Some(PinAction::Approve { server, tools }) => {
            if let Some(text) = known(server)? {
                return failed(text);
            }
            let waiting = pins.changes()?;
            let waits = |tool: &&String| waiting.iter().any(|change| change.server == *server && change.tool == **tool);
            if let Some(tool) = tools.iter().find(|tool| !waits(tool)) {
                return failed(format!("{} of {} has no change", short_line(tool), short_line(server)));
            }
            let approved = pins.approve(server, tools)?;
            print(&approved, options.json, out)?;
            if !options.json {
                writeln!(out, "{BOLD}{} changes{BOLD:#} are approved", approved.len())?;
            }
        }
        Some(PinAction::Reset { server }) => {
            if let Some(text) = known(server)? {
                return failed(text);
            }
            pins.reset(server)?;
            writeln!(out, "the definitions of {} are forgotten", short_line(server))?;
        }
    }
    Ok(Ending::Done)
}

fn print(changes: &[PinChange], is_json: bool, out: &mut dyn Write) -> io::Result<()> {
    for change in changes {
        if is_json {
            writeln!(out, "{}", line(change))?;
        } else {
            report(change, out)?;
        }
    }
    Ok(())
}

fn report(change: &PinChange, out: &mut dyn Write) -> io::Result<()> {
    let PinChange { server, tool, is_new, similar, differences, warnings, .. } = change;
    let word = if *is_new { "new" } else { "changed" };
    write!(out, "{WARN}{word:<7}{WARN:#}  {BOLD}{}{BOLD:#}  {BOLD}{}{BOLD:#}", short_line(server), short_line(tool))?;
    if let Some(similar) = similar {
        write!(out, "  {BAD}can be mistaken for {}{BAD:#}", short_line(similar))?;
    }
    writeln!(out)?;
    for difference in differences {
        writeln!(out, "  {DIM}{}{DIM:#}", short_line(&difference.member))?;
        let (approved, listed) = difference.excerpts(SHOWN);
        if let Some(approved) = approved {
            writeln!(out, "  {BAD}- {approved}{BAD:#}")?;
        }
        if let Some(listed) = listed {
            writeln!(out, "  {GOOD}+ {listed}{GOOD:#}")?;
        }
    }
    for warning in warnings {
        writeln!(out, "  {BAD}warning{BAD:#} {}", short_line(warning))?;
    }
    Ok(())
}

fn line(change: &PinChange) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|entry| {
        entry.string("server", &change.server);
        entry.string("tool", &change.tool);
        entry.string("change", if change.is_new { "new" } else { "changed" });
        if let Some(similar) = &change.similar {
            entry.string("similar", similar);
        }
        entry.array("differences", &change.differences, |writer, difference| {
            let Difference { member, approved, listed, .. } = difference;
            writer.object(|entry| {
                entry.string("member", member);
                for (key, value) in [("approved", approved), ("listed", listed)] {
                    if let Some(value) = value {
                        entry.json_text(key, value);
                    }
                }
            });
        });
        entry.array("warnings", &change.warnings, |writer, warning| writer.string(warning));
    });
    line
}
