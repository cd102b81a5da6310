//! The `toolbox` command: tool definitions and recorded calls in files, of any language, and the same over typed tools of a program.
//!
//! In: the command line. Out: an exit code (0 where everything could be read, 1 where something was found that the caller wanted to
//! fail on, 2 for input that cannot be used, with its file and line). What always holds: what a command prints on standard output is
//! data, complaints go to standard error, and colours are only where somebody sees them.

mod call;
mod calls;
mod check;
mod complaint;
mod definitions;
mod ending;
mod explain;
mod input;
mod judge;
mod lint;
mod options;
mod parse;
mod progress;
mod schema;
mod shelf;
mod style;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use private::siblings;
use tool_runtime::__private_0_1_0 as private;
use tool_runtime::toolbox::Toolbox;

use self::complaint::complain;
use self::ending::{CheckError, Ending};
use self::input::{InputError, Source};
use self::options::{FileCommand, FileVerb, ToolsFile, TypedCommand, TypedVerb};
use self::shelf::{Shelf, Shelved};

/// The `toolbox` command over tools in a file: what its binary is.
///
/// It reads the program's own arguments, prints, and gives the exit code.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     toolbox::main()
/// }
/// ```
pub fn main() -> ExitCode {
    let command = FileCommand::parse();
    finish(|out| match &command.verb {
        FileVerb::Check { tools, options } => {
            once(tools, &options.calls)?;
            with(tools, |shelf| check::check(shelf, options, out))
        }
        FileVerb::Parse(options) => parse::parse(options, out),
        FileVerb::Schema { tools, options } => with(tools, |shelf| schema::schema(shelf, options, out)),
        FileVerb::Lint { tools, options } => with(tools, |shelf| lint::lint(shelf, options, out)),
        FileVerb::Explain { tools, options } => {
            once(tools, &options.arguments)?;
            with(tools, |shelf| explain::explain(shelf, options, out))
        }
    })
}

/// Standard input can be read once: definitions from it leave nothing for what is judged, which would then pass.
fn once(tools: &ToolsFile, other: &str) -> Result<(), InputError> {
    if tools.tools == "-" && other == "-" {
        return Err(InputError::Other(
            "standard input cannot hold the tools and the calls; name a file for one of them".to_owned(),
        ));
    }
    Ok(())
}

/// The same commands over a program's own tools, and `call`; for one line in its `main`.
///
/// Calls are judged and made whether or not the container of a tool is expanded, each member under the name that it is advertised by.
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
        let tools = siblings::tools(&toolbox).map(|(name, tool)| Shelved::typed(name, Arc::clone(tool)));
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

/// Runs a command over the tools of a file. Definitions that cannot be used are complained about, and the rest is used.
fn with(file: &ToolsFile, command: impl FnOnce(&Shelf) -> Result<Ending, CheckError>) -> Result<Ending, CheckError> {
    let source = Source::open(&file.tools)?;
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

/// The tools in their places; every clash is complained about.
fn shelved(name: &str, tools: Vec<Shelved>) -> Result<Shelf, CheckError> {
    Shelf::new(name, tools).map_err(|mut faults| {
        let last = faults.pop();
        for fault in &faults {
            complain(fault);
        }
        last.map_or_else(|| io::Error::other("the tools clash").into(), CheckError::Input)
    })
}

/// An exit code for what a command came to.
fn finish(command: impl FnOnce(&mut dyn Write) -> Result<Ending, CheckError>) -> ExitCode {
    // A lock for the whole command, and a buffer: a line at a time is too slow for files of a million calls.
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()));
    let ended = command(&mut out).and_then(|ending| {
        out.flush()?;
        Ok(ending)
    });
    match ended {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Found) => ExitCode::from(1),
        Ok(Ending::Unusable) => ExitCode::from(2),
        // Whoever reads the output has seen enough.
        Err(CheckError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// The guide to the command.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/toolbox-command.md")]
    pub mod toolbox_command {}
}

/// The example of the README is compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
