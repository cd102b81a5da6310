//! Extracts a typed value from answers of a model: `cargo run -p tool-schema --example invoice`.

use serde::Deserialize;
use tool_schema::{ToolInput, extract};

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Invoice {
    /// The person or company that is billed.
    #[tool(length(min = 1))]
    customer: String,
    /// Amount in cents.
    #[tool(range(min = 1))]
    cents: u32,
}

fn main() {
    println!("{}\n", tool_schema::schema::schema_text(Invoice::SHAPE));
    let answers = [
        "Here it is:\n```json\n{'customer': 'Ada', \"cents\": \"1250\",}\n```",
        r#"{"client": "Ada", "cents": 0}"#,
        r#"{"customer": "Ada", "ce"#,
    ];
    for answer in answers {
        match extract::<Invoice>(answer) {
            Ok(invoice) => {
                println!("{:?}", invoice.value);
                invoice.repairs.iter().for_each(|repair| println!("  {repair}"));
            }
            Err(error) => println!("{error}\n{}", error.annotated_answer()),
        }
    }
}
