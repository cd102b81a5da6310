//! Checks the definitions that genai and rig send for the tools of real MCP servers. The test counts definitions that the provider rejects,
//! and definitions that exclude values which the tool accepts.
//!
//! Each request has only one tool. The tools are in the folder that `TOOLBOX_CORPORA` names. Neither library converts arguments back, so a
//! value that the definition excludes cannot be sent.

use serde_json::{Value, json};
use tests::dialects::page;
use tests::dialects::recorded::{Tool, tools};
use tests::providers::{rejections, schema_of};
use tool_adapters::genai::chat::{JsonSchemaDialect, sanitize_json_schema};
use tool_adapters::rig::rig_core;
use tool_runtime::tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};
use tool_runtime::tool_schema::schema::{Hints, ToolDeclaration};
use tool_runtime::tool_schema::shape::{Shape, Text};

use rig_core::completion::{CompletionRequest, ToolDefinition};
use rig_core::message::{Message, ToolName};
use rig_core::providers::anthropic::wire::{AnthropicConfig, Messages, ToolInputStreaming};
use rig_core::providers::openai::responses_api::ResponsesToolDefinition;
use rig_core::wire::{Body, Mode, Wire};

const DESCRIPTION: &str = "Does it.";

/// A function that returns the definition which a library sends for a tool, or `None` if the library rejects the tool.
type Library = fn(&Tool) -> Option<Value>;

/// The libraries, each with a name, the dialect whose rules apply, and its function.
const LIBRARIES: [(&str, &str, Library); 6] = [
    ("genai 0.7.2, not strict", "openai", |tool| Some(chat(tool, tool.value.clone(), false))),
    ("genai 0.7.2, strict", "openai-strict", |tool| {
        Some(chat(tool, sanitize_json_schema(&tool.value, JsonSchemaDialect::OpenAiStrictTool), true))
    }),
    ("genai 0.7.2, strict", "anthropic-strict", |tool| {
        let schema = sanitize_json_schema(&tool.value, JsonSchemaDialect::AnthropicStructured);
        Some(json!({"name": tool.name, "description": DESCRIPTION, "input_schema": schema, "strict": true}))
    }),
    ("rig 0.44.0, not strict", "openai-responses", |tool| {
        let definition = ResponsesToolDefinition::function(&tool.name, DESCRIPTION, tool.value.clone());
        serde_json::to_value(definition).ok()
    }),
    ("rig 0.44.0, strict", "openai-responses-strict", |tool| {
        let definition = ResponsesToolDefinition::strict_function(&tool.name, DESCRIPTION, tool.value.clone());
        serde_json::to_value(definition).ok()
    }),
    ("rig 0.44.0, strict", "anthropic-strict", of_rig_for_anthropic),
];

fn chat(tool: &Tool, parameters: Value, strict: bool) -> Value {
    let function = json!({"name": tool.name, "description": DESCRIPTION, "parameters": parameters, "strict": strict});
    json!({"type": "function", "function": function})
}

fn of_rig_for_anthropic(tool: &Tool) -> Option<Value> {
    strict_for_anthropic(&tool.name, tool.value.clone())
}

fn strict_for_anthropic(name: &str, parameters: Value) -> Option<Value> {
    let definition =
        ToolDefinition { name: ToolName::new(name).ok()?, description: DESCRIPTION.to_owned(), parameters };
    let request = CompletionRequest::from(vec![Message::from("Hello")]).max_tokens(64).tools(vec![definition]);
    let model = Messages {
        provider: AnthropicConfig::new("key"),
        model: "claude-sonnet-4-5".to_owned(),
        default_max_tokens: Some(64),
        prompt_caching: false,
        static_prefix_cache_ttl: None,
        strict_tools: true,
        tool_input_streaming: ToolInputStreaming::default(),
    };
    let encoded = model.encode(request, Mode::Unary).ok()?;
    let Body::Bytes(body) = encoded.request.body() else { return None };
    serde_json::from_slice::<Value>(body).ok()?.pointer("/tools/0").cloned()
}

/// Returns `true` if the provider rejects a definition. `title` and `$schema` are not counted, because the official SDKs send them.
fn is_rejected(dialect: &str, definition: &Value) -> bool {
    let is_counted = |reason: &String| {
        ["title", "$schema"].iter().all(|keyword| {
            let rejected = [format!("'{keyword}' is not permitted."), format!("'{keyword}' is not supported")];
            !rejected.iter().any(|end| reason.ends_with(end))
        })
    };
    rejections(dialect, std::slice::from_ref(definition)).iter().any(is_counted)
}

/// Returns `true` if a definition excludes a value that the tool accepts.
fn narrows(dialect: &str, definition: &Value, tool: &Tool) -> bool {
    let validator = schema_of(dialect, definition).and_then(|schema| jsonschema::options().build(schema).ok());
    validator.is_none_or(|validator| tool.accepted().iter().any(|value| !validator.is_valid(value)))
}

fn ours(dialect: &str, tool: &Tool) -> Definition {
    let (name, description) = (Text::from(tool.name.clone()), Text::from_static(DESCRIPTION));
    let declaration = ToolDeclaration {
        name: &name,
        description: &description,
        input: Shape::ANY,
        output: None,
        hints: Hints::default(),
    };
    let dialect: Dialect = dialect.parse().expect("a dialect of the list");
    dialect.render(&declaration, Some(&tool.schema))
}

/// Checks the figures of the page. `UPDATE_GOLDEN=1` updates them.
#[test]
fn the_page_has_the_figures_of_the_libraries() {
    let Some(tools) = tools() else { return };
    let mut table = String::from(
        "| dialect | library | rejected by the provider | cannot express an accepted value | neither |\n| --- | --- | ---: | ---: | ---: |\n",
    );
    let mut row = |dialect: &str, library: &str, counts: [usize; 3]| {
        let [rejected, narrowed, neither] = counts;
        table.extend([format!("| `{dialect}` | {library} | {rejected} | {narrowed} | {neither} |\n")]);
    };
    for (library, dialect, define) in LIBRARIES {
        let mut counts = [0; 3];
        for tool in &tools {
            let definition = define(tool);
            let is_rejected = definition.as_ref().is_none_or(|definition| is_rejected(dialect, definition));
            let is_narrow = definition.is_none_or(|definition| narrows(dialect, &definition, tool));
            counts[0] += usize::from(is_rejected);
            counts[1] += usize::from(is_narrow);
            counts[2] += usize::from(!is_rejected && !is_narrow);
        }
        row(dialect, library, counts);
    }
    for dialect in ["openai", "openai-strict", "openai-responses-strict", "anthropic-strict"] {
        let mut counts = [0; 3];
        for tool in &tools {
            let rendition = ours(dialect, tool);
            let definition = (!rendition.omits_tool()).then(|| rendition.to_value());
            let is_rejected = definition.as_ref().is_none_or(|definition| is_rejected(dialect, definition));
            // If there is an inverse, it restores all differences. The test `corpora` of the dialects compares the values.
            let is_narrow = rendition.inverse().is_none()
                && definition.is_none_or(|definition| narrows(dialect, &definition, tool));
            counts[0] += usize::from(is_rejected);
            counts[1] += usize::from(is_narrow);
            counts[2] += usize::from(!is_rejected && !is_narrow);
        }
        row(dialect, "this one", counts);
    }
    page::compare(&[("libraries", &table)]);
}

/// Removes keywords that do not restrict values.
fn without_words(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(keywords) => {
            keywords.retain(|keyword, value| !matches!(&**keyword, "description" | "default") || value.is_object());
            keywords.values_mut().for_each(|value| *value = without_words(value.take()));
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| *part = without_words(part.take())),
        _ => {}
    }
    schema
}

/// rig's strict mode does not change the values that a tool of a session accepts, so the session can convert the arguments back. For
/// Anthropic, rig moves `default` into the description.
#[test]
fn rig_does_not_change_the_values_of_our_strict_schemas() {
    let Some(tools) = tools() else { return };
    let mut strict = 0;
    for tool in &tools {
        for dialect in ["openai-responses-strict", "anthropic-strict"] {
            let rendition = ours(dialect, tool);
            if rendition.strictness() != EffectiveStrictness::Strict {
                continue;
            }
            let definition = rendition.to_value();
            let own = schema_of(dialect, &definition).expect("a schema").clone();
            let of_rig = if dialect == "anthropic-strict" {
                strict_for_anthropic(&tool.name, own.clone())
            } else {
                serde_json::to_value(ResponsesToolDefinition::strict_function(&tool.name, DESCRIPTION, own.clone()))
                    .ok()
            };
            let of_rig = of_rig.expect("rig accepts it");
            let of_rig = schema_of(dialect, &of_rig).expect("a schema").clone();
            assert_eq!(without_words(of_rig), without_words(own), "{dialect} {}", tool.name);
            strict += 1;
        }
    }
    assert!(strict > 1_000, "only {strict} strict definitions");
}
