//! Reads an invoice from the text of a model. This program depends on `tool-schema` alone. `bin/conversation.rs` asks a model for the same
//! type.

mod invoice;

use invoice::Invoice;
use tool_schema::extract;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let answer =
        "Here is the invoice:\n```json\n{\"customer\": \"Ada\", \"items\": [{'name': 'Lamp', 'cents': '1250'},]}\n```";
    let invoice = extract::<Invoice>(answer)?;
    println!("{} pays {} cents.", invoice.value.customer, invoice.value.sum());
    for repair in tool_schema::repair::summary_lines(&invoice.repairs) {
        println!("  {repair}");
    }
    for item in &invoice.value.items {
        println!("  {}: {}", item.name, item.cents);
    }

    let wrong = r#"{"customer": "Ada", "items": [{"nam": "Lamp", "cents": 0}]}"#;
    match extract::<Invoice>(wrong) {
        Ok(invoice) => println!("{invoice:?}"),
        Err(error) => println!("{error}\n{}", error.annotated_answer()),
    }
    Ok(())
}
