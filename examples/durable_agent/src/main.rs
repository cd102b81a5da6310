//! The ops agent as a worker of Restate. Writing a report waits for an approval, and the worker can be killed at any moment.
//!
//! ```sh
//! scripts/judges-restate demo                     # a server, two workers one after the other, and an approval
//! cargo run -p durable_agent --features restate -- --port 9080       # a worker for your own server
//! ```

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agents::ops::{self, Approval};
use clap::Parser;
use restate_sdk::http_server::HttpServer;
use tokio::net::TcpListener;
use tool_chat::model::{ChatModel, Request, ResponseFuture};
use tool_durable::restate::Conversations;
use tool_durable::{ConversationSetup, ListenerEvent};
use tool_runtime::clock::TokioClock;

/// Serves the ops agent to a Restate server.
#[derive(Clone, Parser)]
struct Arguments {
    /// The loopback port on which Restate calls the worker.
    #[arg(long, default_value_t = 9080)]
    port: u16,
    /// The folder that the agent inspects.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/incident"), hide_default_value = true)]
    folder: PathBuf,
    /// The directory for reports; by default, a directory for temporary files.
    #[arg(long)]
    reports: Option<PathBuf>,
}

/// Prints the calls of each answer of a model.
struct Shown<M>(M);

impl<M: ChatModel> ChatModel for Shown<M> {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let response = self.0.complete(request).await?;
            let names: Vec<&str> = response.calls.iter().map(|call| call.name.as_str()).collect();
            let calls = names.join(", ");
            println!("the model answers: {}", if calls.is_empty() { &response.text } else { &calls });
            Ok(response)
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { port, folder, reports } = Arguments::parse();
    let reports = reports.unwrap_or_else(|| std::env::temp_dir().join("durable_agent"));
    let clock = Arc::new(TokioClock::new());
    // A call that writes is deferred, so that a human can approve it. The toolbox fits every conversation.
    let toolbox = ops::toolbox(&folder, &reports, Approval::Defer, clock.clone(), Arc::default())?;
    let conversations = Conversations::new(move |_id| {
        let model = Shown(ops::operator().default_delay(Duration::from_secs(1)).clock(clock.clone()));
        ConversationSetup::new(&toolbox, model).instructions(ops::INSTRUCTIONS).on_event(|event| match event {
            ListenerEvent::EffectUnknown { tool, .. } => println!("{tool} was interrupted, and does not run again"),
            ListenerEvent::CallRepeated { tool, .. } => println!("{tool} was interrupted, and runs again"),
            _ => {}
        })
    });
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    HttpServer::new(conversations.endpoint()).serve(listener).await;
    Ok(())
}
