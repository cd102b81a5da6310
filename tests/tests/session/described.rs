//! Results that do not match the output schema of their tool cause a warning and reach the model unchanged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tool_dynamic::JsonSchemaOutputCheck;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::toolbox::{Guard, OutputSchemaCompiler, OutputValidator};
use tool_runtime::{Toolbox, tool};

use super::tools::call;

/// The measured values.
#[derive(Serialize, JsonSchema)]
struct Reading {
    #[schemars(range(max = 5))]
    level: u8,
    #[schemars(length(max = 3))]
    secret: String,
}

/// Reads levels.
#[tool(output_schema)]
fn read_levels(
    /// The levels.
    levels: Vec<u8>,
    /// A value that no warning may show.
    secret: String,
) -> Vec<Reading> {
    levels.into_iter().map(|level| Reading { level, secret: secret.clone() }).collect()
}

/// A word of at most three letters.
#[derive(Serialize, JsonSchema)]
struct Word(#[schemars(length(max = 3))] String);

/// Says a word.
#[tool(output_schema)]
fn say(
    /// Which.
    word: String,
) -> Word {
    Word(word)
}

/// Says a word without saying what it may be.
#[tool]
fn say_plainly(
    /// Which.
    word: String,
) -> Word {
    Word(word)
}

/// Counts the letters of passwords.
#[tool(output_schema)]
fn count_letters(
    /// The password.
    #[tool(sensitive)]
    password: String,
) -> BTreeMap<String, Word> {
    BTreeMap::from([(password, Word("sixteen".to_owned()))])
}

fn toolbox() -> ToolboxBuilder {
    Toolbox::builder().output_check(JsonSchemaOutputCheck).tool(ReadLevelsTool).tool(SayTool).tool(SayPlainlyTool)
}

/// Returns the warnings of a call, after asserting that its result is the given one.
fn warnings(toolbox: ToolboxBuilder, name: &str, arguments: &str, result: &str) -> Vec<String> {
    let outcome = call(&toolbox.build().expect("the tools have different names").session(), name, arguments);
    assert!(outcome.is_ok(), "the call succeeds with its result");
    assert_eq!(outcome.to_text(), result);
    outcome.warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn a_matching_result_causes_no_warning() {
    let result = r#"[{"level":5,"secret":"abc"}]"#;
    let arguments = r#"{"levels": [5], "secret": "abc"}"#;
    assert!(warnings(toolbox(), "read_levels", arguments, result).is_empty());
    assert!(warnings(toolbox(), "say", r#"{"word": "yes"}"#, "\"yes\"").is_empty());
}

#[test]
fn a_warning_names_the_paths_and_not_the_values() {
    let result = r#"[{"level":6,"secret":"abcd"}]"#;
    assert_eq!(
        warnings(toolbox(), "read_levels", r#"{"levels": [6], "secret": "abcd"}"#, result),
        ["Result does not fit its output schema at: /0/level, /0/secret."]
    );
    let result =
        r#"[{"level":6,"secret":"a"},{"level":7,"secret":"a"},{"level":8,"secret":"a"},{"level":9,"secret":"a"}]"#;
    assert_eq!(
        warnings(toolbox(), "read_levels", r#"{"levels": [6, 7, 8, 9], "secret": "a"}"#, result),
        ["Result does not fit its output schema at: /0/level, /1/level, /2/level and elsewhere."]
    );
    let whole = warnings(toolbox(), "say", r#"{"word": "perhaps"}"#, "\"perhaps\"");
    assert_eq!(whole, ["Result does not fit its output schema."]);
}

#[test]
fn a_path_that_contains_a_secret_is_not_shown() {
    let session = Toolbox::builder()
        .output_check(JsonSchemaOutputCheck)
        .tool(CountLettersTool)
        .build()
        .expect("the toolbox is valid")
        .session();
    let outcome = call(&session, "count_letters", r#"{"password": "correct horse"}"#);
    let [warning] = outcome.warnings() else { panic!("{:?}", outcome.warnings()) };
    assert_eq!(&**warning, "Result does not fit its output schema.");
}

#[test]
fn without_a_schema_a_guard_or_a_check_there_is_no_warning() {
    let arguments = r#"{"word": "perhaps"}"#;
    assert!(warnings(toolbox(), "say_plainly", arguments, "\"perhaps\"").is_empty());
    let quiet = toolbox().guard(Guard::new().check_output_schema(false));
    assert!(warnings(quiet, "say", arguments, "\"perhaps\"").is_empty());
    let unchecked = Toolbox::builder().tool(SayTool);
    assert!(warnings(unchecked, "say", arguments, "\"perhaps\"").is_empty());
}

#[test]
fn a_truncated_result_is_checked_before_truncation() {
    let cut = toolbox().guard(Guard::new().cut_to(Some(256)));
    let word = "w".repeat(400);
    let session = cut.build().expect("the tools have different names").session();
    let outcome = call(&session, "say", &format!(r#"{{"word": "{word}"}}"#));
    assert_eq!(outcome.warnings()[0], "Result does not fit its output schema.");
    assert!(outcome.warnings()[1].starts_with("Response was cut from"));
}

/// Counts how often schemas are compiled.
struct CountingMode(Arc<AtomicUsize>);

impl OutputSchemaCompiler for CountingMode {
    fn compile(&self, schema: &Value) -> Option<OutputValidator> {
        self.0.fetch_add(1, Ordering::Relaxed);
        JsonSchemaOutputCheck.compile(schema)
    }
}

#[test]
fn a_schema_is_compiled_once_per_tool() {
    let compiled = Arc::new(AtomicUsize::new(0));
    let toolbox = Toolbox::builder().output_check(CountingMode(Arc::clone(&compiled))).tool(SayTool);
    let toolbox = toolbox.build().expect("the toolbox is valid");
    for word in ["yes", "perhaps", "never"] {
        assert!(call(&toolbox.session(), "say", &format!(r#"{{"word": "{word}"}}"#)).is_ok());
    }
    assert_eq!(compiled.load(Ordering::Relaxed), 1);
}

/// Any JSON can be the root, and MCP's definitions show the schema of an object.
#[test]
fn a_dynamic_tool_has_an_output_schema_with_any_root() {
    for (schema, result, warns, is_shown) in [
        (r#"{"type":"array","items":{"type":"integer"}}"#, serde_json::json!([1, "2"]), true, false),
        (r#"{"type":"string","maxLength":3}"#, serde_json::json!("noon"), true, false),
        (r#"{"type":"number"}"#, serde_json::json!(1.5), false, false),
        ("true", serde_json::json!({"a": 1}), false, false),
        (r#"{"type":"object","required":["a"]}"#, serde_json::json!({}), true, true),
    ] {
        let tool = tool_dynamic::DynamicTool::builder("tell", "Tells.", "{}").output_schema(schema);
        let tool = tool.sync_handler(move |_, _| Ok::<_, String>(result.clone())).expect("a schema");
        let toolbox = Toolbox::builder().tool(tool).output_check(JsonSchemaOutputCheck);
        let session = toolbox.build().expect("a toolbox").session();
        let outcome = pollster::block_on(session.call("call_1", "tell", "{}"));
        let is_warned = outcome.warnings().iter().any(|warning| warning.contains("output schema"));
        assert_eq!(is_warned, warns, "{schema}: {:?}", outcome.warnings());
        let definitions = session.definitions_in(tool_runtime::Dialect::MCP).to_string();
        assert_eq!(definitions.contains("outputSchema"), is_shown, "{definitions}");
    }
    for schema in ["[1]", r#"{"type":"int"}"#, r##"{"$ref":"#/$defs/a"}"##, r#"{"$ref":"https://example.org/a.json"}"#]
    {
        let tool = tool_dynamic::DynamicTool::builder("tell", "Tells.", "{}").output_schema(schema);
        assert!(tool.sync_handler(|_, _| Ok::<_, String>("noon")).is_err(), "{schema}");
    }
}
