//! The server that the official SDKs check: `scripts/judges-mcp` runs their clients against it.
//!
//! It has a tool for each behaviour: a structured result with an output schema, arguments with rules, progress, cancellation, parts of
//! several kinds, an error, and a container.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::net::TcpListener;
use tool_mcp::Server;
use tool_runtime::tool::Content;
use tool_runtime::{CallContext, Container, ToolError, Toolbox, tool};

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: f64,
}

/// Adds two numbers.
#[tool(read_only, output_schema)]
fn add(
    /// First summand.
    a: f64,
    /// Second summand.
    b: f64,
) -> Sum {
    Sum { sum: a + b }
}

#[derive(Serialize, JsonSchema)]
struct Days {
    #[schemars(range(max = 3))]
    days: u8,
}

/// Returns more days than its output schema allows, if asked for more than three.
#[tool(output_schema)]
fn count_days(
    /// The number of days.
    days: u8,
) -> Days {
    Days { days }
}

/// Books a room.
#[tool]
fn book_room(
    /// Name of the guest.
    #[tool(length(min = 1, max = 40), example = "Ada")]
    guest: String,
    /// Number of nights.
    #[tool(range(min = 1, max = 30))]
    nights: u8,
) -> String {
    format!("{guest} stays for {nights} nights.")
}

/// Counts to a number. It takes a moment for each, because the TypeScript SDK drops progress that arrives together with the result.
#[tool]
async fn count(
    /// The last number.
    #[tool(range(max = 100))]
    to: u8,
    #[tool(context)] cx: &CallContext,
) -> String {
    for done in 0..=to {
        cx.progress(done.into(), f64::from(to), "counting");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    format!("Counted to {to}.")
}

/// The number of calls of `wait` that have ended.
static ENDED: AtomicU32 = AtomicU32::new(0);

struct Waiting;

impl Drop for Waiting {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits until the call is cancelled.
#[tool]
async fn wait() -> String {
    let _waiting = Waiting;
    std::future::pending().await
}

/// Returns the number of calls of `wait` that have ended.
#[tool]
fn ended(
    /// Makes repeated calls differ.
    question: Option<i32>,
) -> u32 {
    let _ = question;
    ENDED.load(Ordering::SeqCst)
}

/// Returns an image and a sentence.
#[tool]
fn chart() -> Vec<Content> {
    vec![Content::text("A chart."), Content::image("image/png", b"\x89PNG")]
}

/// Rejects everything.
#[tool]
fn reject() -> Result<(), ToolError> {
    Err(ToolError::new("The account is closed."))
}

/// Multiplies two numbers.
#[tool]
fn multiply(
    /// First factor.
    a: f64,
    /// Second factor.
    b: f64,
) -> f64 {
    a * b
}

/// Serves over stdio. With `--http`, serves over streamable HTTP on a free loopback port and prints its URL, until the standard input ends.
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let math = Container::new("Math", "More arithmetic.").tool(MultiplyTool);
    let builder = Toolbox::builder().tool(AddTool).tool(CountDaysTool).tool(BookRoomTool).tool(CountTool);
    let toolbox = builder.tool(WaitTool).tool(EndedTool).tool(ChartTool).tool(RejectTool).container(math).build()?;
    let server = Server::new(toolbox).named("checked", "1.0.0");
    if std::env::args().nth(1).as_deref() != Some("--http") {
        return Ok(server.stdio().await?);
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let stop = async { drop(tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await) };
    Ok(server.http().serve(listener, stop).await?)
}
