//! The declared output schemas of the tools, which are mandatory in MCP: [`Outputs`].
//!
//! Clients refuse a result whose structured content is missing or does not fit the declared schema. Invariant: a result is checked against
//! exactly the schema that the client was given.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rmcp::model::Tool;
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

/// The kind of a revision of the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    /// Until 2025-11-25: structured content is an object.
    WithConnections,
    /// From 2026-07-28: structured content is any JSON.
    WithoutConnections,
}

struct Declared {
    schema: Value,
    /// `true` if every revision of the protocol allows the schema, which is that of an object.
    is_object: bool,
    validator: OnceLock<Option<OutputValidator>>,
}

impl Outputs {
    pub(super) fn of(toolbox: &Toolbox) -> Self {
        let declared = siblings::tools(toolbox).filter_map(|(name, tool)| {
            let (schema, is_object) = advertised(tool.spec())?;
            Some((name.to_owned(), Declared { schema, is_object, validator: OnceLock::new() }))
        });
        Self(declared.collect())
    }

    /// Adds the schemas that only revision 2026-07-28 allows to definitions.
    pub(super) fn add_to(&self, tools: &mut [Tool]) {
        for tool in tools.iter_mut().filter(|tool| tool.output_schema.is_none()) {
            let declared = self.0.get(&*tool.name).and_then(|declared| declared.schema.as_object());
            tool.output_schema = declared.map(|schema| Arc::new(schema.clone()));
        }
    }

    fn advertised(&self, tool: &str, revision: Revision) -> Option<&Declared> {
        self.0.get(tool).filter(|declared| declared.is_object || revision == Revision::WithoutConnections)
    }

    /// Returns the failure that replaces a result if its schema refuses it. A schema that cannot be compiled accepts
    /// every structured result, but still requires one.
    pub(super) fn failure(&self, tool: &str, structured: Option<&Value>, revision: Revision) -> Option<Failure> {
        let Declared { schema, validator, .. } = self.advertised(tool, revision)?;
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

/// Returns the output schema of a tool, and `true` if it is part of every definition for the protocol. The definition leaves out other
/// schemas, which only revision 2026-07-28 allows.
fn advertised(spec: &ToolSpec) -> Option<(Value, bool)> {
    let output = spec.output.as_ref()?;
    let mut definition = spec.definition(Format::Mcp).to_value();
    Some(match definition.get_mut("outputSchema").map(Value::take) {
        Some(schema) => (schema, true),
        // A schema that is `true` or `false` has no form in the protocol.
        None => (Some(output.to_value()).filter(Value::is_object)?, false),
    })
}
