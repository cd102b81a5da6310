//! A program that stops in the middle of a payment, and continues when you start it again. Run this command twice: `cargo run -p
//! tool-durable --example restart`.

use tool_chat::model::ScriptedModel;
use tool_durable::{ConversationSetup, DurableConversations, FileStore};
use tool_runtime::{CallContext, Toolbox, tool};

/// Pays an invoice.
#[tool]
fn pay(
    #[tool(context)] cx: &CallContext,
    /// The number of the invoice.
    invoice: u32,
) -> String {
    println!("paying invoice {invoice} with the key {}, and the power fails", cx.idempotency_key());
    std::process::exit(1)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(PayTool).build()?;
    let folder = std::env::temp_dir().join("tool-durable-restart");
    let durable = DurableConversations::new(FileStore::new(&folder)?);
    pollster::block_on(async {
        let is_first = !folder.join("c-order%207.log").exists();
        let model = ScriptedModel::new();
        let model = if is_first { model.call("pay", r#"{"invoice": 7}"#) } else { model };
        let setup = ConversationSetup::new(&toolbox, model.text("Please check whether invoice 7 was paid."));
        let mut conversation = durable.open("order 7", setup).await?;
        let end = if is_first { conversation.ask("Pay invoice 7.").await? } else { conversation.resume().await? };
        for call in conversation.transcript().calls() {
            println!("{}: {}", call.name, call.outcome.to_text());
        }
        println!("{}", end.text().unwrap_or("The turn has no answer."));
        std::fs::remove_dir_all(&folder)?;
        Ok(())
    })
}
