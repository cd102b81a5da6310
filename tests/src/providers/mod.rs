//! The rules of providers: an independent check of tool definitions.
//!
//! From the definitions of one request, it returns every reason for which the provider would answer with status 400, or drop a tool. The
//! rules are those of the providers' documentation, SDKs and recorded answers. If these disagree, the strictest rule counts.

mod anthropic;
mod gemini;
mod llama_cpp;
mod moonshot;
mod openai;
mod others;
mod walk;

use serde_json::Value;

/// The dialects with rules.
pub const DIALECTS: [&str; 17] = [
    "openai",
    "openai-strict",
    "openai-responses",
    "openai-responses-strict",
    "anthropic",
    "anthropic-strict",
    "gemini",
    "gemini-schema",
    "mistral",
    "moonshot",
    "bedrock",
    "bedrock-strict",
    "ollama",
    "llama-cpp",
    "vllm",
    "vllm-strict",
    "mcp",
];

/// Returns the errors of a provider for the tools of one request.
///
/// # Panics
///
/// Panics for a dialect without rules.
#[must_use]
pub fn rejections(dialect: &str, tools: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    match dialect {
        "openai" | "openai-strict" => openai::chat(tools, &mut found),
        "openai-responses" | "openai-responses-strict" => openai::responses(tools, &mut found),
        "anthropic" | "anthropic-strict" => anthropic::messages(tools, &mut found),
        "bedrock" | "bedrock-strict" => anthropic::converse(tools, &mut found),
        "gemini" => gemini::json_schema(tools, &mut found),
        "gemini-schema" => gemini::open_api(tools, &mut found),
        "mistral" => others::mistral(tools, &mut found),
        "moonshot" => moonshot::chat(tools, &mut found),
        "llama-cpp" => llama_cpp::chat(tools, &mut found),
        "ollama" => others::ollama(tools, &mut found),
        "vllm" | "vllm-strict" => others::vllm(tools, &mut found),
        "mcp" => others::mcp(tools, &mut found),
        other => panic!("{other} is not judged"),
    }
    found
}

/// Returns the schema of the arguments in a definition.
#[must_use]
pub fn schema_of<'v>(dialect: &str, tool: &'v Value) -> Option<&'v Value> {
    tool.pointer(match dialect {
        "openai-responses" | "openai-responses-strict" | "gemini-schema" => "/parameters",
        "anthropic" | "anthropic-strict" => "/input_schema",
        "gemini" => "/parametersJsonSchema",
        "bedrock" | "bedrock-strict" => "/toolSpec/inputSchema/json",
        "mcp" => "/inputSchema",
        _ => "/function/parameters",
    })
}

/// Returns `true` if a name has at most `most` characters, all of them letters, digits or one of `others`.
fn is_word(name: &str, most: usize, others: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= most
        && name.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

fn text<'v>(tool: &'v Value, key: &str) -> &'v str {
    tool.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Reports keys of an object that the API does not define.
fn unknown_keys(tool: &Value, known: &[&str], place: &str, found: &mut Vec<String>) {
    for key in tool.as_object().into_iter().flat_map(|members| members.keys()) {
        if !known.contains(&key.as_str()) {
            found.push(format!("{place}.{key}: Extra inputs are not permitted"));
        }
    }
}

/// Returns the reason why a schema is not valid in JSON Schema 2020-12, whatever version it names, or in which a
/// local reference has no target.
fn invalid(schema: &Value) -> Option<String> {
    let invalid = jsonschema::draft202012::meta::validate(schema)
        .err()
        .map(|error| format!("{}: {error}", error.instance_path()));
    let is_local = |schema: &Value| text(schema, "$ref").starts_with('#');
    let dead = || {
        let mut references = walk::places(schema).into_iter().filter(|place| is_local(place.schema));
        let dead = references.find(|place| walk::target(schema, place.schema).is_none())?;
        Some(format!("{}: unresolvable $ref {}", dead.context(), dead.schema["$ref"]))
    };
    invalid.or_else(dead)
}
