//! The output schemas that tools declare, and that MCP requires their results to fit: [`OutputSchemas`].
//!
//! Clients reject a result whose structured content is missing or does not fit the declared schema. Invariant: a result is checked against
//! exactly the schema that the client received.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rmcp::model::Tool;
use serde_json::Value;
use tool_runtime::failure::Failure;
use tool_runtime::tool::ToolSpec;
use tool_runtime::toolbox::OutputValidator;
use tool_runtime::{Dialect, ToolError, Toolbox};

/// The maximum number of locations that an answer names.
const LOCATIONS: usize = 3;

/// The output schemas of a toolbox, keyed by the advertised names of the tools. A schema is compiled when the first result is checked.
pub(super) struct OutputSchemas(HashMap<String, Declared>);

/// The kind of a revision of the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    /// Revisions until 2025-11-25, in which structured content is an object.
    WithConnections,
    /// Revisions from 2026-07-28 on, in which structured content is any JSON.
    WithoutConnections,
}

struct Declared {
    schema: Value,
    /// `true` if the schema describes an object, so that every revision of the protocol allows it.
    is_object: bool,
    validator: OnceLock<Option<OutputValidator>>,
}

impl OutputSchemas {
    pub(super) fn from_toolbox<S>(toolbox: &Toolbox<S>) -> Self {
        let declared = toolbox.tools().filter_map(|(name, tool)| {
            let (schema, is_object) = advertised(tool.spec())?;
            Some((name.to_owned(), Declared { schema, is_object, validator: OnceLock::new() }))
        });
        Self(declared.collect())
    }

    /// Adds to the definitions those schemas that only protocol version 2026-07-28 allows.
    pub(super) fn add_to(&self, tools: &mut [Tool]) {
        for tool in tools.iter_mut().filter(|tool| tool.output_schema.is_none()) {
            let declared = self.0.get(&*tool.name).and_then(|declared| declared.schema.as_object());
            tool.output_schema = declared.map(|schema| Arc::new(schema.clone()));
        }
    }

    fn advertised(&self, tool: &str, revision: Revision) -> Option<&Declared> {
        self.0.get(tool).filter(|declared| declared.is_object || revision == Revision::WithoutConnections)
    }

    /// Returns the failure that replaces a result, if the result does not fit its schema. If the schema cannot be compiled, every result
    /// with structured content is accepted.
    pub(super) fn failure(&self, tool: &str, structured: Option<&Value>, revision: Revision) -> Option<Failure> {
        let Declared { schema, validator, .. } = self.advertised(tool, revision)?;
        let fault = match structured {
            None => "its result has no structured content, which its output schema requires.".to_owned(),
            Some(structured) => {
                let validator = validator.get_or_init(|| compiled(schema)).as_ref()?;
                unfitting(&validator(structured, LOCATIONS + 1))?
            }
        };
        Some(Failure::tool_error(tool, &ToolError::new(format!("The tool has run, but {fault}"))))
    }
}

#[cfg(feature = "output-check")]
fn compiled(schema: &Value) -> Option<OutputValidator> {
    tool_runtime::toolbox::OutputSchemaCompiler::compile(&tool_dynamic::JsonSchemaOutputCheck, schema)
}

/// Without the feature, every result with structured content is sent.
#[cfg(not(feature = "output-check"))]
const fn compiled(_: &Value) -> Option<OutputValidator> {
    None
}

/// Returns the text that names the locations at which a result does not fit, or `None` if it fits.
fn unfitting(locations: &[String]) -> Option<String> {
    locations.first()?;
    let shown = locations.iter().take(LOCATIONS).filter(|location| !location.is_empty());
    let shown: Vec<&str> = shown.map(String::as_str).collect();
    let at = if shown.is_empty() { "" } else { " at: " };
    let more = if locations.len() > LOCATIONS { " and elsewhere" } else { "" };
    Some(format!("its result does not fit its output schema{at}{}{more}.", shown.join(", ")))
}

/// Returns the output schema of a tool, and `true` if the definition in the format of MCP contains it. The definition leaves out schemas
/// that only protocol version 2026-07-28 allows.
fn advertised(spec: &ToolSpec) -> Option<(Value, bool)> {
    let output = spec.output.as_ref()?;
    let mut definition = spec.definition(Dialect::MCP).to_value();
    Some(match definition.get_mut("outputSchema").map(Value::take) {
        Some(schema) => (schema, true),
        // A schema that is `true` or `false` cannot be sent in any revision.
        None => (Some(output.to_value()).filter(Value::is_object)?, false),
    })
}
