//! The parts of a definition in any provider's form: [`Parts`].

use tool_runtime::tool_schema::dialect::Definition;
use tool_runtime::tool_schema::json::Json;

/// The parts of a definition in any provider's form.
pub(crate) struct Parts<'d> {
    pub(crate) name: &'d str,
    pub(crate) description: Option<&'d str>,
    pub(crate) schema: Option<&'d Json<'static>>,
}

impl<'d> Parts<'d> {
    pub(crate) fn of(definition: &'d Definition) -> Self {
        let json = definition.as_json();
        let inner = ["function", "toolSpec"].into_iter().find_map(|key| json.get(key));
        let json = inner.filter(|inner| inner.get("name").is_some()).unwrap_or(json);
        let text = |key| json.get(key).and_then(|value| value.as_str());
        let keys = ["parameters", "input_schema", "parametersJsonSchema"];
        let schema = keys.into_iter().find_map(|key| json.get(key));
        let of_bedrock = || json.get("inputSchema").map(|schema| schema.get("json").unwrap_or(schema));
        Self { name: definition.name(), description: text("description"), schema: schema.or_else(of_bedrock) }
    }
}
