//! Reads an invoice from the answer of a model. This example depends on `tool-schema` alone.

use serde::Deserialize;
use tool_schema::{ToolInput, extract};

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Invoice {
    /// Who is billed.
    customer: String,
    /// What is billed.
    #[tool(length(min = 1))]
    items: Vec<Item>,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Item {
    /// Name of the article.
    name: String,
    /// Price in cents.
    #[tool(range(min = 1))]
    cents: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let answer =
        "Here is the invoice:\n```json\n{\"customer\": \"Ada\", \"items\": [{'name': 'Lamp', 'cents': '1250'},]}\n```";
    let invoice = extract::<Invoice>(answer)?;
    println!(
        "{} pays {} cents.",
        invoice.value.customer,
        invoice.value.items.iter().map(|item| item.cents).sum::<u32>()
    );
    for repair in tool_schema::repair::lines(&invoice.repairs) {
        println!("  {repair}");
    }
    for item in &invoice.value.items {
        println!("  {}: {}", item.name, item.cents);
    }

    let wrong = r#"{"customer": "Ada", "items": [{"nam": "Lamp", "cents": 0}]}"#;
    match extract::<Invoice>(wrong) {
        Ok(invoice) => println!("{invoice:?}"),
        Err(error) => println!("{error}\n{}", error.marked_up()),
    }
    Ok(())
}
