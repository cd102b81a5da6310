//! Definitions in the dialect of each provider, and the schemas that some providers reject at the root.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::{Dialect, ToolInput, TypedTool, plugin_container, tool};
use tool_schema::dialect::{Definition, Definitions};
use tool_schema::schema::{Hints, ToolDeclaration};
use tool_schema::shape::Text;

use crate::schema::judge_schema;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)]
struct City {
    name: String,
    country: Option<String>,
}

const SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"name":{"type":"string"},"country":{"type":["string","null"]}},"#,
    r#""required":["name"],"additionalProperties":false}"#
);

#[track_caller]
fn define<T: ToolInput>(dialect: Dialect, output: Option<schemars::Schema>) -> Definition {
    let declaration = ToolDeclaration {
        name: &Text::from_static("find"),
        description: &Text::from_static("Finds it."),
        input: T::SHAPE,
        output,
        hints: Hints { read_only: Some(true), open_world: Some(false), ..Hints::default() },
    };
    dialect.render(&declaration, None)
}

#[test]
fn each_provider_gets_its_own_envelope() {
    let forms = [
        (
            Dialect::OPENAI,
            r#"{"type":"function","function":{"name":"find","description":"Finds it.","parameters":SCHEMA}}"#,
        ),
        (
            Dialect::OPENAI_RESPONSES,
            r#"{"type":"function","name":"find","description":"Finds it.","parameters":SCHEMA,"strict":false}"#,
        ),
        (Dialect::ANTHROPIC, r#"{"name":"find","description":"Finds it.","input_schema":SCHEMA}"#),
        (Dialect::GEMINI, r#"{"name":"find","description":"Finds it.","parametersJsonSchema":SCHEMA}"#),
        (
            Dialect::MCP,
            concat!(
                r#"{"name":"find","description":"Finds it.","inputSchema":SCHEMA,"#,
                r#""annotations":{"readOnlyHint":true,"openWorldHint":false}}"#
            ),
        ),
    ];
    for (dialect, form) in forms {
        let definition = define::<City>(dialect, None);
        assert_eq!(definition.to_string(), form.replace("SCHEMA", SCHEMA));
        assert_eq!(serde_json::to_string(&definition).expect("JSON serialises"), definition.to_string());
        assert_eq!(
            definition.to_value(),
            serde_json::from_str::<Value>(&definition.to_string()).expect("a definition is JSON")
        );
    }
}

#[test]
fn a_list_of_definitions_is_an_array() {
    let tools = [Dialect::MCP, Dialect::GEMINI].map(|dialect| define::<City>(dialect, None));
    let definitions = Definitions::new(Dialect::MCP, tools);
    assert_eq!(definitions.to_string(), format!("[{},{}]", definitions[0], definitions[1]));
    assert_eq!(serde_json::to_string(&definitions).expect("JSON serialises"), definitions.to_string());
    assert_eq!(definitions.to_value()[1]["name"], "find");
}

#[test]
fn mcp_output_schemas_are_objects() {
    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Report {
        degrees: i8,
    }
    let output = |schema| define::<City>(Dialect::MCP, Some(schema)).to_value().get("outputSchema").cloned();
    let report = output(schemars::schema_for!(Report)).expect("a struct is an object");
    assert_eq!((report.get("$schema"), &report["type"]), (None, &json!("object")));
    assert_eq!(output(schemars::schema_for!(String)), None);
    assert_eq!(
        define::<City>(Dialect::OPENAI, Some(schemars::schema_for!(Report))),
        define::<City>(Dialect::OPENAI, None)
    );
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)]
enum Target {
    City { name: String, id: u8 },
    Point { lat: f64, lon: f64 },
    Person { name: u8, id: u8 },
}

#[test]
fn a_root_union_becomes_one_object_for_providers_that_reject_branches() {
    for (dialect, pointer) in [(Dialect::OPENAI, "/function/parameters"), (Dialect::ANTHROPIC, "/input_schema")] {
        let definition = define::<Target>(dialect, None).to_value();
        let schema = definition.pointer(pointer).expect("the schema is there");
        assert_eq!(
            *schema,
            json!({
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": ["city", "point", "person"]},
                    "name": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0, "maximum": 255}]},
                    "id": {"type": "integer", "minimum": 0, "maximum": 255},
                    "lat": {"type": "number"},
                    "lon": {"type": "number"},
                },
                "required": ["kind"],
                "additionalProperties": false,
            })
        );
        judge_schema(schema, &[r#"{"kind": "city", "name": "Bern", "id": 1}"#], &["{}", r#"{"kind": "city", "x": 1}"#]);
    }
}

#[test]
fn the_other_providers_get_the_branches() {
    let definition = define::<Target>(Dialect::MCP, None).to_value();
    assert_eq!(definition["inputSchema"]["type"], "object");
    assert_eq!(definition["inputSchema"]["anyOf"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_flattened_union_keeps_the_keys_around_it() {
    #[derive(Deserialize, ToolInput)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Send {
        text: String,
        #[serde(flatten)]
        target: Target,
    }
    let definition = define::<Send>(Dialect::ANTHROPIC, None).to_value();
    let schema = &definition["input_schema"];
    assert_eq!(schema["required"], json!(["text", "kind"]));
    judge_schema(schema, &[r#"{"text": "a", "kind": "point", "lat": 1, "lon": 2}"#], &[r#"{"text": "a"}"#]);
    assert!(schema.get("anyOf").is_none() && schema.get("allOf").is_none());
}

#[test]
fn the_keys_of_a_map_in_one_variant_remain_allowed() {
    #[derive(Deserialize, ToolInput)]
    #[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    enum Filter {
        Any(BTreeMap<String, u8>),
        Both { left: Box<Filter>, right: Box<Filter> },
    }
    let definition = define::<Filter>(Dialect::ANTHROPIC, None).to_value();
    let both = r#"{"kind": "both", "left": {"kind": "any", "x": 1}, "right": {"kind": "any"}}"#;
    judge_schema(&definition["input_schema"], &[r#"{"kind": "any", "x": 1}"#, both], &[r#"{"kind": "x"}"#]);
}

struct Database<T>(T);

#[plugin_container(undocumented)]
impl<T: ToolInput + Default + Send + Sync + 'static> Database<T> {
    #[tool(undocumented)]
    fn query(
        #[tool(mcp_header = "Region")] region: Option<T>,
        #[tool(mcp_header = "Mode", default = "fast")] mode: Mode,
    ) {
        let _ = (region, mode);
    }
}

#[derive(Clone, Copy, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Slow,
}

/// The protocol allows only parameters of one type in a header, so an optional one is not `null` there.
#[test]
fn only_definitions_for_mcp_name_the_headers_of_parameters() {
    let spec = DatabaseQueryTool::<String>::SPEC;
    let definition = spec.definition(Dialect::MCP).to_value();
    assert_eq!(definition["inputSchema"]["properties"]["region"], json!({"type": "string", "x-mcp-header": "Region"}));
    let mode = json!({"type": "string", "enum": ["fast", "slow"], "default": "fast", "x-mcp-header": "Mode"});
    assert_eq!(definition["inputSchema"]["properties"]["mode"], mode);
    for dialect in [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI] {
        assert!(!spec.definition(dialect).to_string().contains("x-mcp-header"), "{dialect:?}");
    }
}
