//! Replays recorded calls with the example tools. For each call, it prints the result and the answer to the model.
//!
//! ```sh
//! cargo run                                # the included transcript
//! cargo run -- calls.jsonl                 # another transcript; `-` reads standard input
//! cargo run -- --json calls.jsonl          # one line of JSON for each call
//! ```
//!
//! The input is JSON Lines, `{"id"?, "tool" | "name", "arguments", "after_ms"?}`. If the arguments are a string, this string is the text
//! that the model sent. On a simulated clock, each call is made `after_ms` milliseconds after the previous call; the default is three
//! seconds. The exit code is 2 if a line cannot be parsed. The error names the file and the line.

mod report;
mod statistics;
mod transcript;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use examples::{files::Files, math::Math, trouble, weather};
use tool_runtime::Toolbox;
use tool_runtime::clock::SimulatedClock;

const USAGE: &str = "Usage: replay [--json] [FILE | -]\n
Replays recorded calls, one JSON object a line, against the example tools.
Without FILE, it replays the included transcript.";

fn main() -> ExitCode {
    // If a tool panics, the session answers the call, so the panic message would only disturb the output.
    std::panic::set_hook(Box::new(|_| ()));
    match run(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        // The program that reads the output has closed it, which is not an error.
        Err(error)
            if error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            anstream::eprintln!("replay: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Vec<OsString>) -> Result<(), Box<dyn std::error::Error>> {
    let mut json = false;
    let mut file = None;
    for argument in arguments {
        match argument.to_str().unwrap_or_default() {
            "--help" | "-h" => {
                anstream::println!("{USAGE}");
                return Ok(());
            }
            "--json" => json = true,
            option if option.len() > 1 && option.starts_with('-') => {
                return Err(format!("there is no option {option}\n{USAGE}").into());
            }
            _ if file.is_some() => return Err(format!("one file at a time\n{USAGE}").into()),
            _ => file = Some(argument),
        }
    }
    let calls = transcript::read(file.as_deref())?;

    let clock = SimulatedClock::new();
    let toolbox = Toolbox::builder()
        .clock(clock.clone())
        .tool(weather::GetWeatherTool)
        .tool(weather::WeatherAlongTool)
        .container(Math)
        .container(Files::open(concat!(env!("CARGO_MANIFEST_DIR"), "/library"))?)
        .container(trouble::Attic)
        .tool(trouble::AskOfflineTool)
        .tool(trouble::AskBusyTool)
        .tool(trouble::AskSlowTool)
        .tool(trouble::AskBrokenTool)
        .tool(trouble::AskUnspeakableTool)
        .build()?;
    let session = toolbox.session();

    let mut out = anstream::stdout().lock();
    let mut summary = report::Summary::default();
    for call in &calls {
        clock.advance(call.after);
        let outcome = pollster::block_on(session.call(&call.id, &call.tool, call.arguments.as_str()));
        summary.count(&outcome);
        if json {
            writeln!(out, "{}", report::line(&outcome)?)?;
        } else {
            writeln!(out, "{}", report::Report { call, outcome: &outcome })?;
        }
    }
    if !json {
        writeln!(out, "{summary}\n{}", statistics::Closing(&session.statistics()))?;
    }
    Ok(())
}
