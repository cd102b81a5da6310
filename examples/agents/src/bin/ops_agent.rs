//! Inspects a folder, writes a report after an approval, checks some services, and prints all calls.
//!
//! ```sh
//! cargo run -p agents --bin ops_agent                       # the included folder, with a scripted model
//! cargo run -p agents --bin ops_agent -- --yes some/folder  # another folder; reports are written without asking
//! ```
//!
//! On a terminal, the program asks before it writes. Without a terminal, calls that write are deferred, and denied in the end. The exit
//! code is 1 if the model gave no answer, and 2 if the arguments of the program are wrong.

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
use tool_testkit::TestClock;

/// Inspects a folder, with a scripted model unless the environment names a server.
#[derive(Parser)]
#[command(after_help = agents::endpoint::VARIABLES)]
struct Arguments {
    /// The folder.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/incident"), hide_default_value = true)]
    folder: PathBuf,
    /// The task of the agent.
    #[arg(long, default_value = ops::TASK)]
    task: String,
    /// The directory for reports; by default, a directory for temporary files.
    #[arg(long)]
    reports: Option<PathBuf>,
    /// Writes without asking.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Writes nothing.
    #[arg(long)]
    no: bool,
    /// Prints one line of JSON for each entry.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    program::run("ops_agent", hold(&arguments))
}

async fn hold(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let endpoint = Endpoint::from_env()?;
    // With a scripted model, the clock skips pauses instead of waiting.
    let clock: Arc<dyn Clock> =
        if endpoint.is_some() { Arc::new(TokioClock::new()) } else { Arc::new(TestClock::new()) };
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

/// Returns the longest time that a throttled call has to wait, if any call was throttled.
fn longest_pause(conversation: &Conversation) -> Option<Duration> {
    let failures = conversation.transcript().calls().filter_map(|call| call.outcome.failure());
    failures.filter(|failure| failure.error_type() == "throttled").filter_map(Failure::retry_after).max()
}
