//! The check of results against output schemas: [`JsonSchemaOutputCheck`].

use serde_json::Value;
use tool_runtime::tool::OutputSchema;
use tool_runtime::toolbox::{OutputSchemaCompiler, OutputValidator};

use super::schema::keyword;
use super::to_shape::{UnknownFields, document};
use super::{RawSchema, SchemaError};

/// Checks results against output schemas with the `jsonschema` crate, for
/// [`ToolboxBuilder::output_check`](tool_runtime::toolbox::ToolboxBuilder::output_check).
///
/// The schema of a tool is compiled once. `$schema` selects the draft; the default is 2020-12. `format` is not checked. If the schema is
/// invalid, results are not checked.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Serialize;
/// use tool_dynamic::JsonSchemaOutputCheck;
/// use tool_runtime::{Toolbox, tool};
///
/// #[derive(Serialize, JsonSchema)]
/// struct Forecast {
///     #[schemars(range(max = 14))]
///     days: u8,
/// }
///
/// /// Forecasts the weather.
/// #[tool(output_schema)]
/// fn forecast() -> Forecast {
///     Forecast { days: 30 }
/// }
///
/// let session = Toolbox::builder().tool(ForecastTool).output_check(JsonSchemaOutputCheck).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "forecast", "{}"));
/// assert_eq!(outcome.to_text(), r#"{"days":30}"#);
/// assert_eq!(outcome.warnings(), ["Result does not fit its output schema at: /days."]);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonSchemaOutputCheck;

impl OutputSchemaCompiler for JsonSchemaOutputCheck {
    fn compile(&self, schema: &Value) -> Option<OutputValidator> {
        let validator = jsonschema::validator_for(schema).ok()?;
        Some(Box::new(move |result, most| {
            let mut locations: Vec<String> = Vec::new();
            for error in validator.iter_errors(result) {
                let location = error.instance_path().to_string();
                if !locations.contains(&location) {
                    locations.push(location);
                }
                if locations.len() >= most {
                    break;
                }
            }
            locations
        }))
    }
}

/// Parses an output schema. Its root can be of any type.
pub(crate) fn read(source: &RawSchema<'_>) -> Result<OutputSchema, SchemaError> {
    let (document, _) = document(source.to_json()?, UnknownFields::AsInSchema)?;
    let value = document.root.to_value();
    let options = jsonschema::options().with_draft(document.draft).should_validate_formats(false).offline();
    options.build(&value).map_err(|fault| keyword(&fault))?;
    OutputSchema::from_json(value).ok_or_else(|| SchemaError::Keyword {
        path: String::new(),
        keyword: String::new(),
        reason: "a schema is an object or a boolean".to_owned(),
    })
}
