//! Looks into a folder, writes a report if somebody approves of it, asks services how they are, and prints what happened.
//!
//! ```sh
//! cargo run -p agents --bin ops_agent                       # the folder that ships with it, a script for a model
//! cargo run -p agents --bin ops_agent -- --yes some/folder  # another folder; reports are written without asking
//! ```
//!
//! On a terminal it asks before it writes. Where nobody is there, a call that writes is put off, and denied in the end. Exit code 1: the model did not come to an answer. 2: the call of the program is wrong.

use std::error::Error;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use agents::endpoint::{self, Endpoint};
use agents::exchange::{Exchange, Noted, is_answered};
use agents::ops::{self, Approval};
use agents::program;
use clap::Parser;
use tool_chat::conversation::Conversation;
use tool_runtime::clock::{Clock, TokioClock};
use tool_runtime::failure::Failure;
use tool_testkit::SkippingClock;

/// Looks into a folder, with a script for a model unless the environment names a server.
#[derive(Parser)]
#[command(after_help = agents::endpoint::VARIABLES)]
struct Arguments {
    /// The folder.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/incident"), hide_default_value = true)]
    folder: PathBuf,
    /// What the agent has to do.
    #[arg(long, default_value = ops::TASK)]
    task: String,
    /// Where reports are written; a directory for temporary files where nothing is said.
    #[arg(long)]
    reports: Option<PathBuf>,
    /// Writes without asking.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Writes nothing.
    #[arg(long)]
    no: bool,
    /// Prints one line of JSON for everything that happened.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    program::run("ops_agent", hold(&arguments))
}

async fn hold(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let endpoint = Endpoint::from_env()?;
    // Without a server nobody has to wait: the clock skips the pauses.
    let clock: Arc<dyn Clock> =
        if endpoint.is_some() { Arc::new(TokioClock::new()) } else { Arc::new(SkippingClock::new()) };
    let reports = arguments.reports.clone().unwrap_or_else(|| std::env::temp_dir().join("ops_agent"));
    let noted = Arc::new(Noted::default());
    let toolbox =
        ops::toolbox(&arguments.folder, &reports, approval(arguments), Arc::clone(&clock), Arc::clone(&noted))
            .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    let model = endpoint::model(endpoint.as_ref(), || ops::operator().clock(Arc::clone(&clock)));
    let mut conversation = ops::conversation(&toolbox, model, Arc::clone(&clock));

    let mut out = anstream::stdout();
    let mut exchange = Exchange::new(&mut out, arguments.json);
    let mut end = conversation.ask(&arguments.task).await;
    end = ops::decide(&mut conversation, end, |_| false).await?;
    exchange.turn(&conversation, &noted, 0, &end)?;
    if let Some(pause) = longest_pause(&conversation).filter(|_| is_answered(&end)) {
        exchange.pause(pause)?;
        clock.sleep(pause).await;
        end = conversation.ask(ops::LATER).await;
        end = ops::decide(&mut conversation, end, |_| false).await?;
        exchange.turn(&conversation, &noted, 1, &end)?;
    }
    exchange.close(&conversation)?;
    Ok(is_answered(&end))
}

fn approval(arguments: &Arguments) -> Approval {
    if arguments.yes {
        Approval::Allow
    } else if arguments.no {
        Approval::Deny
    } else if io::stdin().is_terminal() {
        Approval::Ask(Arc::new(|question| ask(question).unwrap_or(false)))
    } else {
        Approval::Defer
    }
}

fn ask(question: &str) -> io::Result<bool> {
    write!(io::stderr(), "{question} [y/N] ")?;
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// How long the calls that were paused have to wait.
fn longest_pause(conversation: &Conversation) -> Option<Duration> {
    let failures = conversation.transcript().calls().filter_map(|call| call.outcome.failure());
    failures.filter(|failure| failure.error_type() == "throttled").filter_map(Failure::retry_after).max()
}
