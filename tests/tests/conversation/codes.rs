//! Each constraint of `docs/wire.md`, violated once by a model and then corrected, or never corrected.

use tests::obedient::{obedient, stubborn};
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::transcript::Call;
use tool_dynamic::DynamicTool;
use tool_runtime::Issue;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CustomRuleError, Session, Toolbox, tool};

/// The constraints, each with arguments of `plan` that violate only this one.
const BROKEN: [(&str, &str, &str); 25] = [
    ("REQUIRED_FIELD", "required", "{}"),
    ("UNKNOWN_FIELD", "additionalProperties", r#"{"name": "a", "colour": 1}"#),
    ("INVALID_TYPE", "type", r#"{"name": "a", "count": {"a": []}}"#),
    ("INVALID_ENUM_VALUE", "enum", r#"{"name": "a", "unit": "kelvin"}"#),
    // A `const` is an `enum` with one value.
    ("INVALID_ENUM_VALUE", "enum", r#"{"name": "a", "version": 3}"#),
    ("INVALID_ENUM_VALUE", "discriminator", r#"{"name": "a", "action": {"type": "move", "to": "b"}}"#),
    ("REQUIRED_FIELD", "required", r#"{"name": "a", "action": {"to": "b"}}"#),
    ("INVALID_FORMAT", "format", r#"{"name": "a", "day": "tomorrow, maybe"}"#),
    ("INVALID_PATTERN", "pattern", r#"{"name": "a", "code": "no code"}"#),
    ("INVALID_RANGE", "minimum", r#"{"name": "a", "count": 0}"#),
    ("INVALID_RANGE", "maximum", r#"{"name": "a", "count": 15}"#),
    ("INVALID_RANGE", "exclusiveMinimum", r#"{"name": "a", "share": 0}"#),
    ("INVALID_RANGE", "exclusiveMaximum", r#"{"name": "a", "share": 1}"#),
    ("INVALID_RANGE", "multipleOf", r#"{"name": "a", "price": 7}"#),
    ("INVALID_LENGTH", "minLength", r#"{"name": ""}"#),
    ("INVALID_LENGTH", "maxLength", r#"{"name": "abcdefghijk"}"#),
    ("INVALID_LENGTH", "minItems", r#"{"name": "a", "tags": []}"#),
    ("INVALID_LENGTH", "maxItems", r#"{"name": "a", "tags": ["a", "b", "c", "d"]}"#),
    ("INVALID_LENGTH", "uniqueItems", r#"{"name": "a", "tags": ["a", "a"]}"#),
    ("INVALID_LENGTH", "minProperties", r#"{"name": "a", "labels": {}}"#),
    ("INVALID_LENGTH", "maxProperties", r#"{"name": "a", "labels": {"a": "1", "b": "2", "c": "3"}}"#),
    ("NO_MATCHING_VARIANT", "anyOf", r#"{"name": "a", "either": {}}"#),
    ("INVALID_JSON", "syntax", r#"{"name": a or b?}"#),
    ("INVALID_JSON", "incomplete", r#"{"name": "a"#),
    ("INVALID_JSON", "multipleDocuments", r#"{"name": "a"} {"name": "b"}"#),
];

/// Returns all constraints with the tool that is called.
fn broken() -> Vec<(&'static str, &'static str, &'static str, String)> {
    let deep = format!(r#"{{"name": {}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let plans = BROKEN.into_iter().map(|(code, keyword, text)| (code, keyword, "plan", text.to_owned()));
    let others = [
        ("INVALID_JSON", "depth", "plan", deep),
        ("CUSTOM", "custom", "greet", r#"{"name": "root"}"#.to_owned()),
        ("NO_ADMIN", "custom", "greet", r#"{"name": "admin"}"#.to_owned()),
    ];
    plans.chain(others).collect()
}

const SCHEMA: &str = r#"{"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 10},
    "count": {"type": "integer", "minimum": 1, "maximum": 14},
    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
    "version": {"const": 2},
    "action": {"oneOf": [
        {"type": "object", "required": ["type", "to"], "properties": {"type": {"const": "copy"}, "to": {"type": "string"}}},
        {"type": "object", "required": ["type"], "properties": {"type": {"const": "delete"}}}
    ]},
    "day": {"type": "string", "format": "date", "examples": ["2026-11-21"]},
    "code": {"type": "string", "pattern": "^[A-Z]{3}$", "examples": ["ABC"]},
    "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "price": {"type": "integer", "multipleOf": 5},
    "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "uniqueItems": true},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1, "maxProperties": 2},
    "either": {"anyOf": [
        {"type": "object", "required": ["email"], "properties": {"email": {"type": "string"}}},
        {"type": "object", "required": ["phone"], "properties": {"phone": {"type": "integer"}}}
    ]}
}}"#;

#[allow(clippy::ptr_arg)] // The type of the field is what a rule takes.
fn no_root(name: &String) -> Result<(), CustomRuleError> {
    match name.as_str() {
        "root" => Err(CustomRuleError::new("must not be root")),
        "admin" => Err(CustomRuleError::new("must not be admin").with_code("NO_ADMIN")),
        _ => Ok(()),
    }
}

/// Greets.
#[tool]
fn greet(
    /// Whom.
    #[tool(custom = no_root, example = "ann")]
    name: String,
) -> String {
    name
}

fn session() -> Session {
    let plan = DynamicTool::builder("plan", "Plans.", SCHEMA).sync_handler(|_, _| Ok::<_, String>("planned"));
    let plan = plan.expect("a schema");
    Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .no_throttle()
        .tool(GreetTool)
        .tool(plan)
        .build()
        .expect("two names")
        .session()
}

fn told(issues: &[Issue]) -> Vec<(&'static str, &'static str)> {
    issues.iter().map(|issue| (issue.constraint.code(), issue.constraint.keyword())).collect()
}

fn issues(call: &Call) -> &[Issue] {
    call.outcome.failure().map_or(&[], |failure| failure.issues())
}

#[test]
fn each_violated_constraint_is_corrected_after_the_hint() {
    for (code, keyword, tool, arguments) in broken() {
        let mut conversation = Conversation::new(session(), obedient([(tool, &*arguments)]));
        let end = pollster::block_on(conversation.ask("Do it."));
        let calls: Vec<_> = conversation.transcript().calls().collect();
        let log: Vec<_> = calls.iter().map(|call| (&call.arguments, call.outcome.to_text())).collect();
        assert_eq!(end.text(), Some("Done."), "{keyword}: {log:#?}");
        assert_eq!(told(issues(calls[0])), [(code, keyword)], "{keyword}: {log:#?}");
        assert!(calls.last().is_some_and(|call| call.outcome.is_ok()), "{keyword}: {log:#?}");
        // One issue takes one rejection. After invalid JSON, missing fields take another.
        assert!(calls.len() <= if code == "INVALID_JSON" { 3 } else { 2 }, "{keyword}: {log:#?}");
    }
}

#[test]
fn each_issue_that_is_never_corrected_is_reported_at_the_end() {
    for (code, keyword, tool, arguments) in broken() {
        let mut conversation = Conversation::new(session(), stubborn(tool, &arguments));
        match pollster::block_on(conversation.ask("Do it.")) {
            TurnEnd::Exhausted { tool: named, attempts, issues } => {
                assert_eq!((&*named, attempts, told(&issues)), (tool, 4, vec![(code, keyword)]));
            }
            end => panic!("{keyword} ended differently: {end:?}"),
        }
    }
}
