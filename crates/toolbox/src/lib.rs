//! The `toolbox` command: checks tool definitions and recorded calls in files, from programs in any language, and the typed tools of a Rust
//! program; guards MCP servers.
//!
//! The exit code is 0 if all input could be used, 1 if the command found something for which the user has requested a failure, and 2 if a
//! part of the input could not be used. The module `proxy` describes the exit code of `toolbox proxy`.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `proxy` (default) | `toolbox proxy`, `toolbox install`, `toolbox uninstall`, `toolbox tools` and `toolbox pins` |
//!
//! Invariants: standard output contains only data. Errors go to standard error. Colours are only used on a terminal.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod call;
mod calls;
mod check;
mod complaint;
#[cfg(feature = "proxy")]
mod config;
mod definitions;
mod ending;
#[cfg(feature = "proxy")]
mod environment;
mod explain;
mod input;
#[cfg(feature = "proxy")]
mod install;
mod judge;
mod lint;
#[cfg(feature = "proxy")]
mod listen;
#[cfg(feature = "remote")]
mod oauth;
mod options;
mod parse;
#[cfg(feature = "proxy")]
mod pins;
mod progress;
#[cfg(feature = "proxy")]
mod proxy;
#[cfg(feature = "proxy")]
mod remote;
mod report;
mod schema;
#[cfg(feature = "proxy")]
mod search_path;
mod shelf;
mod style;
#[cfg(feature = "proxy")]
mod tools;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use tool_runtime::__private_0_1_0 as private;
use tool_runtime::toolbox::Toolbox;

use self::complaint::complain;
use self::ending::{CheckError, Ending};
use self::input::{ContainerSource, InputError};
use self::options::{FileCommand, FileVerb, ToolsFile, TypedCommand, TypedVerb, Verb};
use self::shelf::{Shelf, Shelved};

/// Runs the `toolbox` command for tools in a file.
///
/// The binary `toolbox` only calls this function, which parses the arguments of the process, prints the output, and returns the exit code.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     toolbox::main()
/// }
/// ```
pub fn main() -> ExitCode {
    match FileCommand::parse().verb {
        Verb::Files(verb) => files(&verb),
        #[cfg(feature = "proxy")]
        Verb::Proxy(options) => proxy::proxy(&options),
        #[cfg(feature = "proxy")]
        Verb::Install(options) => finish(|out| install::install(&options, out)),
        #[cfg(feature = "proxy")]
        Verb::Uninstall(options) => finish(|out| install::uninstall(&options, out)),
        #[cfg(feature = "remote")]
        Verb::Login(options) => finish(|out| oauth::login(&options, out)),
        #[cfg(feature = "remote")]
        Verb::Logout(options) => finish(|out| oauth::logout(&options, out)),
        #[cfg(feature = "proxy")]
        Verb::Tools(options) => finish(|out| tools::tools(&options, out)),
        #[cfg(feature = "proxy")]
        Verb::Pins(options) => finish(|out| pins::pins(&options, out)),
    }
}

/// Runs a command for tools in a file.
fn files(verb: &FileVerb) -> ExitCode {
    finish(|out| match verb {
        FileVerb::Check { tools, options } => {
            once(tools, &options.calls)?;
            with(tools, |shelf| check::check(shelf, options, out))
        }
        FileVerb::Parse(options) => parse::parse(options, out),
        FileVerb::Report(options) => report::report(options, out),
        FileVerb::Schema { tools, options } => with(tools, |shelf| schema::schema(shelf, options, out)),
        FileVerb::Lint { tools, options } => with(tools, |shelf| lint::lint(shelf, options, out)),
        FileVerb::Explain { tools, options } => {
            once(tools, &options.arguments)?;
            with(tools, |shelf| explain::explain(shelf, options, out))
        }
    })
}

/// Returns an error if both inputs are standard input, because it can only be read once, so the second input would be empty.
fn once(tools: &ToolsFile, other: &str) -> Result<(), InputError> {
    if tools.tools == "-" && other == "-" {
        return Err(InputError::Other(
            "standard input cannot contain both the tools and the calls; name a file for one of them".to_owned(),
        ));
    }
    Ok(())
}

/// Runs the `toolbox` command for a program's own tools, with the additional subcommand `call`.
///
/// Call this function from `main`. Members of containers can be checked and called under their advertised names, whether or not their
/// container is expanded.
///
/// ```no_run
/// use std::process::ExitCode;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Echoes a text.
/// #[tool]
/// fn echo(
///     /// What to say.
///     text: String,
/// ) -> String {
///     text
/// }
///
/// fn main() -> ExitCode {
///     match Toolbox::builder().tool(EchoTool).build() {
///         Ok(toolbox) => toolbox::run(toolbox),
///         Err(error) => {
///             eprintln!("{error}");
///             ExitCode::FAILURE
///         }
///     }
/// }
/// ```
pub fn run(toolbox: Toolbox) -> ExitCode {
    let command = TypedCommand::parse();
    finish(move |out| {
        let tools = toolbox.tools().map(|(name, tool)| Shelved::typed(name, Arc::clone(tool)));
        let shelf = shelved("the toolbox", tools.collect())?;
        match &command.verb {
            TypedVerb::Call(options) => call::call(&toolbox, options, out),
            TypedVerb::Check(options) => check::check(&shelf, options, out),
            TypedVerb::Parse(options) => parse::parse(options, out),
            TypedVerb::Schema(options) => schema::schema(&shelf, options, out),
            TypedVerb::Lint(options) => lint::lint(&shelf, options, out),
            TypedVerb::Explain(options) => explain::explain(&shelf, options, out),
        }
    })
}

/// Runs a command with the tools of a file. Definitions that cannot be used are reported, and the others are used.
fn with(file: &ToolsFile, command: impl FnOnce(&Shelf) -> Result<Ending, CheckError>) -> Result<Ending, CheckError> {
    let source = ContainerSource::open(&file.tools)?;
    let name = source.name.clone();
    let (definitions, faults) = definitions::read(&name, &source.text()?)?;
    for fault in &faults {
        complain(fault);
    }
    let load = |definition: &_| judge::load(definition, file.unknown, file.formats);
    let shelf = shelved(&name, definitions.into_iter().map(|definition| Shelved::of(definition, load)).collect())?;
    let ending = command(&shelf)?;
    Ok(if faults.is_empty() { ending } else { Ending::Unusable })
}

/// Registers the tools, and reports every conflict between them.
fn shelved(name: &str, tools: Vec<Shelved>) -> Result<Shelf, CheckError> {
    Shelf::new(name, tools).map_err(|mut faults| {
        let last = faults.pop();
        for fault in &faults {
            complain(fault);
        }
        last.map_or_else(|| io::Error::other("the tools conflict").into(), CheckError::Input)
    })
}

/// Runs a command and returns its exit code.
fn finish(command: impl FnOnce(&mut dyn Write) -> Result<Ending, CheckError>) -> ExitCode {
    // The output is locked and buffered for the whole command, so that files with a million calls are processed fast.
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()));
    let ended = command(&mut out).and_then(|ending| {
        out.flush()?;
        Ok(ending)
    });
    match ended {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Found) => ExitCode::from(1),
        Ok(Ending::Unusable) => ExitCode::from(2),
        // The program that reads the output has closed it, which is not an error.
        Err(CheckError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// Guides to the command.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/guard-a-server.md")]
    pub mod guard_a_server {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/proxy-behavior.md")]
    pub mod proxy_behavior {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/proxy-settings.md")]
    pub mod proxy_settings {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/toolbox-command.md")]
    pub mod toolbox_command {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/toolbox-definitions.md")]
    pub mod toolbox_definitions {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
