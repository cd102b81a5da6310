//! Asks a model for an invoice. The model calls a tool first, its first answer breaks a rule, and its second answer is the value.

#[path = "../invoice.rs"]
mod invoice;

use invoice::Invoice;
use tool_chat::conversation::{Conversation, ConversationEvent};
use tool_chat::model::ScriptedModel;
use tool_runtime::{Toolbox, tool};

/// Finds the price of an article.
#[tool]
fn find_price(
    /// Name of the article.
    name: String,
) -> String {
    format!("{name}: 1250 cents")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new()
        .call("find_price", r#"{"name": "Lamp"}"#)
        .text(r#"{"customer": "Ada", "items": [{"name": "Lamp", "cents": 0}]}"#)
        .text("Sorry! ```json\n{\"customer\": \"Ada\", \"items\": [{\"name\": \"Lamp\", \"cents\": \"1250\"}]}\n```");
    let session = Toolbox::builder().tool(FindPriceTool).build()?.session();
    let mut conversation = Conversation::new(session, model.clone()).on_event(|event| {
        if let ConversationEvent::AnswerRejected { issues, .. } = event {
            println!("rejected: {}", issues[0]);
        }
    });
    let invoice: Invoice = pollster::block_on(conversation.answer("Ada bought a lamp."))?;
    for item in &invoice.items {
        println!("{}: {}", item.name, item.cents);
    }
    println!("{} pays {} cents.", invoice.customer, invoice.sum());
    // The provider was asked for this form.
    println!("{}", model.requests()[0].options.answer.clone().unwrap_or_default()["response_format"]["type"]);
    Ok(())
}
