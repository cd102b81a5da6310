//! Sessions that advertise their tools for a provider: what a model sends under the definition runs with the value that was meant.

use serde_json::{Value, json};
use tests::fixtures::SendTool;
use tool_runtime::session::Session;
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::toolbox::{Strictness, ToolboxBuilder};
use tool_runtime::{Arguments, CallContext, RepairPolicy, Toolbox, tool};
use tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};
use tool_schema::json::Json;
use tool_schema::shape::{Ref, Shape};

use crate::dialects::dialect;

/// A tool that answers with the arguments that it got.
struct Echo(ToolSpec);

impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        match self.check(&arguments) {
            Ok(()) => AnswerOrFuture::Ready(Ok(Payload::Text(arguments.to_text().into_owned()))),
            Err(rejected) => AnswerOrFuture::Rejected(Box::new(rejected.into())),
        }
    }
}

/// A session with one tool that has advertised it.
pub(crate) fn echoing(dialect: Dialect, shape: &'static Shape, declared: Option<&Json<'static>>) -> Session {
    let mut spec = ToolSpec::new("do_it", "Does it.", Ref::Static(shape));
    spec.declared_schema = declared.map(|schema| schema.clone().into());
    let builder = Toolbox::builder().for_provider(dialect).no_throttle().tool(Echo(spec));
    advertised(builder)
}

fn advertised(builder: ToolboxBuilder) -> Session {
    let session = builder.build().unwrap_or_else(|error| panic!("{error}")).session();
    drop(session.definitions());
    session
}

/// The arguments that the tool of a session gets for those that a model sends.
pub(crate) fn got(session: &Session, sent: &Value) -> Result<Value, String> {
    let outcome = pollster::block_on(session.call("call_1", "do_it", sent.to_string()));
    if outcome.is_ok() {
        Ok(serde_json::from_str(&outcome.to_text()).expect("it is JSON"))
    } else {
        Err(outcome.to_text().into_owned())
    }
}

fn openai() -> ToolboxBuilder {
    Toolbox::builder().feedback(FeedbackForm::Json).for_provider(dialect("openai-strict")).tool(SendTool)
}

fn call(session: &Session, arguments: &str) -> String {
    pollster::block_on(session.call("call_1", "send", arguments)).to_text().into_owned()
}

const RAN: &str = r#"example.org {"accept": "*/*"} 3"#;

#[test]
fn a_call_under_the_advertised_definition_runs() {
    let session = advertised(openai().no_throttle());
    for sent in [
        r#"{"url": "example.org", "headers": [{"key": "accept", "value": "*/*"}], "retries": null}"#,
        // The text is read leniently, and what is left is coerced.
        r#"{'url': "example.org", "headers": [{"key": "accept", "value": "*/*",}], "retries": "3"}"#,
        r#"{"arguments": {"url": "example.org", "headers": [{"key": "accept", "value": "*/*"}], "retries": null}}"#,
        // Not as it was asked for, but certain.
        r#"{"url": "example.org", "headers": {"accept": "*/*"}}"#,
        r#"{"url": "example.org", "headers": [{"value": "*/*", "key": "accept"}]}"#,
    ] {
        assert_eq!(call(&session, sent), RAN, "{sent}");
    }
}

#[test]
fn the_ledger_lists_lenient_repairs() {
    let session = advertised(openai());
    let lenient = r#"{'url': "example.org", "headers": [], "retries": "3"}"#;
    let outcome = pollster::block_on(session.call("call_1", "send", lenient));
    let rules: Vec<_> = outcome.repairs().iter().map(|repair| repair.rule.name()).collect();
    assert_eq!(rules.len(), 3, "{rules:?}");
    assert_eq!(outcome.repaired_arguments(), Some(r#"{"url":"example.org","headers":{},"retries":3}"#));
    let strict = advertised(openai().repair(RepairPolicy::Strict));
    assert!(!pollster::block_on(strict.call("call_1", "send", lenient)).is_ok());
    // The form of a provider is no repair.
    let sent = r#"{"url": "example.org", "headers": [{"key": "a", "value": "b"}], "retries": null}"#;
    let outcome = pollster::block_on(strict.call("call_2", "send", sent));
    assert_eq!((outcome.is_ok(), outcome.repairs().len(), outcome.repaired_arguments()), (true, 0, None));
}

#[test]
fn only_calls_of_tools_advertised_in_a_rewritten_form_are_converted_back() {
    let sent = r#"{"url": "example.org", "headers": [], "retries": null}"#;
    let session = openai().build().expect("one tool").session();
    assert!(call(&session, sent).contains("INVALID"), "nothing was advertised yet");
    drop(session.definitions());
    assert_eq!(call(&session, sent), "example.org {} 3");
    let plain = advertised(openai().definition_strictness(Strictness::Plain));
    assert!(call(&plain, sent).contains("INVALID"), "it was advertised plainly");
}

#[test]
fn batches_hooks_and_pauses_use_the_converted_calls() {
    use tool_runtime::hook::{ProposedCall, Verdict};

    let sent = |value: &str| {
        format!(r#"{{"url": "example.org", "headers": [{{"key": "accept", "value": "{value}"}}], "retries": null}}"#)
    };
    let (one, other) = (sent("*/*"), sent("a"));
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.argument("headers").and_then(|headers| headers["accept"].as_str().map(str::len)), Some(3));
        Verdict::Run
    };
    assert_eq!(call(&advertised(openai().before_call(hook)), &one), RAN);
    let session = advertised(openai());
    let batch =
        pollster::block_on(session.call_batch([("1", "send", &*one), ("2", "send", &*other), ("3", "send", "{")]));
    let texts: Vec<_> = batch.outcomes().iter().map(|outcome| outcome.to_text().into_owned()).collect();
    assert_eq!(texts[..2], [RAN.to_owned(), RAN.replace("*/*", "a")]);
    assert!(texts[2].contains("invalid_json"), "{}", texts[2]);
    // Calls that differ in their form alone are the same call.
    let same = [one.clone(), r#"{"retries": 3, "url": "example.org", "headers": {"accept": "*/*"}}"#.to_owned()];
    let ran = (0..10).filter(|call_number| call(&session, &same[call_number % 2]) == RAN).count();
    assert!(ran < 10, "the same call was never paused");
}

#[test]
fn a_repeated_key_is_reported_with_the_other_issues() {
    let session = advertised(openai());
    let sent = r#"{"url": 7.5, "headers": [{"key": "a", "value": "1"}, {"key": "a", "value": "2"}], "retries": 11}"#;
    let outcome = pollster::block_on(session.call("call_1", "send", sent));
    let issues = outcome.failure().map_or(&[][..], |failure| failure.issues());
    let mut paths: Vec<_> = issues.iter().map(|issue| issue.path.to_string()).collect();
    paths.sort();
    assert_eq!(paths, ["headers[1].key", "retries", "url"], "{}", outcome.to_text());
}

/// Stores any value.
#[tool]
fn store(
    /// The value.
    value: Value,
) -> String {
    value.to_string()
}

#[test]
fn a_tool_that_cannot_be_strict_does_not_affect_the_others() {
    let session = advertised(openai().tool(StoreTool));
    let renditions = session.definitions();
    let forms: Vec<_> = renditions.all().iter().map(|tool| (tool.name(), tool.strictness())).collect();
    assert_eq!(forms, [("send", EffectiveStrictness::Strict), ("store", EffectiveStrictness::Plain)]);
    assert_eq!(renditions.len(), 2);

    // A provider that would reject a tool is not sent it.
    let session = advertised(Toolbox::builder().for_provider(dialect("gemini-schema")).tool(SendTool).tool(StoreTool));
    let renditions = session.definitions();
    assert_eq!(
        renditions.get("store").map(|store| (store.strictness(), store.notes().len())),
        Some((EffectiveStrictness::Omitted, 1))
    );
    assert_eq!(renditions.len(), 1);
}

#[test]
fn build_reports_every_problem_at_once() {
    let builder = openai().tool(StoreTool).definition_strictness(Strictness::Strict).strict_priority(["nobody"]);
    let problems =
        builder.build().expect_err("two problems").errors().iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = [
        "there is no tool `nobody`: write the name under which it is advertised",
        "`store` cannot be strict for `openai-strict`: value: accepts any value",
    ];
    assert_eq!(problems, expected);
    let unsaid = Toolbox::builder()
        .for_provider(dialect("mistral"))
        .tool(SendTool)
        .tool_definition_strictness("send", Strictness::Strict);
    let problems = unsaid.build().expect_err("one problem");
    assert_eq!(problems.errors()[0].to_string(), "`send` cannot be strict for `mistral`: `mistral` has no strict form");
}

/// A tool with optional properties, of which Anthropic takes 24 in a request.
fn optionals(name: &str, count: usize) -> Echo {
    let properties: Vec<_> = (0..count).map(|index| format!(r#""p{index}":{{"type":"string"}}"#)).collect();
    let schema =
        format!(r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#, properties.join(","));
    let mut spec = ToolSpec::new(name.to_owned(), "Does it.", Ref::Static(Shape::ANY));
    spec.declared_schema = Some(crate::dialects::json(&schema).into());
    Echo(spec)
}

fn strict(builder: ToolboxBuilder) -> Vec<String> {
    let session = advertised(builder);
    let tools = session.definitions();
    for tool in tools.iter().filter(|tool| tool.strictness() == EffectiveStrictness::Plain) {
        let words = tool.notes()[0].reason();
        assert_eq!(words, "not strict: a request takes 24 optional parameters", "{}", tool.name());
    }
    let strict = tools.iter().filter(|tool| tool.strictness() == EffectiveStrictness::Strict);
    strict.map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn a_budget_is_spent_in_the_order_chosen_by_the_host() {
    let builder = || {
        let tools = [optionals("a", 20), optionals("b", 10), optionals("c", 4), optionals("d", 14)];
        let builder = Toolbox::builder().for_provider(dialect("anthropic-strict"));
        tools.into_iter().fold(builder, ToolboxBuilder::tool)
    };
    assert_eq!(strict(builder()), ["a", "c"]);
    assert_eq!(strict(builder().strict_priority(["d", "b"])), ["b", "d"]);
    assert_eq!(
        strict(builder().strict_priority(["d"]).tool_definition_strictness("c", Strictness::Strict)),
        ["c", "d"]
    );
    let all = builder().definition_strictness(Strictness::Strict).build().expect_err("24 are not enough");
    let named: Vec<_> = all.errors().iter().map(ToString::to_string).collect();
    assert_eq!(
        named,
        [
            "`b` cannot be strict for `anthropic-strict`: a request takes 24 optional parameters",
            "`d` cannot be strict for `anthropic-strict`: a request takes 24 optional parameters",
        ]
    );
}

#[test]
fn a_rejected_name_is_replaced_by_a_portable_one_and_restored() {
    let long = "n".repeat(64);
    let spec = ToolSpec::new(long.clone(), "Does it.", Ref::Static(Shape::ANY));
    let session = advertised(Toolbox::builder().for_provider(dialect("gemini")).tool(Echo(spec)));
    let portable = tool::portable_name(&long).into_owned();
    let name = session.definitions()[0].to_value()["name"].clone();
    assert_eq!(name, json!(portable));
    for name in [&portable, &long] {
        let outcome = pollster::block_on(session.call("call_1", name, "{}"));
        assert_eq!((outcome.is_ok(), outcome.tool_name()), (true, &*portable), "{}", outcome.to_text());
    }
}

#[test]
fn calls_under_earlier_definitions_run_after_the_toolbox_is_replaced() {
    let session = advertised(openai());
    let other = openai().tool(StoreTool).build().expect("two tools");
    session.replace_toolbox(&other).expect("it needs no state");
    let sent = r#"{"url": "example.org", "headers": [{"key": "accept", "value": "*/*"}], "retries": null}"#;
    assert_eq!(call(&session, sent), RAN);
}

/// A tool with an optional property that may be `null`.
fn nullable(name: &str) -> Echo {
    let schema = r#"{"type":"object","properties":{"limit":{"type":["integer","null"]}},"additionalProperties":false}"#;
    let mut spec = ToolSpec::new(name.to_owned(), "Does it.", Ref::Static(Shape::ANY));
    spec.declared_schema = Some(crate::dialects::json(schema).into());
    Echo(spec)
}

#[test]
fn null_is_absent_only_if_the_host_says_so() {
    let builder = || Toolbox::builder().for_provider(Dialect::OPENAI_STRICT).tool(nullable("a")).tool(nullable("b"));
    let forms = |session: &Session| -> Vec<_> { session.definitions().iter().map(Definition::strictness).collect() };
    let ran = |session: &Session, tool: &str, sent: &str| {
        pollster::block_on(session.call("call_1", tool, sent)).to_text().into_owned()
    };
    let none = advertised(builder());
    assert_eq!(forms(&none), [EffectiveStrictness::Plain; 2]);
    assert_eq!(ran(&none, "a", r#"{"limit": null}"#), r#"{"limit": null}"#);

    let one = advertised(builder().tool_null_is_absent("a"));
    assert_eq!(forms(&one), [EffectiveStrictness::Strict, EffectiveStrictness::Plain]);
    assert_eq!(ran(&one, "a", r#"{"limit": null}"#), "{}");
    assert_eq!(ran(&one, "a", r#"{"limit": 3}"#), r#"{"limit":3}"#);
    assert_eq!(ran(&one, "b", r#"{"limit": null}"#), r#"{"limit": null}"#);
    assert_eq!(forms(&advertised(builder().null_is_absent())), [EffectiveStrictness::Strict; 2]);

    let error = builder().tool_null_is_absent("c").build().expect_err("there is no such tool");
    assert!(error.to_string().contains("`c`"), "{error}");
}

#[test]
fn a_session_remembers_the_forms_of_several_dialects() {
    let session = advertised(openai());
    let own = r#"{"url": "example.org", "headers": {"accept": "*/*"}, "retries": 3}"#;
    let entries = r#"{"url": "example.org", "headers": [{"key": "accept", "value": "*/*"}], "retries": null}"#;
    assert!(session.definitions_in(Dialect::MCP)[0].inverse().is_none());
    for sent in [own, entries] {
        assert_eq!(call(&session, sent), RAN, "the call was made under the definitions of another dialect");
    }
    let plain = Toolbox::builder().no_throttle().tool(SendTool).build().expect("one tool").session();
    assert!(call(&plain, entries).contains("headers must be an object"));
    assert_eq!(plain.definitions_in(Dialect::OPENAI_STRICT)[0].strictness(), EffectiveStrictness::Strict);
    assert_eq!(call(&plain, entries), RAN);
}
