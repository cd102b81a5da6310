//! The declared output schemas of the tools, which are mandatory in MCP: [`Outputs`].
//!
//! Clients refuse a result whose structured content is missing or does not fit the declared schema. Invariant: a result is checked against
//! exactly the schema that the client was given.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::Value;
use tool_dynamic::OutputSchemaCheck;
use tool_runtime::failure::Failure;
use tool_runtime::tool::ToolSpec;
use tool_runtime::toolbox::{OutputCheck, OutputValidator};
use tool_runtime::{Format, ToolError, Toolbox};

use crate::private::siblings;

/// The maximum number of locations in an answer.
const LOCATIONS: usize = 3;

/// The output schemas of a toolbox, by the advertised names of the tools. A schema is compiled at the first result.
pub(super) struct Outputs(HashMap<String, Declared>);

struct Declared {
    schema: Value,
    validator: OnceLock<Option<OutputValidator>>,
}

impl Outputs {
    pub(super) fn of(toolbox: &Toolbox) -> Self {
        let declared = siblings::tools(toolbox).filter_map(|(name, tool)| {
            Some((name.to_owned(), Declared { schema: advertised(tool.spec())?, validator: OnceLock::new() }))
        });
        Self(declared.collect())
    }

    /// Returns the failure that replaces a result if its schema refuses it. A schema that cannot be compiled accepts
    /// every structured result, but still requires one.
    pub(super) fn failure(&self, tool: &str, structured: Option<&Value>) -> Option<Failure> {
        let Declared { schema, validator } = self.0.get(tool)?;
        let fault = match structured {
            None => "its result has no structured content, which its output schema requires.".to_owned(),
            Some(structured) => {
                let validator = validator.get_or_init(|| OutputSchemaCheck.compile(schema)).as_ref()?;
                unfitting(&validator(structured, LOCATIONS + 1))?
            }
        };
        Some(Failure::tool_error(tool, &ToolError::new(format!("The tool has run, but {fault}"))))
    }
}

/// Returns the text that names the locations at which a result does not fit.
fn unfitting(locations: &[String]) -> Option<String> {
    locations.first()?;
    let shown = locations.iter().take(LOCATIONS).filter(|location| !location.is_empty());
    let shown: Vec<&str> = shown.map(String::as_str).collect();
    let at = if shown.is_empty() { "" } else { " at: " };
    let more = if locations.len() > LOCATIONS { " and elsewhere" } else { "" };
    Some(format!("its result does not fit its output schema{at}{}{more}.", shown.join(", ")))
}

/// Returns the output schema in the definition of a tool. A schema that is not that of an object is left out there.
fn advertised(spec: &ToolSpec) -> Option<Value> {
    spec.output.as_ref()?;
    let mut definition = spec.definition(Format::Mcp).to_value();
    definition.get_mut("outputSchema").map(Value::take)
}
