//! The tools of real MCP servers, if they are available in the folder that `TOOLBOX_CORPORA` names.

use std::path::PathBuf;

use serde_json::Value;
use tool_dynamic::{InputSchema, UnknownFields};
use tool_schema::json::Json;

use super::forward::In;
use super::values::{Dice, value};

/// A tool of a server, parsed with unknown keys rejected.
pub struct Tool {
    /// The name.
    pub name: String,
    /// The schema of the arguments.
    pub schema: Json<'static>,
    /// The schema as a value.
    pub value: Value,
}

/// Returns the tools, or prints that the test is skipped.
///
/// # Panics
///
/// If the folder cannot be read.
pub fn tools() -> Option<Vec<Tool>> {
    let Some(folder) = std::env::var_os("TOOLBOX_CORPORA").map(PathBuf::from) else {
        eprintln!("skipped: TOOLBOX_CORPORA is not set");
        return None;
    };
    let text = std::fs::read_to_string(folder.join("mcp_tools.jsonl")).expect("a file of the folder can be read");
    let tool = |line: &str| {
        let mut row: Value = serde_json::from_str(line).expect("a line is JSON");
        // Only the first reasons of a tool are noted, so that the figures depend on the order of its properties.
        row.sort_all_objects();
        let schema = InputSchema::builder(&row["parameters"]).unknown_fields(UnknownFields::Reject).parse().ok()?;
        let schema = Json::parse(&schema.to_text()).expect("a schema is JSON").into_owned();
        Some(Tool { name: row["name"].as_str().unwrap_or_default().to_owned(), value: schema.to_value(), schema })
    };
    Some(text.lines().filter_map(tool).collect())
}

impl Tool {
    /// Returns values that the schema accepts, always the same ones.
    ///
    /// # Panics
    ///
    /// If the schema, which was parsed already, does not compile.
    pub fn accepted(&self) -> Vec<Value> {
        let validator = jsonschema::options().build(&self.value).expect("a schema that was read compiles");
        let mut dice = Dice::new(self.schema.to_text().len() as u64);
        let drawn = (0..24).map(|_| value(In::root(&self.value), &mut dice, 8));
        drawn.filter(|value| value.is_object() && validator.is_valid(value)).collect()
    }
}
