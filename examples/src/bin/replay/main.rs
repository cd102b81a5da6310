//! Replays recorded calls with the example tools. For each call, it prints the result and the answer to the model.
//!
//! ```sh
//! cargo run                                # thirteen calls
//! cargo run -- --all                       # 36 calls, of every kind
//! cargo run -- calls.jsonl                 # another transcript; `-` reads standard input
//! cargo run -- --json calls.jsonl          # one line of JSON for each call
//! cargo run -- --all --report report.html  # also writes a page with every call
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
use std::sync::{Arc, Mutex};

use examples::{files::Files, math::Math, trouble, weather};
use tool_report::CallRecorder;
use tool_runtime::Toolbox;
use tool_runtime::clock::SimulatedClock;
use transcript::Source;

const USAGE: &str = "Usage: replay [--json] [--report PAGE] [--all | FILE | -]\n
Replays recorded calls, one JSON object a line, against the example tools.
Without FILE, it replays a few included calls, or with --all one of every kind. With --report, it also writes a page with every call.";

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
    let (mut source, mut page) = (None, None);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str().unwrap_or_default() {
            "--help" | "-h" => {
                anstream::println!("{USAGE}");
                return Ok(());
            }
            "--json" => json = true,
            "--report" => page = Some(arguments.next().ok_or_else(|| format!("--report needs a file\n{USAGE}"))?),
            "--all" if source.is_none() => source = Some(Source::Tour),
            option if option.len() > 1 && option.starts_with('-') => {
                return Err(format!("there is no option {option}\n{USAGE}").into());
            }
            _ if source.is_some() => return Err(format!("one file at a time\n{USAGE}").into()),
            _ => source = Some(Source::File(argument)),
        }
    }
    let is_start = source.is_none();
    let calls = transcript::read(&source.unwrap_or(Source::Start))?;

    let clock = SimulatedClock::new();
    clock.set_unix_time(std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default());
    let recording = Arc::new(Mutex::new(tool_report::CallReport::new()));
    let lines = Arc::clone(&recording);
    let recorder = CallRecorder::new(move |line| {
        if let (Ok(line), Ok(mut recording)) = (line.parse(), lines.lock()) {
            recording.add_line(line);
        }
    })
    .include_results(4_000);
    let toolbox = Toolbox::builder()
        .clock(clock.clone())
        .observer(page.is_some().then(|| recorder.clone()))
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
    recorder.record_toolbox(&toolbox);
    let session = toolbox.session();

    let mut out = anstream::stdout().lock();
    if is_start && !json {
        writeln!(out, "For each call of a model: what became of it, and behind │ the text that the model reads.\n")?;
    }
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
        writeln!(out, "{summary}")?;
        if is_start {
            writeln!(out, "\n`cargo run -- --all` replays 36 calls, of every kind, and prints statistics.")?;
        } else {
            writeln!(out, "{}", statistics::Closing(&session.statistics()))?;
        }
    }
    if let (Some(page), Ok(recording)) = (page, recording.lock()) {
        std::fs::write(&page, recording.to_html("The tour"))
            .map_err(|error| format!("{} cannot be written: {error}", page.display()))?;
    }
    Ok(())
}
