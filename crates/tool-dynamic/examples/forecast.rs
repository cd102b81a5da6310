//! A tool from a JSON Schema: `cargo run -p tool-dynamic --example forecast`.

use serde_json::json;
use tool_dynamic::DynamicTool;
use tool_runtime::{Dialect, ToolError, Toolbox};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
        "required": ["city"]
    });
    let tool = DynamicTool::builder("forecast", "Forecasts the weather.", schema).sync_handler(|arguments, _| {
        Ok::<_, ToolError>(format!("Sun in {}.", arguments["city"].as_str().unwrap_or_default()))
    })?;
    let session = Toolbox::builder().tool(tool).build()?.session();
    println!("{}", session.definitions_in(Dialect::ANTHROPIC));
    for arguments in [r#"{"city": "Paris"}"#, r#"{"town": "Paris", "days": 30}"#] {
        let outcome = pollster::block_on(session.call("call_1", "forecast", arguments));
        println!("{arguments}\n{}", outcome.to_text());
    }
    Ok(())
}
